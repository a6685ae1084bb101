// Package tree knows who hangs where, and what lies in each leg.
//
// The truth is the place table: for every member its join number, sponsor,
// parent and side. A new member goes to the end of its sponsor's outer line on
// the side asked for; that end is stored, so placing costs the same at any
// depth (service.go).
//
// Everything else is an index in memory, rebuilt at start and following the
// store by number. Its heart is one idea: members only ever join as leaves, so
// two members never change their order in the inorder walk of the binary tree,
// and a leg is a range of that walk. The walk is kept as a balanced sequence
// with sums (sequence.go), so that members, active members and business of any
// leg are two prefix sums, and a join or a change touches one path: O(log n)
// whatever the tree looks like. The sponsor tree is kept the same way by its
// postorder walk. Lists (blocks.go) use that members never change order: runs
// of join numbers are sorted by the walk once and for all, so a page of a leg,
// by date and status, is found by a few binary searches.
package tree
