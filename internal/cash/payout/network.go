package payout

import "math"

// network computes the maximum flow from its source to its sink by Dinic's algorithm:
// each round fills every shortest path.
type network struct {
	names map[string]int
	edges []edge  // edges 2i and 2i+1 are the two directions of one edge
	out   [][]int // by node: its edges
	level []int   // by node: distance from the source in this round
	next  []int   // by node: the first edge that is not exhausted in this round
}

type edge struct {
	to   int
	left int64
}

const (
	source = iota
	sink

	unbounded = math.MaxInt64 / 4
)

func newNetwork() *network {
	return &network{names: map[string]int{}, out: make([][]int, 2)}
}

// node returns the node of a name, and whether it existed.
func (n *network) node(name string) (node int, known bool) {
	node, known = n.names[name]
	if !known {
		node = len(n.out)
		n.names[name] = node
		n.out = append(n.out, nil)
	}
	return node, known
}

// add adds an edge with a capacity and returns its index.
func (n *network) add(from, to int, most int64) int {
	at := len(n.edges)
	n.edges = append(n.edges, edge{to, most}, edge{from, 0})
	n.out[from] = append(n.out[from], at)
	n.out[to] = append(n.out[to], at+1)
	return at
}

// through returns the flow of an edge.
func (n *network) through(edge int) int64 { return n.edges[edge^1].left }

// flow computes the maximum flow.
func (n *network) flow() (sum int64) {
	for n.levels() {
		n.next = make([]int, len(n.out))
		for pushed := n.push(source, unbounded); pushed > 0; pushed = n.push(source, unbounded) {
			sum += pushed
		}
	}
	return sum
}

// levels computes the distance of every node, and reports whether the sink can be
// reached.
func (n *network) levels() bool {
	n.level = make([]int, len(n.out))
	n.level[source] = 1
	queue := []int{source}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		for _, at := range n.out[node] {
			if e := n.edges[at]; e.left > 0 && n.level[e.to] == 0 {
				n.level[e.to] = n.level[node] + 1
				queue = append(queue, e.to)
			}
		}
	}
	return n.level[sink] > 0
}

// push sends up to most from a node to the sink, one level further at each edge.
func (n *network) push(node int, most int64) int64 {
	if node == sink {
		return most
	}
	for ; n.next[node] < len(n.out[node]); n.next[node]++ {
		at := n.out[node][n.next[node]]
		e := n.edges[at]
		if e.left <= 0 || n.level[e.to] != n.level[node]+1 {
			continue
		}
		if pushed := n.push(e.to, min(most, e.left)); pushed > 0 {
			n.edges[at].left -= pushed
			n.edges[at^1].left += pushed
			return pushed
		}
	}
	return 0
}
