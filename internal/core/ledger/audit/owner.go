package audit

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// A line of the anchor file names its ledger, by the first eight bytes of the genesis: with
// the anchors of another ledger, every ledger would look rewritten. In the file of the last
// head every slot names the ledger.

// OwnerLine returns this line, without the line end.
func OwnerLine(ledgerID string) []byte { return []byte(`{"ledger":"` + ledgerID + `"}`) }

// Owner returns the ledger of the anchors at path; "" if the file names none.
// fs.ErrNotExist if there is no file.
func Owner(path string) (ledgerID string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("anchors: %w", err)
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReaderSize(f, maxAnchorLine)
	for {
		line, last, err := anchorLine(in)
		if err != nil {
			return "", fmt.Errorf("anchors: %w", err)
		}
		if id, ok := ownerOf(line); ok && ledgerID != "" && id != ledgerID {
			return "", fmt.Errorf("anchors: %s names two ledgers, %s and %s", path, ledgerID, id)
		} else if ok {
			ledgerID = id
		}
		if last {
			return ledgerID, nil
		}
	}
}

func ownerOf(line []byte) (ledgerID string, ok bool) {
	var raw struct {
		Ledger string
		Batch  *int64
	}
	if err := json.Unmarshal(line, &raw); err != nil || raw.Batch != nil {
		return "", false
	}
	return raw.Ledger, isLedgerID(raw.Ledger)
}

func isLedgerID(text string) bool {
	id, err := hex.DecodeString(text)
	return err == nil && len(id) == 8
}

// LastOwner returns the ledger of the last head beside the anchor file at path; "" if no slot
// names it. fs.ErrNotExist if there is no file.
func LastOwner(path string) (ledgerID string, err error) {
	slots, err := readSlots(path)
	if err != nil {
		return "", err
	}
	for _, a := range slots {
		switch {
		case a.Ledger == "":
		case ledgerID != "" && a.Ledger != ledgerID:
			return "", fmt.Errorf("anchors: %s names two ledgers, %s and %s", LastFile(path), ledgerID, a.Ledger)
		default:
			ledgerID = a.Ledger
		}
	}
	return ledgerID, nil
}
