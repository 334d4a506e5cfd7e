package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// hosted serves pages of ours beside the site, by their names. As any static
// host should, it lets sandboxed frames, which have no origin, read the site.
func hosted(t *testing.T, pages map[string]string) string {
	t.Helper()
	return serve(t, dist, func(site http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			if body, ok := pages[strings.TrimPrefix(r.URL.Path, base)]; ok {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, body)
				return
			}
			site.ServeHTTP(w, r)
		})
	})
}

// around is a page that keeps the messages it gets, by frame, and sends some.
const around = `<!doctype html><title>Around</title><link rel="icon" href="data:,"><button id="mine" autofocus>Mine</button>
<script>
const got = [];
addEventListener("message", (e) => got.push({ frame: [...document.querySelectorAll("iframe")].findIndex((f) => f.contentWindow === e.source), ...e.data }));
const send = (message, n = 0) => document.querySelectorAll("iframe")[n].contentWindow.postMessage(message, "*");
const command = (type, rest = {}, n = 0) => send({ sixways: 1, type, ...rest }, n);
const of = (type, n = 0) => got.filter((m) => m.type === type && m.frame === n);
</script>
`

// embedder opens a page of another origin than the site's around some markup,
// in which SITE stands for the site's address.
func embedder(t *testing.T, markup string) *page {
	t.Helper()
	site := hosted(t, nil)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, around+strings.ReplaceAll(markup, "SITE", site))
	}))
	t.Cleanup(other.Close)
	p := blank(t, other.URL+"/")
	u, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	p.asks = append(p.asks, u.Scheme+"://"+u.Host)
	p.load(p.address)
	return p
}

func (p *page) waitJS(what, condition string) {
	p.t.Helper()
	p.waitFor(what, func() bool { return p.eval("Boolean("+condition+")") == true })
}

// The layout without the page's frame, in the page's own words.
func TestEmbeddedLayout(t *testing.T) {
	p := open(t, serve(t, dist)+"#policy=allowlist&embed=1&t=8")
	if diff := cmp.Diff(sections()[:4], p.names("region")); diff != "" {
		t.Errorf("regions (-want +got):\n%s", diff)
	}
	for role, name := range map[string]string{"link": "Skip to the experiment", "button": "Share", "navigation": ""} {
		if n := len(p.all(nil, role, name)); n != 0 {
			t.Errorf("%d of role %s %q", n, role, name)
		}
	}
	if got := p.get("heading", fixture.Heading).js("return this.closest('header').offsetHeight"); got != 1.0 {
		t.Errorf("the title takes %v px", got)
	}
	if text := p.bodyText(); !strings.Contains(text, fixture.Model) {
		t.Error("it does not say that it is a model")
	}

	p.test("its address stays as it is", func() {
		href, length := p.eval("location.href"), p.historyLength()
		p.set(fixture.Change{Key: "force-dns", Value: "1"})
		p.get("button", "Next event").click()
		p.get("combobox", "Speed").choose("4×")
		p.expectAt(allowlisted.With(fixture.Change{Key: "force-dns", Value: "1"}), 8)
		if got := p.eval("location.href"); got != href || p.historyLength() != length || p.eval("history.state") != nil {
			p.t.Errorf("it became %v, with %d entries of history, not %d", got, p.historyLength(), length)
		}
	})

	p.test("a link leads to the full page with the same state", func() {
		href := p.get("link", "Open the full page").js("return this.href")
		if want := p.address[:strings.Index(p.address, "#")] + "#v=1&policy=allowlist&task-api=1&force-dns=1&block-metadata=0&loopback=1&t=8&speed=4"; href != want {
			p.t.Errorf("got  %v\nwant %s", href, want)
		}
	})
}

