package bench

import (
	"slices"
	"time"
)

// A shared machine is twice as fast in one minute as in the next. What is to be
// compared therefore takes turns of a second each, and of the turns the median
// counts: what hits one turn then moves no ratio.

const turn = time.Second

// sample is what one turn gave: how many a second, and how long each took where
// that is known.
type sample struct {
	perSecond float64
	took      []time.Duration
}

func newSample(took []time.Duration, elapsed time.Duration) sample {
	return sample{float64(len(took)) / elapsed.Seconds(), took}
}

// inTurns runs every arm as many times, each time another one first.
func inTurns(rounds int, arms []func() (sample, error)) ([]figures, error) {
	all := make([][]sample, len(arms))
	for r := range rounds {
		for k := range arms {
			i := (k + r) % len(arms)
			s, err := arms[i]()
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], s)
		}
	}
	out := make([]figures, len(arms))
	for i, samples := range all {
		out[i] = median(samples)
	}
	return out, nil
}

// median: the rate of the median turn, and percentiles of everything.
func median(samples []sample) figures {
	var rates []float64
	var took []time.Duration
	for _, s := range samples {
		rates, took = append(rates, s.perSecond), append(took, s.took...)
	}
	slices.Sort(rates)
	f := summarise(took, time.Second)
	n := len(rates)
	f.PerSecond = (rates[(n-1)/2] + rates[n/2]) / 2
	return f
}
