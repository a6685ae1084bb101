package audit

import (
	"bytes"
	"context"
	"fmt"
)

// asked collects the commands that the transfers of a batch name.
type asked struct {
	last  commandID // of the transfer before
	first map[commandID]span
	order []commandID
}

type (
	commandID struct{ actor, key string }
	span      struct{ first, last int64 }
)

func newAsked() *asked { return &asked{first: map[commandID]span{}} }

// add notes the next transfer. A command's transfers follow one another.
func (a *asked) add(t *Transfer) error {
	id := commandID{t.Actor, t.Key}
	if t.Key == "" {
		a.last = commandID{}
		return nil
	}
	run, seen := a.first[id]
	switch {
	case !seen:
		run.first = t.Seq
		a.order = append(a.order, id)
	case id != a.last:
		return wrong("transfer", transferRow(t.Seq), "command_key is stored as %q, but that command of actor %q ended with transfer %d", t.Key, t.Actor, run.last)
	}
	run.last = t.Seq
	a.first[id], a.last = run, id
	return nil
}

// remembered checks the batch's commands, and that they and its transfers refer to each
// other.
func (c *checker) remembered(ctx context.Context, b *Batch, runs *asked, leaves *tree) error {
	rows, err := c.feed.commandsOf(ctx, b.No)
	if err != nil {
		return err
	}
	if err := numbered(b, rows, runs); err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		leaf := c.canon.command(row)
		if !bytes.Equal(leaf[:], row.Leaf) {
			return wrong("command", commandRow(row), "leaf is stored as %s, but its fields hash to %x", hexOf(row.Leaf), leaf)
		}
		if err := runs.answer(b, row); err != nil {
			return err
		}
		leaves.add(leaf)
	}
	for _, id := range runs.order {
		if run, open := runs.first[id]; open {
			return wrong("transfer", transferRow(run.first), "command_key is stored as %q, but batch %d remembers no such command of actor %q", id.key, b.No, id.actor)
		}
	}
	c.commands += int64(len(rows))
	return nil
}

// numbered checks that the commands of a batch count from 1 to its number of commands.
func numbered(b *Batch, rows []Command, runs *asked) error {
	seen := make(map[int64]bool, len(rows))
	for i := range rows {
		n := rows[i].N
		if n < 1 || n > b.Commands || seen[n] {
			return wrong("command", commandRow(&rows[i]), "n is stored as %d, but batch %d has %d commands, each once", n, b.No, b.Commands)
		}
		seen[n] = true
	}
	if int64(len(rows)) == b.Commands {
		return nil
	}
	missing := int64(1)
	for seen[missing] {
		missing++
	}
	row := fmt.Sprintf("command %d of batch %d", missing, b.No)
	for i := range rows {
		delete(runs.first, commandID{rows[i].Actor, rows[i].Key})
	}
	for _, id := range runs.order { // the transfers may still name it
		if run, open := runs.first[id]; open {
			row += fmt.Sprintf(" (actor %q, key %q, transfers %d to %d)", id.actor, id.key, run.first, run.last)
			break
		}
	}
	return wrong("command", row, "it is missing; the batch has %d commands", b.Commands)
}

// answer checks that a command's first_seq … last_seq are the transfers that name it.
func (a *asked) answer(b *Batch, c *Command) error {
	id, row := commandID{c.Actor, c.Key}, commandRow(c)
	run, posted := a.first[id]
	switch {
	case c.Key == "":
		return wrong("command", row, "a command without a key is not remembered")
	case c.Recorded > b.Recorded:
		return wrong("command", row, "recorded_at is stored as %s, but its batch was recorded at %s", at(c.Recorded), at(b.Recorded))
	case !posted && c.Last == c.First-1:
		return nil
	case !posted:
		return wrong("command", row, "first_seq and last_seq are stored as %d and %d, but no transfer of its batch names it", c.First, c.Last)
	case c.First != run.first || c.Last != run.last:
		return wrong("command", row, "first_seq and last_seq are stored as %d and %d, but transfers %d to %d name it", c.First, c.Last, run.first, run.last)
	}
	delete(a.first, id)
	return nil
}
