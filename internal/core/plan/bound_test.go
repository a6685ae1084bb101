package plan

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// wildPlan is the worked example's plan with rates drawn at random, right or
// wrong, as its file would have them.
func wildPlan(t *testing.T, rng *rand.Rand) []byte {
	t.Helper()
	p := examplePlan(t)
	k := &p.PoolsPPM
	k.Level, k.Match, k.Lead, k.Royalty = rng.Int64N(300_000), rng.Int64N(200_000), rng.Int64N(100_000), rng.Int64N(100_000)
	for i := range Levels {
		p.LevelPPM[i], p.ROILevelPPM[i] = rng.Int64N(20_000), rng.Int64N(20_000)
		p.LevelOpen[i] = int64(i) / (2 + rng.Int64N(9))
	}
	slices.Sort(p.LevelOpen)
	p.Match.RatePPM, p.Match.NeedDirectEachSide = rng.Int64N(ppm+1), rng.Int64N(2)
	p.ProfitSplitPPM = Split{rng.Int64N(900_000), rng.Int64N(300_000), rng.Int64N(300_000)}
	p.BVPPM, p.CoolingOffDays, p.SalaryMaintenanceX = rng.Int64N(ppm+1), rng.Int64N(3), rng.Int64N(4)
	for _, name := range LineNames {
		for i := range p.Lines[name].Packages {
			p.Lines[name].Packages[i].Term = 1 + rng.Int64N(9)
		}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Whatever the rates: a plan that the validator lets through never pays more of
// final sales than it proved, and no close of it breaks an invariant.
func TestAnyPlanThatIsValidKeepsItsBoundInAnyLife(t *testing.T) {
	t.Parallel()
	valid, wrong := 0, 0
	for seed := uint64(0); valid < 12; seed++ {
		rng := rand.New(rand.NewPCG(seed, 11))
		p, err := Parse(wildPlan(t, rng))
		if err != nil {
			wrong++
			continue
		}
		valid++
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			start, _ := ParseDay("2026-03-20")
			s := &scenario{rng: rng, w: newWorld(t, p), day: start}
			s.add(event{Kind: "register", UID: s.newUID()})
			s.plain = slices.Clone(s.uids)
			paid := int64(0)
			for range 25 {
				day := s.day
				r, _ := s.w.liveDay(day, s.next())
				s.w.check()
				for _, x := range r.Pays {
					paid += x.Amount
				}
				if most := muldiv(s.w.gross, p.Bound().NetworkPPM, ppm); paid > most {
					t.Fatalf("%s: paid %s of at most %s", day, text(paid), text(most))
				}
			}
		})
	}
	if wrong == 0 {
		t.Error("every plan was valid: the validator was not asked")
	}
	t.Logf("%d plans were valid, %d were not", valid, wrong)
}
