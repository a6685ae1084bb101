package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// The branches of deposit addresses are also recorded in a file next to the anchor, one
// per line, with their key: a restored database does not know the branches started after
// the backup.

func branchFile(cfg config.Config) string { return cfg.AnchorFile + ".deposits" }

func branchLine(root string, branch int64) []byte { return fmt.Appendf(nil, "%s %d", root, branch) }

// readBranches reads the file; a missing file has none.
func readBranches(file string) (map[string][]int64, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errs.New(errs.Refused, "deposit.branches_unreadable", "The file of deposit branches {file} cannot be read: {reason}.", "file", file, "reason", reason(err))
	}
	all := map[string][]int64{}
	for line := range strings.Lines(string(text)) {
		var root string
		var branch int64
		if _, err := fmt.Sscanf(line, "%s %d\n", &root, &branch); err != nil || branch < 0 {
			if !strings.HasSuffix(line, "\n") { // an incomplete line from a crash; its address was never shown
				break
			}
			return nil, errs.New(errs.Refused, "deposit.branches_malformed", "The file of deposit branches {file} has a line that is not a key and a number: {line}.", "file", file, "line", strconv.Quote(line))
		}
		all[root] = append(all[root], branch)
	}
	return all, nil
}
