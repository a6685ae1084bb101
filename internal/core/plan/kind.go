package plan

import "strings"

// Kind of an income row. Its number is stored: a new kind gets the next one.
type Kind uint8

// The kinds, in the order in which a close makes them.
const (
	KindLevel Kind = iota
	KindMatching
	KindRank
	KindReward
	KindSalary
	KindRoyalty
	KindROI
	KindROILevel
)

// KindInfo contains the properties of a kind that are not rules of the plan: its names,
// the wallet it is paid into and the pool that pays it. A trading kind has a separate
// wallet, report and figures for each line, which Income names.
type KindInfo struct {
	Name    string // in the API and in the report of a close
	Column  string // in the figures
	Title   string // of that column; for a trading kind the line precedes it
	Word    string // in the export of a member's own data
	Public  string // in the transparency report
	Report  string // the type of its report, followed by the line of a trading kind; "" if it has none
	Wallet  string // of a network kind
	Pool    Pool   // of a network kind
	Trading bool   // paid per line, from booked profit
	Summed  bool   // an earner may have thousands of rows a day: a close stores their sum
}

var kinds = [...]KindInfo{
	KindLevel:    {Name: "Level", Column: "level", Title: "Level income", Word: "level", Public: "LevelIncome", Report: "LevelIncome", Wallet: "LevelIncome", Pool: LEVEL, Summed: true},
	KindMatching: {Name: "Matching", Column: "matching", Title: "Matching income", Word: "matching", Public: "binaryIncome", Report: "binaryIncome", Wallet: "binaryIncome", Pool: MATCH},
	KindRank:     {Name: "Rank", Column: "rank", Title: "Rank", Word: "rank", Public: "rank", Wallet: "salaryrankreward", Pool: LEAD},
	KindReward:   {Name: "Reward", Column: "reward", Title: "Reward", Word: "reward", Public: "reward", Wallet: "salaryrankreward", Pool: LEAD},
	KindSalary:   {Name: "Salary", Column: "salary", Title: "Salary", Word: "salary", Public: "salary", Report: "salaryincome", Wallet: "salaryrankreward", Pool: LEAD},
	KindRoyalty:  {Name: "Royalty", Column: "royalty", Title: "Royalty", Word: "royalty", Public: "royalty_income", Report: "royalty_income", Wallet: "royalty_income", Pool: ROYALTY},
	KindROI:      {Name: "Roi", Column: "roi", Title: "ROI", Word: "ROI", Public: "ROI", Report: "RoiIncome", Trading: true},
	KindROILevel: {Name: "RoiLevel", Column: "roi_level", Title: "ROI level", Word: "ROI level", Public: "ROI level", Report: "RoiToLevelIncome", Trading: true, Summed: true},
}

// Kinds is the number of kinds.
const Kinds = len(kinds)

// Info returns the properties of a kind; empty for an unknown number.
func (k Kind) Info() KindInfo {
	if int(k) >= Kinds {
		return KindInfo{}
	}
	return kinds[k]
}

// Name is the kind's name in the API and in the report of a close.
func (k Kind) Name() string { return k.Info().Name }

// Trading reports whether a kind is paid from a line's booked profit. Every other kind
// is a network income, paid by a pool.
func (k Kind) Trading() bool { return k.Info().Trading }

// Income is a kind and, for trading, its line; LineNames has the lines.
type Income struct {
	Kind Kind
	Line string
}

// Incomes are all incomes in the order of the kinds and lines.
func Incomes() (all []Income) {
	for k := range Kind(Kinds) {
		if !k.Trading() {
			all = append(all, Income{k, ""})
			continue
		}
		for _, line := range LineNames {
			all = append(all, Income{k, line})
		}
	}
	return all
}

// lineTitle is a line as a word; "" for none.
func lineTitle(line string) string {
	switch line {
	case LineNames[0]:
		return "Forex"
	case LineNames[1]:
		return "Crypto"
	}
	return ""
}

// Name is the income's name in the API.
func (x Income) Name() string { return x.Kind.Name() + lineTitle(x.Line) }

// Column is the income's name in the figures.
func (x Income) Column() string {
	if x.Line == "" {
		return x.Kind.Info().Column
	}
	return x.Kind.Info().Column + "_" + strings.ToLower(x.Line)
}

// Title is the heading of that column.
func (x Income) Title() string {
	return strings.TrimSpace(lineTitle(x.Line) + " " + x.Kind.Info().Title)
}

// Source is the pool that pays the income, or the line whose profit pays it.
func (x Income) Source() string {
	if x.Line != "" {
		return x.Line
	}
	return x.Kind.Info().Pool.Name()
}

// PaidFrom is Source in words.
func (x Income) PaidFrom() string {
	if x.Line != "" {
		return "Booked profit " + x.Line
	}
	return "Pool " + x.Source()
}

// Report is the type of the income's report; "" if it has none.
func (x Income) Report() string { return x.Kind.Info().Report + lineTitle(x.Line) }

// Wallet is the wallet that the income is paid into.
func (x Income) Wallet() string {
	if x.Line != "" {
		return lineTitle(x.Line) + "Income"
	}
	return x.Kind.Info().Wallet
}
