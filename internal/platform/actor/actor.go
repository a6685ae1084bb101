// Package actor names the people who ask for something, as the ledger and the
// audit log record them.
package actor

import "strconv"

// OperatorPrefix stands before an operator's number in the ledger.
const OperatorPrefix = "operator:"

// By is the operator who asks. Operator 0 is a person at the command line, or
// the server itself, which the name says.
type By struct {
	Operator int64
	Name     string // as people know them: the e-mail
	local    bool
}

// CommandLine is a person at the server's command line. Only there one person
// may do alone what takes two operators, so no other code builds such a By.
func CommandLine(name string) By { return By{Name: name, local: true} }

// Is tells whether both are one person. At the command line the name tells; an
// operator's number does, whatever the name was then.
func (b By) Is(other By) bool {
	return b.Operator == other.Operator && (b.Operator != 0 || b.Name == other.Name)
}

// Local tells whether a person at the command line asks.
func (b By) Local() bool { return b.local }

// Key is the actor of the operator's commands in the ledger.
func (b By) Key() string { return Operator(b.Operator) }

// Operator is the ledger's name of an operator; 0 is the command line.
func Operator(id int64) string {
	if id == 0 {
		return "command line"
	}
	return OperatorPrefix + strconv.FormatInt(id, 10)
}

// Member is the ledger's name of a member.
func Member(uid int64) string { return "member:" + strconv.FormatInt(uid, 10) }
