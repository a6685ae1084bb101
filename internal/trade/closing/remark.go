package closing

import "github.com/bifolia/bifolia/internal/core/plan"

// Remark is the remark that Show adds to a special row.
func Remark(x Income) string {
	if x.Kind == plan.KindROI {
		return ""
	}
	return remark(&x)
}