// The view that the boot sets before the first paint is the one that the
// simulator makes of the address, and what it names is what is seen.
func TestViewOfTheAddress(t *testing.T) {
	p := blank(t, serve(t, dist))
	p.before(`document.addEventListener("DOMContentLoaded", () => { window.early = { ...document.documentElement.dataset } })`)
	all := []string{"controls", "player", "picture", "trace", "data", "metrics", "map", "check", "walk-through"}
	for fragment, want := range map[string]struct {
		embed  bool
		theme  string
		hidden string
	}{
		"":                       {},
		"#embed=1":               {true, "", "map check walk-through"},
		"?embed=true#theme=dark": {true, "dark", "map check walk-through"},
		"?theme=dark&show=map#theme=light&show=none": {false, "light", "player picture trace data metrics map check walk-through"},
		"#embed=1&show=walk-through,map,player":      {true, "", "picture trace data metrics check"},
		"#show=data&controls=0":                      {false, "", "controls player picture trace metrics map check walk-through"},
		"#embed=0&controls=false&theme=auto":         {false, "", "controls"},
	} {
		p.test(fragment, func() {
			p.visit(p.address + fragment)
			got := evalTo[[2]map[string]string](p, `(() => { const { live, ...now } = document.documentElement.dataset; const { boot, ...then } = early; return [then, now] })()`)
			expected := map[string]string{}
			if want.embed {
				expected["embed"] = ""
			}
			if want.theme != "" {
				expected["theme"] = want.theme
			}
			if want.hidden != "" {
				expected["hide"] = want.hidden
			}
			if diff := cmp.Diff([2]map[string]string{expected, expected}, got); diff != "" {
				p.t.Errorf("(-want +got):\n%s", diff)
			}
			places := map[string]string{
				"controls": "#experiment", "player": "#player", "picture": ".picture", "trace": ".trace",
				"data": "#data", "metrics": "#metrics", "map": "#map", "check": "#check", "walk-through": ".walk",
			}
			for _, part := range all {
				shown := p.eval(`document.querySelector("`+places[part]+`").getClientRects().length > 0`) == true
				if hide := strings.Contains(" "+want.hidden+" ", " "+part+" "); shown == hide {
					p.t.Errorf("%s is shown: %v", part, shown)
				}
			}
		})
	}
}

// An embedded page keeps to its frame: it takes no focus, scrolls nothing, and
// is as tall as it says.
func TestEmbeddedKeepsToItsFrame(t *testing.T) {
	site := hosted(t, map[string]string{"host.html": around + `<p style="height: 1500px">Text</p>
<iframe src="./#v=1&embed=1&policy=allowlist&t=59" width="700" height="500"></iframe><p style="height: 3000px">Text</p>`})
	p := blank(t, site+"host.html")
	p.load(p.address)
	p.waitJS("the simulator", `of("ready").length`)
	p.eval(`command("hello")`)
	frame := `document.querySelector("iframe")`
	untouched := func() {
		p.t.Helper()
		if got := p.eval(`[document.activeElement.id, scrollY, history.length]`); !cmp.Equal(got, []any{"mine", 0.0, p.eval("window.lengthBefore")}) {
			p.t.Errorf("focus, scroll position and history became %v", got)
		}
	}
	p.eval(`window.lengthBefore = history.length`)

	p.test("the height is told, and follows", func() {
		told := func() bool {
			return p.eval(`of("height").at(-1).height === Math.ceil(`+frame+`.contentDocument.documentElement.getBoundingClientRect().height)`) == true
		}
		p.waitFor("the height", told)
		before := p.eval(`of("height").at(-1).height`).(float64)
		p.eval(`command("set", { state: { show: "player" } })`)
		p.waitFor("another height", func() bool { return p.eval(`of("height").at(-1).height`).(float64) < before && told() })
		untouched()
	})

	p.test("commands move it and nothing around it", func() {
		href := p.eval(frame + ".contentWindow.location.href")
		p.eval(`command("set", { state: { "force-dns": true, show: null } }); command("seek", { second: 30 })`)
		p.waitJS("the change", `of("change").at(-1).state.t === 30`)
		if got := p.eval(frame + ".contentWindow.location.href"); got != href {
			p.t.Errorf("its address became %v", got)
		}
		untouched()
	})

	p.test("out of view it pauses", func() {
		p.eval(frame + `.scrollIntoView()`)
		p.eval(`command("play")`)
		p.waitJS("the replay", `of("change").at(-1).playing`)
		p.eval(`scrollTo(0, 0)`)
		p.waitJS("the pause", `!of("change").at(-1).playing`)
		untouched()
	})
}

