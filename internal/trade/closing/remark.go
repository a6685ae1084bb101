package closing

import "github.com/bifolia/bifolia/internal/core/plan"

// Remark is what Show says is special about a row.
func Remark(x Income) string {
	if x.Kind == plan.KindROI {
		return ""
	}
	return remark(&x)
}
