package plan

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// The validator proves two bounds for any tree and any sales. Network incomes never
// exceed the pools' share of final sales, because each income is paid from its pool,
// scaled down if the pool is short, and the level rates together fit their pool. The
// parts of a booked profit never exceed it, because member, fee and levels together are
// at most the whole.

const ppm = 1_000_000

// maxPayoutPPM is the maximum share of a sale that may go into pools.
const maxPayoutPPM = 400_000

type mistakes []errs.Field

func (m *mistakes) add(field, code, text string, params ...any) {
	*m = append(*m, errs.NewField(field, code, text, params...))
}

func (p *Plan) mistakes() []errs.Field {
	var m mistakes
	if p.Version == "" || len(p.Version) > 40 {
		m.add("version", "plan.version_length", "needs 1 to 40 characters")
	}
	if strings.ContainsFunc(p.Version, unicode.IsControl) {
		m.add("version", "field.control_characters", "must not have control characters")
	}
	if _, err := time.LoadLocation(p.TZ); p.TZ == "" || p.TZ == "Local" || err != nil {
		m.add("tz", "plan.not_a_zone", "{value} is not a time zone such as Asia/Kolkata", "value", strconv.Quote(p.TZ))
	}
	if p.GraceMinutes < 0 || p.GraceMinutes > 24*60 {
		m.add("grace_minutes", "plan.grace_minutes", "is 0 to 1440")
	}
	if p.CoolingOffDays < 0 || p.CoolingOffDays > 365 {
		m.add("cooling_off_days", "plan.cooling_off_days", "is 0 to 365")
	}
	p.checkPackages(&m)
	p.checkBudget(&m)
	p.checkSteps(&m)
	p.checkLines(&m)
	if p.Withdraw.Min.Micros() < 0 {
		m.add("withdraw.min", "field.below_zero", "is below zero")
	}
	if rate(&m, "withdraw.charge_ppm", p.Withdraw.ChargePPM); p.Withdraw.ChargePPM == ppm {
		m.add("withdraw.charge_ppm", "plan.charge_all", "must be below 1000000 ppm, or no withdrawal could be paid")
	}
	return m
}

// rate checks a share and returns it limited to its bounds, so that sums of wrong ones
// do not overflow.
func rate(m *mistakes, field string, v int64) int64 {
	if v != clamp(v) {
		m.add(field, "plan.rate", "is 0 to 1000000 ppm, not {value}", "value", v)
	}
	return clamp(v)
}

func clamp(v int64) int64 { return min(max(v, 0), ppm) }

func rates(m *mistakes, field string, list []int64) (sum int64) {
	if len(list) != Levels {
		m.add(field, "plan.levels", "has {levels} levels, not {wanted}", "levels", len(list), "wanted", Levels)
	}
	for i, v := range list {
		sum += rate(m, field+"["+strconv.Itoa(i)+"]", v)
	}
	return sum
}

func (p *Plan) checkPackages(m *mistakes) {
	if len(p.RobotPackages) == 0 {
		m.add("robot_packages", "field.missing_several", "are missing")
	}
	seen := map[int64]bool{}
	for i, k := range p.RobotPackages {
		at := "robot_packages[" + strconv.Itoa(i) + "]"
		if seen[k.ID] || k.ID <= 0 {
			m.add(at+".id", "field.taken_or_not_positive", "{value} is taken or not positive", "value", k.ID)
		}
		seen[k.ID] = true
		if k.Name == "" {
			m.add(at+".planname", "field.missing", "is missing")
		}
		if k.Amount.Micros() <= 0 {
			m.add(at+".amount", "field.above_zero", "must be above zero")
		}
		if k.Cap.Micros() < 0 {
			m.add(at+".cap", "field.below_zero", "is below zero")
		}
		if i > 0 && !p.RobotPackages[i-1].Amount.Less(k.Amount) {
			m.add(at+".amount", "plan.package_not_more", "must be more than the package before it")
		}
	}
	rate(m, "bv_ppm", p.BVPPM)
}