// Messages that are not the embedder's are not heard, and what is wrong with
// the embedder's is answered.
func TestEmbeddedMessages(t *testing.T) {
	site := hosted(t, map[string]string{"host.html": around + `<iframe src="./#embed=1" width="700" height="900"></iframe><iframe srcdoc="<p>Another"></iframe>`})
	p := blank(t, site+"host.html")
	p.load(p.address)
	p.waitJS("the simulator", `of("ready").length`)
	last := func(kind string) any { return p.eval(`of("` + kind + `").at(-1) ?? null`) }

	p.test("a command before the hello is refused", func() {
		p.eval(`command("play")`)
		p.waitJS("an answer", `of("error").length`)
		if diff := cmp.Diff(map[string]any{"frame": 0.0, "sixways": 1.0, "type": "error", "message": "say hello first"}, last("error")); diff != "" {
			p.t.Error(diff)
		}
	})

	p.eval(`command("hello")`)
	p.waitJS("the state", `of("change").length`)
	p.test("the hello is answered with the state", func() {
		want := map[string]any{"frame": 0.0, "sixways": 1.0, "type": "change", "playing": false, "state": map[string]any{
			"policy": "denylist", "task-api": true, "force-dns": false, "block-metadata": false, "loopback": true,
			"t": 0.0, "speed": 1.0, "predict": false,
		}}
		if diff := cmp.Diff(want, last("change")); diff != "" {
			p.t.Error(diff)
		}
	})

	p.test("what is wrong is named, and nothing changes", func() {
		for message, want := range map[string]string{
			`{ sixways: 2, type: "play" }`:                                        "this page speaks version 1 of the messages",
			`{ sixways: 1 }`:                                                      "type is none of hello, play, pause, seek and set",
			`{ sixways: 1, type: "reload" }`:                                      "type is none of hello, play, pause, seek and set",
			`{ sixways: 1, type: "seek", second: "x" }`:                           "seek: second is no number",
			`{ sixways: 1, type: "seek", second: 61 }`:                            `seek: t: "61" is no inspection time; want a whole second from 0 to 60; nothing changes.`,
			`{ sixways: 1, type: "set" }`:                                         "set: state is no object",
			`{ sixways: 1, type: "set", state: { policy: {} } }`:                  "set: policy is no string, number, boolean or null",
			`{ sixways: 1, type: "set", state: { loopback: 0, policy: "open" } }`: `set: policy: "open" is no policy; want denylist, allowlist or deny-all; nothing changes.`,
			`{ sixways: 1, type: "set", state: { embed: false } }`:                "set: an embedded page stays one",
		} {
			n := p.eval(`of("error").length`).(float64)
			p.eval(`send(` + message + `)`)
			p.waitFor("an answer to "+message, func() bool { return p.eval(`of("error").length`).(float64) > n })
			if got := p.eval(`of("error").at(-1).message`); got != want {
				p.t.Errorf("%s: got %v, want %s", message, got, want)
			}
		}
		if n := p.eval(`of("change").length`); n != 1.0 {
			p.t.Errorf("%v changes", n)
		}
	})

	p.test("what is not ours, or another's, is not heard", func() {
		n := p.eval(`got.length`)
		p.eval(`(() => {
			for (const other of ["play", null, 7, { type: "play" }, ["sixways"]]) send(other);
			const frame = document.querySelector("iframe").contentWindow;
			const play = { data: { sixways: 1, type: "play" } };
			frame.dispatchEvent(new MessageEvent("message", { ...play, source: window, origin: "https://other.test" }));
			frame.dispatchEvent(new MessageEvent("message", { ...play, source: frames[1], origin: location.origin }));
			const script = frames[1].document.createElement("script");
			script.textContent = 'parent.frames[0].postMessage({ sixways: 1, type: "play" }, "*")';
			frames[1].document.body.append(script);
		})()`)
		p.eval(`new Promise((done) => setTimeout(done, 700))`)
		if got := p.eval(`got.length`); got != n {
			p.t.Errorf("answered with %v", p.eval(`got.slice(`+fmt.Sprint(n)+`)`))
		}
	})

	p.test("a second stays that is said beside other settings", func() {
		for _, step := range []struct {
			command string
			t       float64
		}{
			{`"seek", { second: 24 }`, 24},
			{`"set", { state: { policy: "deny-all", t: 24 } }`, 24},
			{`"set", { state: { policy: "denylist" } }`, 0},
			{`"set", { state: { policy: "denylist", t: 8 } }`, 8},
			{`"set", { state: { speed: 2 } }`, 8},
			{`"set", { state: { t: null, speed: 1 } }`, 0},
		} {
			n := p.eval(`of("change").length`).(float64)
			p.eval(`command(` + step.command + `)`)
			p.waitFor("the answer to "+step.command, func() bool { return p.eval(`of("change").length`).(float64) > n })
			if got := p.eval(`of("change").at(-1).state.t`); got != step.t {
				p.t.Errorf("%s: at %v s, want %v", step.command, got, step.t)
			}
		}
	})

	p.test("the verdict and the end are told", func() {
		p.eval(`command("set", { state: { policy: "allowlist", "force-dns": 1, loopback: 0, speed: 4, t: 54 } }); command("play")`)
		p.waitJS("the end", `of("ended").length === 1`)
		want := map[string]any{"unwanted": 0.0, "needed_allowed": 1.0, "needed": 1.0, "blocked": 5.0, "contained": true, "task_works": true}
		if diff := cmp.Diff(want, last("verdict").(map[string]any)["metrics"]); diff != "" {
			p.t.Error(diff)
		}
		if n := p.eval(`of("verdict").length`); n != 1.0 {
			p.t.Errorf("%v verdicts", n)
		}
		if got := p.eval(`[of("change").at(-1).playing, of("change").at(-1).state.t]`); !cmp.Equal(got, []any{false, 60.0}) {
			p.t.Errorf("at the end, playing and t are %v", got)
		}
	})
}

