// Sets window.painted to the milliseconds from the next click on the checkbox
// to the frame in which the table has changed and is painted. A message that is
// posted in an animation frame arrives after that frame's paint.
window.painted = new Promise((resolve) => {
  let clicked;
  document.getElementById("force-dns").addEventListener("click", (event) => {
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
  observer.observe(document.querySelector("#data table"), {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
});
undefined;