// checkBudget is the proof of the bounds.
func (p *Plan) checkBudget(m *mistakes) {
	pools := []struct {
		name string
		v    int64
	}{{"LEVEL", p.PoolsPPM.Level}, {"MATCH", p.PoolsPPM.Match}, {"LEAD", p.PoolsPPM.Lead}, {"ROYALTY", p.PoolsPPM.Royalty}}
	sum := int64(0)
	for _, k := range pools {
		sum += rate(m, "pools_ppm."+k.name, k.v)
	}
	if sum > maxPayoutPPM {
		m.add("pools_ppm", "plan.pools_too_large", "the pools take {ppm} ppm of a sale, more than {most}", "ppm", sum, "most", maxPayoutPPM)
	}
	if levels := rates(m, "level_ppm", p.LevelPPM); levels > p.PoolsPPM.Level {
		m.add("level_ppm", "plan.levels_above_pool", "the levels pay up to {ppm} ppm of a sale and their pool gets {pool}", "ppm", levels, "pool", p.PoolsPPM.Level)
	}
	if len(p.LevelOpen) != Levels {
		m.add("level_open", "plan.levels", "has {levels} levels, not {wanted}", "levels", len(p.LevelOpen), "wanted", Levels)
	}
	for i, v := range p.LevelOpen {
		if v < 0 || (i > 0 && v < p.LevelOpen[i-1]) {
			m.add("level_open["+strconv.Itoa(i)+"]", "plan.level_not_less", "must not be below zero or the level before it")
		}
	}
	rate(m, "match.rate_ppm", p.Match.RatePPM)
	if p.Match.NeedDirectEachSide < 0 || p.Match.NeedDirectEachSide > 1000 {
		m.add("match.need_direct_each_side", "plan.to_1000", "is 0 to 1000")
	}
	if p.Match.CapExcess != "flush" {
		m.add("match.cap_excess", "plan.not_flush", "must be \"flush\", not {value}", "value", strconv.Quote(p.Match.CapExcess))
	}
	p.checkSplit(m)
}

// checkSplit is the proof for a booked profit.
func (p *Plan) checkSplit(m *mistakes) {
	s := p.ProfitSplitPPM
	sum := rate(m, "profit_split_ppm.member", s.Member) + rate(m, "profit_split_ppm.level", s.Level) + rate(m, "profit_split_ppm.fee", s.Fee)
	if sum > ppm {
		m.add("profit_split_ppm", "plan.profit_above_all", "member, level and fee take {ppm} ppm of a profit, more than all of it", "ppm", sum)
	}
	if levels := rates(m, "roi_level_ppm", p.ROILevelPPM); clamp(s.Member)*levels > clamp(s.Level)*ppm {
		m.add("roi_level_ppm", "plan.roi_levels_above_share", "the levels pay up to {ppm} ppm of a member's ROI, which is more than their {share} ppm of the profit", "ppm", levels, "share", s.Level)
	}
}

type amountAt struct {
	field string
	a     money.Amount
}

// step checks the rules common to ranks and rewards.
func step(m *mistakes, at string, i int, level int64, amounts ...amountAt) {
	if level != int64(i+1) {
		m.add(at+".lvl", "plan.level_counts", "must be {wanted}, not {level}: levels count up from 1", "wanted", i+1, "level", level)
	}
	for _, x := range amounts {
		if x.a.Micros() < 0 {
			m.add(at+"."+x.field, "field.below_zero", "is below zero")
		}
	}
}

