package trial

import (
	"errors"
	"runtime"
	"sync"

	"sixways-lab/world"
	"sixways/fixture"
)

// ErrNeedsRoot refuses a build that tells users apart where there is only one:
// in an unprivileged user namespace it would run, and its results be bogus.
var ErrNeedsRoot = errors.New("this build polices code by its user ID and needs root; the others run without")

// Survey runs all settings of the builds and returns the results in order.
func Survey(builds []Build, identity *world.Identity) ([]Result, error) {
	var (
		settings = fixture.All()
		results  = make([]Result, len(builds)*len(settings))
		errs     = make([]error, len(results))
		all      sync.WaitGroup
		places   = make(chan struct{}, 2*runtime.NumCPU()) // they wait more than they work
	)
	for i, b := range builds {
		for j, s := range settings {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				k := i*len(settings) + j
				results[k], errs[k] = b.Run(s, identity)
			})
		}
	}
	all.Wait()
	return results, errors.Join(errs...)
}
