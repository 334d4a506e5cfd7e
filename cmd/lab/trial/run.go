package trial

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways-lab/outer"
	"sixways-lab/space"
	"sixways-lab/world"
	"sixways/fixture"
	"sixways/policy"
)

// Result is what one setting of a build came to, attempt by attempt in the
// fixture's order.
type Result struct {
	Build    string
	Settings fixture.Settings
	Cells    []Cell
}

// Cell is one attempt.
type Cell struct {
	Destination string
	// Model is the engine's decision.
	Model policy.Verdict
	Ways  []Passage
}

// Passage is what came of one way of an attempt.
type Passage struct {
	Way  string
	Text string
	// Meant tells the way that the model speaks of.
	Meant   bool
	Verdict policy.Verdict
	// Detail is what its sender saw.
	Detail string
}

// ErrNeedsRoot refuses a build that tells users apart where there is only one:
// in an unprivileged user namespace it would run, and its results be bogus.
var ErrNeedsRoot = errors.New("this build polices code by its user ID and needs root; the others run without")

// Lab builds and tries. It is safe for concurrent use.
type Lab struct {
	identity *world.Identity
	// tried holds the passages of each system that has been tried.
	tried sync.Map
}

// New returns a lab with a certificate of its own.
func New() (*Lab, error) {
	identity, err := world.NewIdentity()
	return &Lab{identity: identity}, err
}

// Run builds one setting, has all ways tried and takes everything down again.
// Where a build with a mistake comes down to a system that has been tried
// already, since the mistake does not show in the setting, it is not tried
// again. The error is the lab's own: a build that did not come up, or a try
// that ended in silence and so proves nothing.
func (l *Lab) Run(b Build, s fixture.Settings) (Result, error) {
	key, err := b.system(s)
	if err != nil {
		return Result{}, b.errorf(s, err)
	}
	if passages, ok := l.tried.Load(key); ok && !b.Faithful {
		return b.result(s, passages.([]Passage)), nil
	}
	passages, err := l.try(b, s, attempt.Ways())
	if err != nil {
		return Result{}, err
	}
	l.tried.Store(key, passages)
	return b.result(s, passages), nil
}

// Carries reports whether a query on port 53 for a name below parent reaches
// the outside resolver, and its data with it.
func (l *Lab) Carries(b Build, s fixture.Settings, parent string) (bool, error) {
	passages, err := l.try(b, s, []attempt.Way{attempt.QueryBelow(parent)})
	if err != nil {
		return false, err
	}
	return passages[0].Verdict == policy.Allowed, nil
}

func (l *Lab) try(b Build, s fixture.Settings, ways []attempt.Way) ([]Passage, error) {
	if b.SharedNamespace && !outer.Privileged() {
		return nil, b.errorf(s, ErrNeedsRoot)
	}
	t, err := b.assemble(s, l.identity)
	if err != nil {
		return nil, b.errorf(s, err)
	}
	defer t.close()
	passages, err := t.try(ways, l.identity)
	if err != nil {
		return nil, b.errorf(s, err)
	}
	return passages, nil
}

// system writes all that tells what is built at a setting.
func (b Build) system(s fixture.Settings) (string, error) {
	text, err := json.Marshal(struct {
		Plan          gateway.Plan
		SidecarInside bool
	}{b.plan(s), b.sidecarInside(s)})
	return string(text), err
}

// sidecarInside tells whether the sidecar listens on the sandbox's loopback,
// else on the gateway's.
func (b Build) sidecarInside(s fixture.Settings) bool {
	return !b.SharedNamespace && (s.Loopback || b.SidecarInside)
}

func (b Build) errorf(s fixture.Settings, err error) error {
	return fmt.Errorf("build %s at %s: %w", b.Name, s, err)
}