func (p *Plan) checkSteps(m *mistakes) {
	for i, r := range p.Ranks {
		at := "ranks[" + strconv.Itoa(i) + "]"
		step(m, at, i, r.Level, amountAt{"reward", r.Reward})
		if r.Name == "" {
			m.add(at+".rank", "field.missing", "is missing")
		}
		if r.Need.Micros() <= 0 {
			m.add(at+".reqmatch_bot", "field.above_zero", "must be above zero")
		}
		if i > 0 && !p.Ranks[i-1].Need.Less(r.Need) {
			m.add(at+".reqmatch_bot", "plan.rank_not_more", "must be more than the rank before it")
		}
	}
	for i, r := range p.Rewards {
		at := "rewards[" + strconv.Itoa(i) + "]"
		step(m, at, i, r.Level, amountAt{"reqleg1", r.NeedLeg1}, amountAt{"reqotherleg", r.NeedOther}, amountAt{"reward", r.Reward}, amountAt{"salary", r.Salary})
		if r.Months < 0 || r.Months > 255 {
			m.add(at+".months", "plan.to_255", "is 0 to 255")
		}
		if r.Salary.Micros() > math.MaxInt64/max(1, clamp(p.SalaryMaintenanceX)) {
			m.add(at+".salary", "plan.amount_too_large", "times salary_maintenance_x is more than money can be")
		}
		if i > 0 && r.NeedLeg1.Less(p.Rewards[i-1].NeedLeg1) {
			m.add(at+".reqleg1", "plan.reward_not_less", "must not be less than that of the reward before it")
		}
		if i > 0 && r.NeedOther.Less(p.Rewards[i-1].NeedOther) {
			m.add(at+".reqotherleg", "plan.reward_not_less", "must not be less than that of the reward before it")
		}
	}
	if len(p.Ranks) > 255 || len(p.Rewards) > 255 {
		m.add("ranks", "plan.too_many_ranks", "there are at most 255 ranks and rewards")
	}
	if p.SalaryMaintenanceX < 0 || p.SalaryMaintenanceX > ppm {
		m.add("salary_maintenance_x", "plan.to_1000000", "is 0 to 1000000")
	}
	for _, rank := range slices.Sorted(maps.Keys(p.RoyaltyWeights)) {
		n, err := strconv.Atoi(rank)
		if w := p.RoyaltyWeights[rank]; err != nil || strconv.Itoa(n) != rank || n < 1 || n > len(p.Ranks) || w < 0 || w > ppm {
			m.add("royalty_weights."+rank, "plan.rank_weight", "needs a rank of this plan and a weight of 0 to 1000000")
		}
	}
}

// checkLines checks that ranges follow each other without a gap, in whole dollars.
func (p *Plan) checkLines(m *mistakes) {
	for _, name := range slices.Sorted(maps.Keys(p.Lines)) {
		if name != LineNames[0] && name != LineNames[1] {
			m.add("lines."+name, "plan.line_unknown", "there is no such line")
		}
	}
	want := map[string][2]string{"FOREX": {"FOREXFUNDS", "ForexIncome"}, "CRYPTO": {"CRYPTOFUNDS", "CryptoIncome"}}
	seen := map[int64]bool{}
	for _, name := range LineNames {
		l, ok := p.Lines[name]
		at := "lines." + name
		if !ok { // it has no packages, but positions of it may still be open
			m.add(at, "field.missing", "is missing")
			continue
		}
		if l.Fund != want[name][0] || l.Income != want[name][1] {
			m.add(at, "plan.fund_and_income", "needs the fund {fund} and the income {income}", "fund", want[name][0], "income", want[name][1])
		}
		for i, k := range l.Packages {
			at := at + ".packages[" + strconv.Itoa(i) + "]"
			if seen[k.ID] || k.ID <= 0 {
				m.add(at+".id", "field.taken_or_not_positive", "{value} is taken or not positive", "value", k.ID)
			}
			seen[k.ID] = true
			k.check(m, at)
			if i > 0 && k.From.Micros()-ppm != l.Packages[i-1].To.Micros() {
				m.add(at+".fromamount", "plan.package_gap", "must be one dollar more than the package before it ends")
			}
		}
	}
}

// check checks a package by itself.
func (k LinePackage) check(m *mistakes, at string) {
	if k.Name == "" {
		m.add(at+".planname", "field.missing", "is missing")
	}
	if k.From.Micros() <= 0 {
		m.add(at+".fromamount", "field.above_zero", "must be above zero")
	}
	if k.To.Less(k.From) {
		m.add(at+".toamount", "plan.to_less_than_from", "is less than fromamount")
	}
	if k.From.Micros()%ppm != 0 {
		m.add(at+".fromamount", "plan.whole_dollars", "must be whole dollars")
	}
	if k.To.Micros()%ppm != 0 {
		m.add(at+".toamount", "plan.whole_dollars", "must be whole dollars")
	}
	if k.Term <= 0 || k.Term > 3650 {
		m.add(at+".term", "plan.days_1_3650", "is 1 to 3650 days")
	}
}
