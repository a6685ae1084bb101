package member_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
