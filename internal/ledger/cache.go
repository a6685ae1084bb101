package ledger

// balance is an account in memory, owned by the sequencer's goroutine.
type balance struct {
	row   AccountRow
	group *group // the group that last changed it: it is listed there once
}

// recent is a cache of two generations: cheap, bounded, and what is used stays.
// Nothing is lost by forgetting: everything can be read back from the store.
type recent[K comparable, V any] struct {
	young, old map[K]V
	limit      int
}

func newRecent[K comparable, V any](limit int) *recent[K, V] {
	return &recent[K, V]{young: map[K]V{}, old: map[K]V{}, limit: limit}
}

func (r *recent[K, V]) get(k K) (V, bool) {
	if v, ok := r.young[k]; ok {
		return v, true
	}
	v, ok := r.old[k]
	if ok {
		r.put(k, v)
	}
	return v, ok
}

func (r *recent[K, V]) put(k K, v V) { r.young[k] = v }

func (r *recent[K, V]) drop(k K) {
	delete(r.young, k)
	delete(r.old, k)
}

// trim starts a new generation when the young one is full. It is called
// between groups, never within one: a group relies on what it has loaded.
func (r *recent[K, V]) trim() {
	if len(r.young) > r.limit {
		r.old, r.young = r.young, make(map[K]V, r.limit/4)
	}
}

func (r *recent[K, V]) clear() {
	r.young, r.old = map[K]V{}, map[K]V{}
}
