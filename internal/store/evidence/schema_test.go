package evidence_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// With WRITE_SCHEMA set the test regenerates the files, as after a new migration.
func TestTheSchemaMatchesItsFile(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		db := testkit.Open(t, dsn)
		lines, err := evidence.SchemaLines(t.Context(), db.DB)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(lines)
		is := strings.Join(lines, "\n") + "\n"
		file := "schema." + db.Engine()
		if os.Getenv("WRITE_SCHEMA") != "" {
			if err := os.WriteFile(file, []byte(is), 0o600); err != nil {
				t.Fatal(err)
			}
			return
		}
		if said, err := os.ReadFile(file); err != nil || string(said) != is {
			t.Errorf("%s is not what the migrations make (%v): WRITE_SCHEMA=1 go test -run %s ./internal/store/evidence", file, err, t.Name())
		}
		if err := db.CheckObjects(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
