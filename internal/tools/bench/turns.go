package bench

import (
	"slices"
	"time"
)

// The speed of a shared machine changes by a factor of two within minutes. So the compared
// cases take turns of a second each, and the median turn counts: a disturbance of one turn
// does not change the ratio.

const turn = time.Second

// sample is the result of a turn: the rate, and the time of each call if known.
type sample struct {
	perSecond float64
	took      []time.Duration
}

func newSample(took []time.Duration, elapsed time.Duration) sample {
	return sample{float64(len(took)) / elapsed.Seconds(), took}
}

// inTurns runs every arm in each round, each time starting with another one.
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

// median returns the rate of the median turn, and percentiles of all calls.
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
