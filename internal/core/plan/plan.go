package plan

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// Plan is one version of the rules. Parse gives only valid ones.
type Plan struct {
	Version            string           `json:"version"`
	TZ                 string           `json:"tz"`
	GraceMinutes       int64            `json:"grace_minutes"`
	CoolingOffDays     int64            `json:"cooling_off_days"`
	RobotPackages      []Package        `json:"robot_packages"`
	BVPPM              int64            `json:"bv_ppm"`
	PoolsPPM           PoolRates        `json:"pools_ppm"`
	LevelPPM           []int64          `json:"level_ppm"`
	LevelOpen          []int64          `json:"level_open"`
	CustomersAsDirects bool             `json:"count_customers_as_directs"`
	Match              Match            `json:"match"`
	Ranks              []Rank           `json:"ranks"`
	Rewards            []Reward         `json:"rewards"`
	SalaryMaintenanceX int64            `json:"salary_maintenance_x"`
	RoyaltyWeights     map[string]int64 `json:"royalty_weights"`
	Lines              map[string]Line  `json:"lines"`
	ProfitSplitPPM     Split            `json:"profit_split_ppm"`
	ROILevelPPM        []int64          `json:"roi_level_ppm"`
	Withdraw           Withdraw         `json:"withdraw"`

	zone *time.Location
}

// Package is a Robot package. Cap bounds the matching income of a day.
type Package struct {
	ID     int64        `json:"id"`
	Name   string       `json:"planname"`
	Amount money.Amount `json:"amount"`
	Cap    money.Amount `json:"cap"`
}

// PoolRates are the shares of a final sale that fill the pools.
type PoolRates struct {
	Level   int64 `json:"LEVEL"`
	Match   int64 `json:"MATCH"`
	Lead    int64 `json:"LEAD"`
	Royalty int64 `json:"ROYALTY"`
}

// ByPool are the rates in the order of the pools.
func (r PoolRates) ByPool() [RESERVE]int64 {
	return [RESERVE]int64{r.Level, r.Match, r.Lead, r.Royalty}
}

// Match is the rule of matching.
type Match struct {
	RatePPM            int64  `json:"rate_ppm"`
	NeedDirectEachSide int64  `json:"need_direct_each_side"`
	CapExcess          string `json:"cap_excess"`
}

// Rank is reached by matched volume.
type Rank struct {
	Level  int64        `json:"lvl"`
	Name   string       `json:"rank"`
	Need   money.Amount `json:"reqmatch_bot"`
	Reward money.Amount `json:"reward"`
}

// Reward is reached by the volume of sponsor legs, and brings a salary.
type Reward struct {
	Level     int64        `json:"lvl"`
	NeedLeg1  money.Amount `json:"reqleg1"`
	NeedOther money.Amount `json:"reqotherleg"`
	Reward    money.Amount `json:"reward"`
	Salary    money.Amount `json:"salary"`
	Months    int64        `json:"months"`
}

// Line is a trading line.
type Line struct {
	Fund     string        `json:"fund"`
	Income   string        `json:"income"`
	Packages []LinePackage `json:"packages"`
}

// LinePackage is a range of amounts with a term in days.
type LinePackage struct {
	ID   int64        `json:"id"`
	Name string       `json:"planname"`
	From money.Amount `json:"fromamount"`
	To   money.Amount `json:"toamount"`
	Term int64        `json:"term"`
}

// Split is the division of booked profit. The rest of the levels' share goes to the
// line's reserve.
type Split struct {
	Member int64 `json:"member"`
	Level  int64 `json:"level"`
	Fee    int64 `json:"fee"`
}

// Withdraw is the minimum and the fee of a withdrawal.
type Withdraw struct {
	Min       money.Amount `json:"min"`
	ChargePPM int64        `json:"charge_ppm"`
}

// Levels is the number of sponsors above a sale that can earn from it.
const Levels = 20

// LineNames are the trading lines in the order in which a close books them.
var LineNames = [2]string{"FOREX", "CRYPTO"}

//go:embed default.json
var defaultPlan []byte

// DefaultBody is the default plan's file.
func DefaultBody() []byte { return bytes.Clone(defaultPlan) }

// Default is the initial plan of an installation.
func Default() *Plan {
	p, err := Parse(defaultPlan)
	if err != nil {
		panic(fmt.Sprintf("the default plan is wrong: %v", err))
	}
	return p
}

// Parse reads a plan. Invalid lists all mistakes: values of the wrong shape, then
// violated rules.
func Parse(raw []byte) (*Plan, error) {
	p := &Plan{}
	wrong, lost := shape.Read(whole, raw, p)
	if err := errs.Fields(append(wrong, judged(p.mistakes(), lost)...)); err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(p.TZ)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "plan.zone_unknown", "The plan's time zone is unknown")
	}
	p.zone = zone
	return p, nil
}

// Day is the local day of a moment.
func (p *Plan) Day(t time.Time) Day {
	y, m, d := t.In(p.zone).Date()
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// BookDay is the day that an event of at, recorded at rec, counts for.
func (p *Plan) BookDay(at, rec time.Time) Day {
	return max(p.Day(at), p.Day(rec.Add(-time.Duration(p.GraceMinutes)*time.Minute)))
}

// Zone is the time zone of the plan's days.
func (p *Plan) Zone() *time.Location { return p.zone }

// Day is a local day, counted from 1970-01-01.
type Day int64

const secondsOfDay = 24 * 60 * 60

// String is the day as 2006-01-02.
func (d Day) String() string { return d.Time().Format(time.DateOnly) }

// Time is the start of the day in UTC.
func (d Day) Time() time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

// LastOfMonth reports whether the next day is in another month.
func (d Day) LastOfMonth() bool { return time.Unix(int64(d+1)*secondsOfDay, 0).UTC().Day() == 1 }

// Month is the first day of the day's month.
func (d Day) Month() Day { return d + 1 - Day(time.Unix(int64(d)*secondsOfDay, 0).UTC().Day()) }

var dayForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// NoDay returns a message for text in the form of a day that does not exist, such as
// 2026-02-30; ok is false for anything else.
func NoDay(s string) (text errs.Text, ok bool) {
	if _, err := time.Parse(time.DateOnly, s); err == nil || !dayForm.MatchString(s) {
		return errs.Text{}, false
	}
	return errs.Say("request.no_such_day", "There is no day {day} in the calendar.", "day", s), true
}

// ParseDay reads 2006-01-02. Invalid otherwise.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err == nil {
		return Day(t.Unix() / secondsOfDay), nil
	}
	if text, ok := NoDay(s); ok {
		return 0, &errs.Error{Kind: errs.Invalid, Text: text}
	}
	return 0, errs.New(errs.Invalid, "request.not_a_day_value", "A day is written as 2026-01-31, not {value}.", "value", strconv.Quote(s))
}

// weights returns the royalty weights by rank; 0 for a rank that the plan omits.
func (p *Plan) weights() (by [256]int64) {
	for rank := range by {
		by[rank] = p.RoyaltyWeights[strconv.Itoa(rank)]
	}
	return by
}

// cap returns the maximum matching income of a day for a member with final purchases.
func (p *Plan) cap(final int64) (best int64) {
	for _, k := range p.RobotPackages {
		if k.Amount.Micros() <= final {
			best = max(best, k.Cap.Micros())
		}
	}
	return best
}
