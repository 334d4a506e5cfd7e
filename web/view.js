// The view that the address asks for, in force before the first paint, and the
// messages between an embedded page and the page around it, which the README
// documents under "Embed". The simulator reads the address again, with care.
"use strict";
(() => {
  const root = document.documentElement;
  root.dataset.boot = ""; // until there is time to lay out all of the page
  addEventListener("load", () => { if (!window.sixwaysPatch) delete root.dataset.boot; });
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const given = (key) => fragment.get(key) ?? query.get(key);
  const embedded = ["1", "true"].includes(given("embed"));
  if (embedded) root.dataset.embed = "";
  if (["light", "dark"].includes(given("theme"))) root.dataset.theme = given("theme");
  const parts = ["player", "picture", "trace", "data", "metrics", "map", "check", "walk-through"];
  const show = given("show") ?? "";
  let shown = show === "none" ? [] : show.split(",");
  if (!shown.every((part) => parts.includes(part))) shown = embedded ? parts.slice(0, 5) : parts;
  const hidden = parts.filter((part) => !shown.includes(part));
  if (["0", "false"].includes(given("controls"))) hidden.unshift("controls");
  if (hidden.length) root.dataset.hide = hidden.join(" ");

  const { parent } = window;
  if (!embedded || parent === window) return;

  // What comes in comes from the parent, and from the origin that first said
  // hello. "null" is no address: a sandboxed page is reached as any other.
  let origin;
  let obey;
  const early = [];
  const tell = (message, to = origin) => {
    if (to !== undefined) parent.postMessage({ sixways: 1, ...message }, to === "null" ? "*" : to);
  };

  addEventListener("message", ({ source, origin: from, data }) => {
    if (source !== parent || data?.sixways === undefined || from !== (origin ?? from)) return;
    try {
      const command = read(data);
      if (command[0] === "hello") origin = from;
      if (origin === undefined) throw new Error("say hello first");
      if (obey) obey(...command);
      else early.push(command);
    } catch (err) {
      tell({ type: "error", message: err.message }, from);
    }
  });

  // A command as the simulator takes it: its name and a text.
  function read({ sixways, type, second, state }) {
    if (sixways !== 1) throw new Error("this page speaks version 1 of the messages");
    switch (type) {
      case "hello": case "play": case "pause":
        return [type, ""];
      case "seek":
        if (!Number.isFinite(second)) throw new Error("seek: second is no number");
        return [type, encodeURIComponent(Math.round(second))];
      case "set":
        if (typeof state !== "object" || state === null) throw new Error("set: state is no object");
        return [type, Object.entries(state).map(pair).join("&")];
    }
    throw new Error("type is none of hello, play, pause, seek and set");
  }

  // Without a value, a key returns to its opening value.
  function pair([key, value]) {
    if (value === null) return encodeURIComponent(key);
    if (!["string", "number", "boolean"].includes(typeof value)) throw new Error(`set: ${key} is no string, number, boolean or null`);
    return `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
  }

  // The height is no secret, and is told before the hello too.
  let height;
  new ResizeObserver(() => {
    const now = Math.ceil(root.getBoundingClientRect().height);
    if (now === height) return;
    height = now;
    tell({ type: "height", height }, "*");
  }).observe(root);

  new IntersectionObserver((entries) => {
    if (!entries.at(-1).isIntersecting) obey?.("pause", "");
  }).observe(root);

  window.sixways = {
    tell,
    // The simulator is live and takes commands.
    attach(simulator) {
      obey = simulator;
      tell({ type: "ready" }, "*");
      for (const command of early.splice(0)) obey(...command);
    },
  };
})();
