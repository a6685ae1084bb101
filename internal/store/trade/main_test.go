package trade_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