// Without storage and an origin of its own, cross-origin, and twice on a page.
func TestEmbeddedSandboxedTwice(t *testing.T) {
	p := embedder(t, `<iframe src="SITE#embed=1&show=player" sandbox="allow-scripts" width="700" height="700"></iframe>
<iframe src="SITE#embed=1&show=player&policy=deny-all" sandbox="allow-scripts" width="700" height="700"></iframe>`)
	for n := range 2 {
		p.waitJS("both simulators", fmt.Sprintf(`of("ready", %d).length && of("height", %d).length`, n, n))
		p.eval(fmt.Sprintf(`command("hello", {}, %d)`, n))
		p.waitJS("the state", fmt.Sprintf(`of("change", %d).length`, n))
	}
	p.eval(`command("set", { state: { loopback: false } }, 1)`)
	p.waitJS("the change", `of("change", 1).at(-1).state.loopback === false`)
	if got := p.eval(`[0, 1].map((n) => of("change", n).at(-1).state).map((s) => [s.policy, s.loopback])`); !cmp.Equal(got, []any{[]any{"denylist", true}, []any{"deny-all", false}}) {
		t.Errorf("the two stand at %v", got)
	}
	if focused := p.eval("document.activeElement.id"); focused != "mine" {
		t.Errorf("the focus went to %v", focused)
	}
}

const fallback = `<a href="SITE#policy=allowlist"><img src="SITEicons/icon-192.png" alt="" width="96" height="96">Six ways out</a>`

