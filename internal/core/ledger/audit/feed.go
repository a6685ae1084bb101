package audit

import "context"

// The sizes of pages. Pages bound memory; they are larger only if a single batch or
// transfer is.
const (
	batchPage    = 1000
	transferPage = 2000
	entryPage    = 20_000
	commandPage  = 1000
)

// feed yields rows in ledger order and reads ahead by pages.
type feed struct {
	r      Reader
	last   int64 // batches after this one are not read
	onPage func(ctx context.Context, from, to int64) error

	batches []Batch

	transfers []Transfer
	readTo    int64 // seq up to which transfers were read

	entries   []Entry
	entriesTo int64 // seq up to which entries were read

	commands   []Command
	commandsTo int64 // batch up to which commands were read
}

// batch returns batch no or, if it is missing, the next one; nil if there is none.
func (f *feed) batch(ctx context.Context, no int64) (*Batch, error) {
	if len(f.batches) > 0 {
		f.batches = f.batches[1:]
	}
	if len(f.batches) == 0 {
		limit := min(f.last-no, batchPage-1) + 1
		page, err := f.r.Batches(ctx, no, int(limit))
		if err != nil {
			return nil, err
		}
		f.batches = page
	}
	if len(f.batches) == 0 {
		return nil, nil
	}
	return &f.batches[0], nil
}

// transfer returns transfer seq and its entries; nil if it is missing. It must be called
// in order.
func (f *feed) transfer(ctx context.Context, seq int64) (*Transfer, []Entry, error) {
	if seq > f.readTo {
		// A Follower does not need transfers beyond the current batches.
		end := max(seq, min(seq+transferPage-1, f.batches[len(f.batches)-1].Last))
		page, err := f.r.Transfers(ctx, seq, end)
		if err != nil {
			return nil, nil, err
		}
		f.transfers, f.readTo = page, end
	}
	if len(f.transfers) == 0 || f.transfers[0].Seq != seq {
		return nil, nil, nil
	}
	if seq > f.entriesTo {
		if err := f.readEntries(ctx, seq); err != nil {
			return nil, nil, err
		}
	}
	t := &f.transfers[0]
	f.transfers = f.transfers[1:]
	n := 0
	for n < len(f.entries) && f.entries[n].Seq == seq {
		n++
	}
	entries := f.entries[:n:n]
	f.entries = f.entries[n:]
	return t, entries, nil
}

// readEntries reads one page of entries of the current transfers.
func (f *feed) readEntries(ctx context.Context, seq int64) error {
	end, legs := seq, int64(0)
	for i := range f.transfers {
		legs += max(f.transfers[i].Legs, 1)
		if legs > entryPage || legs < 0 {
			break
		}
		end = f.transfers[i].Seq
	}
	end = max(end, seq)
	page, err := f.r.Entries(ctx, seq, end)
	if err != nil {
		return err
	}
	f.entries, f.entriesTo = page, end
	return f.onPage(ctx, seq, end)
}

// commandsOf lists the commands of the current batch.
func (f *feed) commandsOf(ctx context.Context, no int64) ([]Command, error) {
	if no > f.commandsTo {
		end, count := no, int64(0)
		for i := range f.batches {
			count += max(f.batches[i].Commands, 0)
			if count > commandPage || count < 0 {
				break
			}
			end = max(end, f.batches[i].No)
		}
		page, err := f.r.Commands(ctx, no, end)
		if err != nil {
			return nil, err
		}
		f.commands, f.commandsTo = page, end
	}
	n := 0
	for n < len(f.commands) && f.commands[n].Batch == no {
		n++
	}
	rows := f.commands[:n:n]
	f.commands = f.commands[n:]
	return rows, nil
}
