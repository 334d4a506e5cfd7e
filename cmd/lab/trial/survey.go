package trial

import (
	"errors"
	"runtime"
	"sync"

	"sixways/fixture"
)

// Parallel is how many settings to build at a time: more than there are
// processors, for they wait more than they work.
func Parallel() int { return 4 * runtime.NumCPU() }

// Survey runs all settings of the builds and returns the results in order.
func (l *Lab) Survey(builds []Build) ([]Result, error) {
	var (
		settings = fixture.All()
		results  = make([]Result, len(builds)*len(settings))
		errs     = make([]error, len(results))
		all      sync.WaitGroup
		places   = make(chan struct{}, Parallel())
	)
	for i, b := range builds {
		for j, s := range settings {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				k := i*len(settings) + j
				results[k], errs[k] = l.Run(b, s)
			})
		}
		all.Wait() // so that the next build need not try the same again
	}
	return results, errors.Join(errs...)
}
