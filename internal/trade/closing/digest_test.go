package closing

import (
	"encoding/json"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// A digest must not depend on the way it is written: carried volume is in the order in which
// encoding/json writes a map.
func TestCarriedVolumeIsOrderedByIDAsText(t *testing.T) {
	t.Parallel()
	ids := []int64{1, 9, 10, 99, 100000, 922337, 922338, 945626, 999999, 1000000, 9223372, 9999999, 9223372036854775807}
	b := &plan.Book{UID: ids, Left: make([]int64, len(ids)), Right: make([]int64, len(ids))}
	want := map[int64][]string{}
	for i, id := range ids {
		b.Left[i] = 1_000_000
		want[id] = []string{"1.000000", "0.000000"}
	}
	got, err := json.Marshal(newCarry(b))
	if err != nil {
		t.Fatal(err)
	}
	if plain, _ := json.Marshal(want); string(got) != string(plain) {
		t.Errorf("got  %s\nwant %s", got, plain)
	}
}
