package shape_test

import (
	"fmt"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/shape"
)

func TestARepeatedFieldIsNamedByItsPath(t *testing.T) {
	var into struct {
		A struct {
			B int64 `json:"b"`
		} `json:"a"`
		L []map[string]int64 `json:"l"`
	}
	wrong, lost := shape.Read("text", []byte(`{"l":[{"x":1},{"x":1,"\u0078":2,"X":3}],"a":{"b":1,"b":2,"b":3}}`), &into)
	if got := fmt.Sprint(lost); got != "[a.b a.b l[1].x]" || len(wrong) != 3 || wrong[0].Code != "field.there_twice" {
		t.Errorf("lost %s, wrong %+v", got, wrong)
	}
}
