// Loads the simulator into the page that is already there to be read, says how
// far it is, and keeps the page for offline use. Its script tag says what to
// load: the gzipped WebAssembly, the plain one, and how large each is; or, in
// the page that is one file, which element holds it.
"use strict";
(() => {
  const { inside, packed, packedBytes, plain, plainBytes, worker } = document.currentScript.dataset;

  // In a sandboxed frame reading the storage throws, and where it is switched off
  // it may be null. The simulator reads it at its start: there, a storage that
  // forgets.
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name].getItem(name);
    } catch (err) {
      console.info(`sixways: ${name}: ${err.message}`);
      Object.defineProperty(window, name, { value: memoryStorage(), configurable: true });
    }
  }

  function memoryStorage() {
    const items = new Map();
    return {
      get length() { return items.size; },
      key: (i) => [...items.keys()][i] ?? null,
      getItem: (k) => items.get(String(k)) ?? null,
      setItem: (k, v) => { items.set(String(k), String(v)); },
      removeItem: (k) => { items.delete(String(k)); },
      clear: () => items.clear(),
    };
  }

  // Go has no URL for an address with a % that begins no escape, which a browser
  // takes. It is written as the % that it is.
  function mendAddress() {
    const mended = location.href.replace(/%(?![0-9a-f]{2})/gi, "%25");
    if (mended !== location.href) history.replaceState(history.state, "", mended);
  }
  mendAddress();
  window.addEventListener("popstate", mendAddress); // before the simulator hears of it

  // After a reload a browser may give a control what it was before, but the page
  // is in the state that its address says; and off until it is live.
  for (const control of switchOff()) {
    if (control.options) {
      for (const option of control.options) option.selected = option.defaultSelected;
    } else if (control.type === "checkbox") {
      control.checked = control.defaultChecked;
    } else if (control.type !== "button") {
      control.value = control.defaultValue;
    }
  }

  function switchOff() {
    const controls = document.querySelectorAll("button, input, select, textarea");
    for (const control of controls) control.disabled = true;
    return controls;
  }

  // Moves elements, each named with its time in milliseconds and its stops:
  // transforms, each after its share of the time. Without time an element stands
  // at its first stop, and without stops it is not to be seen.
  const movements = new Map(); // asking elements for theirs would lay out the page
  window.sixwaysMove = (...parts) => {
    for (let i = 0; i < parts.length; i += 3) move(...parts.slice(i, i + 3));
  };

  function move(id, duration, stops) {
    const element = document.getElementById(id);
    movements.get(id)?.cancel();
    movements.delete(id);
    element.style.visibility = stops ? "visible" : "hidden";
    if (!stops) return;
    const frames = stops.split(";").slice(0, -1).map((stop) => {
      const end = stop.indexOf(" ");
      return { offset: Number(stop.slice(0, end)), transform: stop.slice(end + 1) };
    });
    element.style.transform = frames[0].transform;
    if (duration) movements.set(id, element.animate(frames, { duration, fill: "forwards" }));
  }

  // Calls at the first frame after a rest, in milliseconds, with its time, instead
  // of the call that was asked for before. What is changed is not laid out and
  // painted in the same task: together the two would keep the next frame waiting.
  let [resting, frame] = [0, 0];
  window.sixwaysFrameAfter = (rest, f) => {
    clearTimeout(resting);
    cancelAnimationFrame(frame);
    const ask = () => {
      frame = requestAnimationFrame((now) => { resting = setTimeout(f, 0, now); });
    };
    if (rest) resting = setTimeout(ask, rest);
    else ask();
  };

  // Calls when the next frame has been painted, after all that waits for it.
  window.sixwaysAfterFrame = (f) => requestAnimationFrame(() => setTimeout(f, 4));

  // Puts elements of the pre-rendered page, their controls switched on, where
  // others hold their places.
  window.sixwaysKeep = (...pairs) => {
    for (let i = 0; i < pairs.length; i += 2) {
      pairs[i].replaceWith(pairs[i + 1]);
      for (const control of pairs[i + 1].querySelectorAll(":disabled")) control.disabled = false;
    }
  };

  // Changes elements, each given with its steps; app/drawn.go says what those are.
  window.sixwaysPatch = (...parts) => {
    for (let i = 0; i < parts.length; i += 2) patch(parts[i], parts[i + 1]);
  };

  // How a control is now, and not how it begins, is a property.
  function patch(at, steps) {
    const property = (name) => name === "checked" || name === "selected";
    for (const step of steps.split("\0").slice(0, -1)) {
      const what = step.slice(1);
      switch (step[0]) {
        case "d": at = at.childNodes[what]; break;
        case "u": at = at.parentNode; break;
        case "s": {
          const name = what.slice(0, what.indexOf(" "));
          if (property(name)) at[name] = true;
          else at.setAttribute(name, what.slice(name.length + 1));
          break;
        }
        case "r":
          if (property(what)) at[what] = false;
          else at.removeAttribute(what);
          break;
        case "t": at.nodeValue = what; break;
        case "i": at.innerHTML = what; break;
        case "a": at.insertAdjacentHTML("beforeend", what); break;
        case "l": at.lastChild.remove(); break;
      }
    }
  }

  // The address carries the state: the skip link moves the focus alone.
  document.addEventListener("click", (event) => {
    if (event.target.id !== "skip") return;
    event.preventDefault();
    document.getElementById("experiment").focus();
  });

  // The status is part of the pre-rendered page and goes when that does.
  function say(text, actions) {
    fill(document.getElementById("boot-status"), text, actions);
  }

  function notify(text, actions) {
    fill(document.getElementById("notice"), text, actions);
  }

  // Actions are buttons: what each does, by its label.
  function fill(place, text, actions = {}) {
    if (!place) return;
    const words = document.createElement(place.tagName === "DIV" ? "p" : "span");
    words.textContent = text;
    place.replaceChildren(words);
    for (const [label, press] of Object.entries(actions)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", press);
      place.append(" ", button);
    }
  }

  // The status is spoken when it changes; the figure in it changes silently.
  function progress(total) {
    const percent = document.createElement("span");
    percent.setAttribute("aria-hidden", "true");
    say("Loading the simulator");
    document.getElementById("boot-status")?.append(percent);
    let seen = 0;
    return (bytes) => {
      seen += bytes;
      if (seen < total) percent.textContent = `: ${Math.floor((100 * seen) / total)} %`;
      else if (percent.isConnected) say("Starting the simulator…");
    };
  }

  // The first bytes tell what came: a host may have sent the gzipped file with
  // Content-Encoding, and then the browser has unpacked it already.
  async function kindOf(reader, name) {
    let head = new Uint8Array(0);
    while (head.length < 4) {
      const { done, value } = await reader.read();
      if (done) break;
      const joined = new Uint8Array(head.length + value.length);
      joined.set(head);
      joined.set(value, head.length);
      head = joined;
    }
    if (head[0] === 0x1f && head[1] === 0x8b) return { head, gzip: true };
    if (String.fromCharCode(...head.subarray(0, 4)) === "\0asm") return { head, gzip: false };
    throw new Error(`${name} is not WebAssembly`);
  }

  // Compiling begins with the first bytes. Two thirds are left for when the page
  // to be read has come on the screen.
  function counted(head, reader, total, count) {
    let seen = head.length;
    return new ReadableStream({
      start(controller) {
        count(head.length);
        controller.enqueue(head);
      },
      async pull(controller) {
        if (seen > total / 3) await painted;
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        seen += value.length;
        count(value.length);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  async function instantiate(url, imports, cache) {
    const name = url.replace(/\?.*/, "");
    const response = await fetch(url, { cache }).catch((err) => { throw new Unanswered(`${name}: ${err.message}`); });
    if (!response.ok) throw new Error(`${name}: the server answered ${response.status}`);
    return compile(response.body.getReader(), name, imports);
  }

  async function compile(reader, name, imports) {
    const { head, gzip } = await kindOf(reader, name);
    const total = Number(gzip ? packedBytes : plainBytes);
    let stream = counted(head, reader, total, progress(total));
    if (gzip) stream = stream.pipeThrough(new DecompressionStream("gzip"));
    const wasm = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
    const result = WebAssembly.instantiateStreaming
      ? await WebAssembly.instantiateStreaming(wasm, imports)
      : await WebAssembly.instantiate(await wasm.arrayBuffer(), imports);
    return result.instance;
  }

  // The element with the packed WebAssembly, as bytes a piece at a time. A
  // character holds seven bits. Three of the 128 cannot stand in a script: each
  // is one of 128 characters from U+0080 on, which hold the next seven bits too.
  function unpacked(element) {
    const text = document.getElementById(element).textContent;
    const absent = [0x00, 0x0d, 0x3c];
    let left = Number(packedBytes);
    let [at, held, bits] = [0, 0, 0];
    const more = () => {
      const c = text.charCodeAt(at++);
      if (Number.isNaN(c)) throw new Error("the file is cut off");
      const pair = c - 0x80;
      held = pair < 0 ? (held << 7) | c : (held << 14) | (absent[pair >> 7] << 7) | (pair & 0x7f);
      bits += pair < 0 ? 7 : 14;
    };
    return new ReadableStream({
      pull(controller) {
        const bytes = new Uint8Array(Math.min(left, 1 << 18));
        for (let n = 0; n < bytes.length; n++) {
          while (bits < 8) more();
          bits -= 8;
          bytes[n] = held >> bits;
          held &= (1 << bits) - 1;
        }
        controller.enqueue(bytes);
        left -= bytes.length;
        if (left === 0) controller.close();
      },
    });
  }

  // Another file from a host that does not answer would fare no better.
  class Unanswered extends Error {
    constructor(message) {
      // A sandboxed frame has no origin, and its host must allow that.
      super(window.origin === "null" ? `${message}; for a sandboxed frame, its host must send Access-Control-Allow-Origin: *` : message);
    }
  }

  async function load(imports, cache) {
    if (inside) {
      if (!window.DecompressionStream) throw new Error("this browser is too old to unpack it");
      await painted; // unpacking would keep it off the screen
      return compile(unpacked(inside).getReader(), "the simulator in this file", imports);
    }
    if (!window.DecompressionStream) return instantiate(plain, imports, cache);
    try {
      return await instantiate(packed, imports, cache);
    } catch (err) {
      if (err instanceof Unanswered) throw err;
      console.info(`sixways: ${err.message}; trying the file that is not packed`);
      return instantiate(plain, imports, cache);
    }
  }

  async function start(cache) {
    let instance;
    let go;
    try {
      say("Loading the simulator");
      if (!window.WebAssembly) throw new Error("this browser has no WebAssembly");
      if (!window.Go) throw new Error("wasm_exec.js is missing");
      go = new Go();
      go.env.GOGC = "400"; // a few megabytes more, for a quarter of the time of a change
      instance = await load(go.importObject, cache);
    } catch (err) {
      console.info(`sixways: ${err.message}`);
      // A missing script does not come back without a reload.
      const retry = window.Go ? startAgain : () => location.reload();
      say(`The simulator could not be loaded (${err.message}). The opening run can be read without it.`, { Retry: retry });
      return;
    }
    run(go, instance);
  }

  // A hidden tab gets no frames, and does not wait for them.
  const painted = new Promise((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      requestAnimationFrame(() => requestAnimationFrame(resolve)); // the first paint may lack the rest of the screen
    }).observe({ type: "paint", buffered: true });
    setTimeout(resolve, 500);
  });

  function whenIdle(f) {
    if (window.requestIdleCallback) requestIdleCallback(f);
    else setTimeout(f, 200);
  }

  // The button that was pressed goes, and the focus would go with it.
  function startAgain() {
    document.getElementById("experiment").focus({ preventScroll: true });
    start("reload");
  }

  function stopped() {
    switchOff();
    say("The simulator has stopped.");
    notify("The simulator has stopped, and its controls with it.", { Reload: () => location.reload() });
  }

  function run(go, instance) {
    // A trap inside an event handler is not seen by go.run, nor is the end of the
    // stack, which each engine words in its own way.
    window.addEventListener("error", ({ error, message }) => {
      if (error instanceof WebAssembly.RuntimeError || /call stack|recursion/.test(message)) stopped();
    });
    const focused = document.activeElement?.id;
    // Go runs until it waits: when run returns, the page is live.
    go.run(instance).then(stopped, (err) => {
      console.info(`sixways: ${err.message}`);
      stopped();
    });
    if (go.exited) return;
    // The focused element has been replaced by its like.
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    whenIdle(keep);
  }

  // Reading navigator.serviceWorker throws in a sandboxed frame.
  async function keep() {
    try {
      if (!worker || !location.protocol.startsWith("http") || !navigator.serviceWorker) return;
      const registration = await navigator.serviceWorker.register(worker, { updateViaCache: "none" });
      const { installing } = registration;
      installing?.addEventListener("statechange", () => {
        if (installing.state === "redundant" && !registration.active) notKept("a file did not come, or the storage is full or closed");
      });
      watch(registration);
    } catch (err) {
      notKept(err.message);
    }
  }

  // Whoever counts on the page offline must learn that it will not be there.
  // Nothing else is lost, so it is said where the page says that it is ready;
  // a frame is not for taking along.
  function notKept(reason) {
    console.info(`sixways: not kept for offline use: ${reason}`);
    if (window.top !== window) return;
    say(`Ready, but not kept for offline use (${reason}).`, { "Try again": keepAgain });
  }

  function keepAgain() {
    document.getElementById("experiment").focus({ preventScroll: true });
    say("Ready. Everything on this page is computed here; nothing is sent anywhere.");
    keep();
  }

  function watch(registration) {
    const offer = () => {
      if (registration.waiting && registration.active) {
        notify("A new version of this page is ready.", {
          "Update now": () => update(registration),
          Later: () => document.getElementById("notice").replaceChildren(),
        });
      }
    };
    const follow = () => registration.installing?.addEventListener("statechange", offer);
    offer();
    follow();
    registration.addEventListener("updatefound", follow);

    const rest = 10 * 60 * 1000;
    let asked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || Date.now() - asked < rest) return;
      asked = Date.now();
      registration.update().catch((err) => console.info(`sixways: no update: ${err.message}`));
    });
  }

  // Another tab may have let the new version in already: then a reload is all.
  function update(registration) {
    const { waiting } = registration;
    if (!waiting) {
      location.reload();
      return;
    }
    waiting.addEventListener("statechange", () => {
      if (waiting.state === "activated") location.reload();
    });
    waiting.postMessage("skip-waiting");
  }

  // What lies below the screen is laid out once there is time.
  painted.then(() => whenIdle(() => { delete document.documentElement.dataset.boot; }));

  start("default");
})();
