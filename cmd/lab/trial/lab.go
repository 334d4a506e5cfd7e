package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways-lab/outer"
	"sixways-lab/world"
	"sixways/fixture"
	"sixways/policy"
)

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
