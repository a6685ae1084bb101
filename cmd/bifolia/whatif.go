package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/bifolia/bifolia/internal/tools/simulate"
)

// whatIf replays the history of a database under another plan, on a temporary database,
// and prints both outcomes side by side.
func whatIf(ctx context.Context, e env, dsn, file string, asJSON bool) int {
	body, err := readInput(e, "plan", file)
	if err != nil {
		return e.fail(err)
	}
	var c simulate.Comparison
	if err := onDatabase(ctx, "", func(temporary string) (err error) {
		c, err = simulate.WhatIf(ctx, dsn, temporary, body)
		return err
	}); err != nil {
		return e.mistakes(err)
	}
	if asJSON {
		return e.print(c)
	}
	_, _ = fmt.Fprintf(e.stdout, "%s to %s, closed by plan %s, and under plan %s: %d events, %d of them known only by their effects.\n\n",
		c.First, c.Last, strings.Join(c.Plans, ", "), c.WhatIf, c.Events, c.Derived)
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(b simulate.Beside) {
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t\n", b.Name, b.Actual, b.WhatIf, b.Difference)
	}
	_, _ = fmt.Fprintf(t, "\tactual\twhat if\tdifference\t\n")
	for _, k := range c.Kinds {
		line(k)
	}
	line(c.Paid)
	line(c.Network)
	line(c.Revenue)
	_, _ = fmt.Fprintf(t, "payout to revenue, ppm\t%d\t%d\t%d\t\n", c.Payout.Actual, c.Payout.WhatIf, c.Payout.WhatIf-c.Payout.Actual)
	for i, m := range c.Members {
		if i == 0 {
			_, _ = fmt.Fprintf(t, "\nmember\tactual\twhat if\tdifference\t\n")
		}
		line(m)
	}
	_ = t.Flush()
	for i, r := range c.Refusals {
		if i == 0 {
			_, _ = fmt.Fprintf(e.stdout, "\nRejections that differ:\n")
		}
		said := "would be done; it was refused: " + r.Actual
		if r.Actual == "" {
			said = "would be refused: " + r.WhatIf
		}
		_, _ = fmt.Fprintf(e.stdout, "%s %s\n", r.ID, said)
	}
	return exitOK
}
