// Resolves to the gaps between frames, in milliseconds, from now until the
// replay has come to its end. The marks tell the trace when that was.
new Promise((resolve) => {
  const gaps = [];
  let last;
  performance.mark("replay-starts");
  requestAnimationFrame(function frame(now) {
    if (last !== undefined) gaps.push(now - last);
    last = now;
    if (document.querySelector("button.primary").textContent.includes("Pause")) {
      requestAnimationFrame(frame);
    } else {
      performance.mark("replay-ends");
      resolve(gaps);
    }
  });
});
