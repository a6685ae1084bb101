package auth

import "container/list"

// lru keeps the size most recently used values. It is not safe for use by
// several goroutines: its owner has a lock anyway.
type lru[K comparable, V any] struct {
	size  int
	order *list.List // of *pair, most recently used first
	at    map[K]*list.Element
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

func newLRU[K comparable, V any](size int) *lru[K, V] {
	return &lru[K, V]{size: max(size, 1), order: list.New(), at: map[K]*list.Element{}}
}

func (l *lru[K, V]) get(k K) (v V, ok bool) {
	e, ok := l.at[k]
	if !ok {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*pair[K, V]).value, true
}

func (l *lru[K, V]) put(k K, v V) {
	if e, ok := l.at[k]; ok {
		e.Value.(*pair[K, V]).value = v
		l.order.MoveToFront(e)
		return
	}
	l.at[k] = l.order.PushFront(&pair[K, V]{k, v})
	if l.order.Len() > l.size {
		last := l.order.Back()
		l.order.Remove(last)
		delete(l.at, last.Value.(*pair[K, V]).key)
	}
}

func (l *lru[K, V]) drop(k K) {
	if e, ok := l.at[k]; ok {
		l.order.Remove(e)
		delete(l.at, k)
	}
}