func TestElement(t *testing.T) {
	p := embedder(t, `<script src="SITEembed.js" defer></script>
<sixways-sim policy="allowlist" force-dns loopback="0" show="player" title="Our sandbox">`+fallback+`</sixways-sim>`)
	p.waitJS("the element", `customElements.get("sixways-sim")`)
	p.eval(`(() => {
		const sim = window.sim = document.querySelector("sixways-sim");
		window.events = [];
		for (const type of ["change", "verdict", "ended", "error"]) sim.addEventListener(type, (e) => events.push(e.detail));
		window.frame = sim.shadowRoot.querySelector("iframe");
	})()`)
	is := func(what, condition string) {
		p.t.Helper()
		p.waitJS(what, `events.length && ((e) => `+condition+`)({ state: {}, ...events.at(-1) })`)
	}

	p.test("it frames the simulator in the state of its attributes", func() {
		is("the state", `e.state.policy === "allowlist" && e.state["force-dns"] && !e.state.loopback`)
		if got := p.eval(`[frame.title, frame.loading, sim.querySelector("a").getClientRects().length]`); !cmp.Equal(got, []any{"Our sandbox", "lazy", 0.0}) {
			p.t.Errorf("title, loading and boxes of the stand-in are %v", got)
		}
	})

	p.test("it is as tall as the simulator", func() {
		p.waitJS("the height", `frame.getBoundingClientRect().height === of("height", -1).at(-1).height`)
	})

	p.test("it mirrors its attributes", func() {
		p.eval(`sim.setAttribute("policy", "deny-all")`)
		is("the policy", `e.state.policy === "deny-all" && e.state["force-dns"]`)
		p.eval(`sim.removeAttribute("force-dns"); sim.removeAttribute("loopback")`)
		is("the opening values", `!e.state["force-dns"] && e.state.loopback`)
		p.eval(`sim.setAttribute("loopback", "off")`)
		is("a word on a bad value", `e.type === "error" && e.message.startsWith('set: loopback: "off" is no switch')`)
	})

	p.test("it plays, pauses, seeks and sets", func() {
		p.eval(`sim.set({ policy: "allowlist", speed: 4 })`)
		is("the change", `e.state.policy === "allowlist" && e.state.speed === 4`)
		p.eval(`sim.seek(50)`)
		is("the second", `e.state.t === 50 && !e.playing`)
		p.eval(`sim.play()`)
		is("the replay", `e.playing`)
		p.eval(`sim.pause()`)
		is("the pause", `e.playing === false`)
		p.eval(`sim.play()`)
		is("the end", `e.type === "ended"`)
		if n := p.eval(`events.filter((e) => e.type === "verdict" && e.metrics.unwanted === 2).length`); n != 1.0 {
			p.t.Errorf("%v verdicts of two ways out", n)
		}
	})

	p.test("it hears its own frame alone", func() {
		n := p.eval("events.length")
		p.eval(`dispatchEvent(new MessageEvent("message", { source: window, origin: location.origin, data: { sixways: 1, type: "ended" } }))`)
		p.eval(`dispatchEvent(new MessageEvent("message", { source: frame.contentWindow, origin: "https://other.test", data: { sixways: 1, type: "ended" } }))`)
		if got := p.eval("events.length"); got != n {
			p.t.Errorf("%v events, then %v", n, got)
		}
	})

	p.test("moved in the page it goes on", func() {
		p.eval(`events.length = 0; sim.remove(); sim.seek(30); document.body.prepend(sim); window.frame = sim.shadowRoot.querySelector("iframe")`)
		p.waitJS("the state", `events.some((e) => e.state?.policy === "deny-all")`)
		p.waitJS("what was asked of it meanwhile", `events.some((e) => e.state?.t === 30)`)
		p.waitJS("a word on the attribute that is still bad", `events.some((e) => e.type === "error" && e.message.startsWith('loopback: "off" is no switch'))`)
	})
}

// In a sandboxed page the element's frame is sandboxed too, and neither has an
// origin.
func TestElementInASandboxedPage(t *testing.T) {
	site := hosted(t, map[string]string{
		"host.html": around + `<iframe sandbox="allow-scripts" src="inner.html" width="900" height="700"></iframe>`,
		"inner.html": `<!doctype html><script src="embed.js"></script><sixways-sim policy="allowlist" speed="3"></sixways-sim><script>
const sim = document.querySelector("sixways-sim");
const tell = (type, rest) => parent.postMessage({ type, ...rest }, "*");
for (const type of ["change", "error"]) sim.addEventListener(type, (e) => tell(type, { detail: e.detail }));
sim.set({ "force-dns": true });
addEventListener("message", () => {
	sim.hidden = true;
	sim.title = "Renamed";
	tell("hidden", { height: sim.offsetHeight, title: sim.shadowRoot.querySelector("iframe").title });
});
</script>`})
	p := blank(t, site+"host.html")
	p.load(p.address)
	p.waitJS("what was queued to be done", `of("change").some((m) => m.detail.state.policy === "allowlist" && m.detail.state["force-dns"])`)
	p.waitJS("what was wrong with an attribute", `of("error").some((m) => m.detail.message.startsWith("speed: "))`)
	p.eval(`send("hide")`)
	p.waitJS("it to be hidden and renamed", `of("hidden").some((m) => m.height === 0 && m.title === "Renamed")`)
}

func TestElementWithoutJavaScript(t *testing.T) {
	site := hosted(t, map[string]string{"host.html": `<!doctype html><link rel="icon" href="data:,"><script src="embed.js" defer></script>
<sixways-sim policy="allowlist">` + strings.ReplaceAll(fallback, "SITE", "./") + `</sixways-sim>`})
	p := blank(t, site+"host.html")
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.load(p.address)
	if href := p.get("link", "Six ways out").js("return this.href"); href != site+"#policy=allowlist" {
		t.Errorf("the link leads to %v", href)
	}
}