func (b Build) result(s fixture.Settings, passages []Passage) Result {
	r := Result{Build: b.Name, Settings: s}
	for _, d := range fixture.Run(s).Decisions {
		cell := Cell{Destination: d.Attempt.Destination.String(), Model: d.Verdict}
		meant := b.meantWay(s, cell.Destination)
		for i, w := range attempt.Ways() {
			if w.Destination == cell.Destination {
				p := passages[i]
				p.Meant = w.ID == meant
				cell.Ways = append(cell.Ways, p)
			}
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// try makes all ways at once, so that the builds' time is that of the slowest.
func (t *topology) try(ways []attempt.Way, identity *world.Identity) ([]Passage, error) {
	order := attempt.Order{Space: t.attempts.ID(), Links: t.links, UID: t.uid, Root: identity.Root}
	for _, w := range ways {
		order.Tries = append(order.Tries, w.Try(strings.ToLower(rand.Text())))
	}
	outcomes, err := attempt.Run(t.attempts, order)
	if err != nil {
		return nil, err
	}
	var passages []Passage
	for i, w := range ways {
		p, err := t.judge(w, order.Tries[i].Nonce, outcomes[i])
		if err != nil {
			return nil, err
		}
		passages = append(passages, p)
	}
	return passages, nil
}

// judge lets a way through where the right server has seen its nonce. A
// connection must have brought the answer back as well; a query has carried
// its data once it arrives.
func (t *topology) judge(w attempt.Way, nonce string, o attempt.Outcome) (Passage, error) {
	p := Passage{Way: w.ID, Text: w.Text, Detail: o.Answer + o.Error}
	arrived := t.world.Log.Saw(w.Service, nonce)
	if arrived && (w.Service == world.DNS || o.Answer == world.Answer(w.Service, nonce)) {
		p.Verdict = policy.Allowed
	}
	if o.TimedOut && p.Verdict == policy.Blocked {
		return p, fmt.Errorf("%s %s: silence, which proves nothing: %s", w.Destination, w.Text, o.Error)
	}
	return p, nil
}

// topology is a build that stands.
type topology struct {
	spaces  []*space.Space
	world   *world.World
	gateway *gateway.Gateway

	// attempts is where the attempts are made, links what is there, and uid
	// who makes them; 0 where there is only one user.
	attempts *space.Space
	links    []string
	uid      int
}

func (b Build) assemble(s fixture.Settings, identity *world.Identity) (_ *topology, err error) {
	t := &topology{world: world.New()}
	if outer.Privileged() {
		t.uid = policedUID
	}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	inside, middle, outside, err := t.makeSpaces()
	if err != nil {
		return nil, err
	}
	if err := connectWorld(middle, outside); err != nil {
		return nil, err
	}
	if err := t.connectSandbox(b, inside, middle); err != nil {
		return nil, err
	}
	if err := t.world.Open(outside, identity); err != nil {
		return nil, err
	}
	sidecar := middle
	if b.sidecarInside(s) {
		sidecar = inside
	}
	if err := t.world.OpenSidecar(sidecar); err != nil {
		return nil, err
	}
	t.gateway, err = gateway.Start(middle, b.plan(s))
	return t, err
}

func (t *topology) makeSpaces() (inside, middle, outside *space.Space, err error) {
	for _, place := range []**space.Space{&inside, &middle, &outside} {
		if *place, err = space.New(); err != nil {
			return nil, nil, nil, err
		}
		t.spaces = append(t.spaces, *place)
	}
	return inside, middle, outside, nil
}

func connectWorld(middle, outside *space.Space) error {
	if err := space.Connect(
		space.End{Space: middle, Name: attempt.LinkOutside, Address: world.GatewayOutside + "/24"},
		space.End{Space: outside, Name: "lab-world", Address: world.Router + "/24"},
	); err != nil {
		return err
	}
	return middle.AddRoute("0.0.0.0/0", world.Router)
}

// connectSandbox lays the sandbox's cable, or makes the gateway itself the
// sandbox where a build shares the namespace.
func (t *topology) connectSandbox(b Build, inside, middle *space.Space) error {
	if b.SharedNamespace {
		t.attempts = middle
		t.links = []string{attempt.LinkLoopback, attempt.LinkOutside}
		return middle.AddAddress(attempt.LinkLoopback, world.GatewayAddress+"/32")
	}
	t.attempts = inside
	t.links = []string{attempt.LinkLoopback, attempt.LinkSandbox}
	if err := space.Connect(
		space.End{Space: inside, Name: attempt.LinkSandbox, Address: world.SandboxAddress + "/24"},
		space.End{Space: middle, Name: attempt.LinkInside, Address: world.GatewayAddress + "/24"},
	); err != nil {
		return err
	}
	return inside.AddRoute("0.0.0.0/0", world.GatewayAddress)
}

func (t *topology) close() {
	if t.gateway != nil {
		t.gateway.Stop()
	}
	t.world.Close()
	for _, s := range t.spaces {
		s.Close()
	}
}
