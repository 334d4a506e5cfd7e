// Sets window.painted to the milliseconds from the next click on a checkbox to
// the frame in which what it changes has changed and is painted. A message that
// is posted in an animation frame arrives after that frame's paint.
const watch = (checkbox, changes) => {
  window.painted = new Promise((resolve) => {
    let clicked;
    document.querySelector(checkbox).addEventListener("click", (event) => {
      clicked = event.timeStamp;
    }, { capture: true, once: true });
    const observer = new MutationObserver(() => {
      observer.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - clicked);
        channel.port2.postMessage(null);
      });
    });
    observer.observe(document.querySelector(changes), {
      subtree: true, childList: true, characterData: true, attributes: true,
    });
  });
};
