package trial

import (
	"crypto/rand"
	"fmt"
	"strings"

	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways-lab/outer"
	"sixways-lab/space"
	"sixways-lab/world"
	"sixways/fixture"
	"sixways/policy"
)

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
