package store_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/store/storetest"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// Every engine passes the same suite: there is no behaviour of the store that
// is tried on one of them only.
func TestEveryEngineConforms(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, storetest.Run)
}
