package core

import (
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// The kinds of incomes in SQL, as the plan's table has them: numbers, and sets to
// be written after the column.
var (
	LevelKind    = strconv.Itoa(int(plan.KindLevel))
	RoiKind      = strconv.Itoa(int(plan.KindROI))
	RoiLevelKind = strconv.Itoa(int(plan.KindROILevel))

	NetworkKinds = kindsWhere(func(k plan.KindInfo) bool { return !k.Trading })
	TradingKinds = kindsWhere(func(k plan.KindInfo) bool { return k.Trading })
	singleKinds  = kindsWhere(func(k plan.KindInfo) bool { return !k.Summed })

	WalletOf = kindCase(func(k plan.KindInfo) string { return k.Wallet })
	PoolOf   = kindCase(func(k plan.KindInfo) string { return "P:" + k.Pool.Name() })
)

func kindsWhere(wanted func(plan.KindInfo) bool) string {
	var all []string
	for k := range plan.Kind(plan.Kinds) {
		if wanted(k.Info()) {
			all = append(all, strconv.Itoa(int(k)))
		}
	}
	return "IN (" + strings.Join(all, ", ") + ")"
}

// kindCase gives a text for each kind of the network's incomes in column i.kind.
func kindCase(text func(plan.KindInfo) string) string {
	var b strings.Builder
	b.WriteString("CASE i.kind")
	for k := range plan.Kind(plan.Kinds) {
		if !k.Trading() {
			b.WriteString(" WHEN " + strconv.Itoa(int(k)) + " THEN '" + text(k.Info()) + "'")
		}
	}
	return b.String() + " END"
}

// summedIncomes has a row of kind and line for each income of which a close adds
// up the rows.
var summedIncomes = func() string {
	var all []string
	for _, x := range plan.Incomes() {
		if x.Kind.Info().Summed {
			all = append(all, "SELECT "+strconv.Itoa(int(x.Kind))+" AS kind, '"+x.Line+"' AS line")
		}
	}
	return strings.Join(all, " UNION ALL ")
}()
