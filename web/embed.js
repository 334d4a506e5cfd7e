// Defines <sixways-sim>, the simulator in a frame: see "Embed" in the README.
"use strict";
(() => {
  const site = new URL("./", document.currentScript.src);
  const keys = ["policy", "task-api", "force-dns", "block-metadata", "loopback", "t", "speed", "predict", "show", "controls", "theme", "file", "format", "needed"];
  const title = "Simulator: six ways out of an agent sandbox";
  const events = ["change", "verdict", "ended", "error"];

  class Simulator extends HTMLElement {
    static observedAttributes = [...keys, "title"];
    #frame;
    #live;
    #target;
    #waiting = [];

    // The shadow root takes the place of what is for readers without JavaScript.
    connectedCallback() {
      const state = new URLSearchParams({ v: 1, embed: 1 });
      for (const key of keys) if (this.hasAttribute(key)) state.set(key, this.getAttribute(key) || 1);
      const frame = document.createElement("iframe");
      frame.title = this.title || title;
      frame.loading = "lazy";
      frame.allow = "clipboard-write";
      frame.style.cssText = "display: block; width: 100%; height: 600px; border: 0";
      frame.src = new URL(`#${state}`, site);
      this.#live = false;
      this.#frame = frame;
      addEventListener("message", this);
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
      const style = new CSSStyleSheet();
      style.replaceSync(":host { display: block } :host([hidden]) { display: none }");
      root.adoptedStyleSheets = [style];
      root.replaceChildren(frame);
    }

    disconnectedCallback() {
      removeEventListener("message", this);
      this.#frame = this.#live = undefined;
    }

    attributeChangedCallback(key, before, now) {
      if (!this.#frame || before === now) return;
      if (key === "title") this.#frame.title = now || title;
      else this.set({ [key]: now === "" ? "1" : now });
    }

    handleEvent({ source, origin, data }) {
      // A sandboxed frame has no origin.
      if (source !== this.#frame.contentWindow || ![site.origin, "null"].includes(origin) || data?.sixways !== 1) return;
      this.#target = origin === "null" ? "*" : origin;
      if (data.type === "height") this.#frame.style.height = `${data.height}px`;
      if (data.type === "ready") {
        this.#live = true;
        for (const message of [{ type: "hello" }, ...this.#waiting.splice(0)]) this.#send(message);
      }
      if (events.includes(data.type)) this.dispatchEvent(new CustomEvent(data.type, { detail: data }));
    }

    #send(message) {
      if (!this.#live) this.#waiting.push(message);
      else this.#frame.contentWindow.postMessage({ sixways: 1, ...message }, this.#target);
    }

    play() { this.#send({ type: "play" }); }
    pause() { this.#send({ type: "pause" }); }
    seek(second) { this.#send({ type: "seek", second }); }
    set(state) { this.#send({ type: "set", state }); }
  }

  customElements.get("sixways-sim") ?? customElements.define("sixways-sim", Simulator);
})();
