package plan

import (
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/shape"
)

// misshapen names everything in a plan's text that does not fit its type: in
// rules about money nothing may be guessed.
func misshapen(raw []byte) []errs.Field { return shape.Mistakes[Plan]("plan", raw) }
