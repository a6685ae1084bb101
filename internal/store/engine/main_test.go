package engine_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestTheLedgersStoreConformsOnEveryEngine(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, ledgerConforms)
}
