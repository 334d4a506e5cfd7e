// Resolves to the gaps between frames, in milliseconds, from now for as long as
// something goes on. The marks tell the trace when that was.
const gaps = (goesOn) => new Promise((resolve) => {
  const all = [];
  let last;
  performance.mark("replay-starts");
  requestAnimationFrame(function frame(now) {
    if (last !== undefined) all.push(now - last);
    last = now;
    if (goesOn()) {
      requestAnimationFrame(frame);
    } else {
      performance.mark("replay-ends");
      resolve(all);
    }
  });
});

// Our replay, until it has come to its end.
const replay = () => gaps(() => document.querySelector("button.primary").textContent.includes("Pause"));

// What a clock costs alone: a heading that changes as often, and as long.
const ticks = () => {
  const heading = document.querySelector("h1");
  const from = performance.now();
  const timer = setInterval(() => { heading.textContent = `${Math.round((performance.now() - from) / 250)} s`; }, 250);
  return gaps(() => performance.now() - from < 15_000).finally(() => clearInterval(timer));
};
