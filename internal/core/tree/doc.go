// Package tree stores the places of members in the binary and the sponsor tree and
// computes the totals of their legs.
//
// The place table is authoritative: for every member its join number, sponsor,
// parent and side. A new member goes to the end of its sponsor's outer line on the
// chosen side; that end is stored, so placing costs the same at any depth
// (service.go).
//
// Everything else is an index in memory, rebuilt at start and updated from the
// store by number. Members only join as leaves, so two members never change their
// order in the inorder walk of the binary tree, and a leg is a range of that walk.
// The walk is a balanced sequence with sums (sequence.go): members, active members
// and business of any leg are two prefix sums, and a join or a change updates one
// path, in O(log n) for any tree. The sponsor tree uses its postorder walk in the
// same way. Lists (blocks.go) also rely on the fixed order: runs of join numbers
// are sorted by the walk once, so a few binary searches find a page of a leg by
// date and status.
package tree
