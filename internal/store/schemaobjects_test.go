package store_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestAChangedSchemaIsNamed(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		db, raw := testkit.Open(t, dsn), testkit.Raw(t, dsn)
		h := &hand{t, raw, db.Engine() == "sqlite"}
		named := func(want string) {
			t.Helper()
			if err := db.CheckObjects(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("it is not named: %v, want %q", err, want)
			}
		}
		if h.sqlite {
			h.do("DROP TRIGGER member_no_delete")
			named("trigger member_no_delete of table member")
			h.do("CREATE TRIGGER member_no_delete BEFORE DELETE ON member BEGIN SELECT 1; END")
			named("trigger member_no_delete of table member (table member): it is not what the migrations make")
			return
		}
		h.do("ALTER TABLE correction DISABLE TRIGGER correction_keep")
		named("trigger correction_keep of table correction")
		h.do("ALTER TABLE correction ENABLE TRIGGER correction_keep")
		h.do("CREATE TRIGGER evil BEFORE UPDATE ON member FOR EACH ROW EXECUTE FUNCTION correction_keep()")
		named("trigger evil of table member (table member): the migrations do not make it")
		h.do("DROP TRIGGER evil ON member")
		h.do("CREATE RULE evil AS ON UPDATE TO member WHERE new.uid = 1 DO INSTEAD NOTHING")
		named("rule evil of table member")
		h.do("DROP RULE evil ON member")
		h.do("ALTER TABLE member ALTER COLUMN wallet SET DEFAULT 'x'")
		named("table member")
	})
}
