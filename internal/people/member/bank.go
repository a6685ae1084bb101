package member

import "github.com/bifolia/bifolia/internal/platform/errs"

import "strings"

const (
	maxAccount   = 30
	ifscLength   = 11
	panLength    = 10
	aadharLength = 12
)

// BankForm is a member's unparsed bank details.
type BankForm struct {
	Holder, Account, IFSC, Name, Branch, PAN, Aadhar string
	TransactionPassword                              string
}

// Bank is a member's account with an Indian bank. Name and Branch follow from the IFSC
// and may be empty if the lookup failed.
type Bank struct {
	Holder, Account, IFSC, Name, Branch, PAN, Aadhar string
}

var (
	bankTexts   = textTexts{errs.Text{}, TextBankLong, TextBankControl}
	branchTexts = textTexts{errs.Text{}, TextBranchLong, TextBranchControl}
)

// Masked hides bank details but the bank and the last four characters of each number,
// by which their owner recognizes them.
func (b Bank) Masked() Bank {
	return Bank{Holder: masked(b.Holder, 0), Account: masked(b.Account, 4), IFSC: masked(b.IFSC, 0), Name: b.Name, PAN: masked(b.PAN, 4), Aadhar: masked(b.Aadhar, 4)}
}

func masked(text string, shown int) string {
	if text == "" {
		return ""
	}
	r := []rune(text)
	if len(r) <= 2*shown {
		shown = 0
	}
	return "••••" + string(r[len(r)-shown:])
}

// ParseBank checks the fields in the screen's order. Invalid as for ParseProfile.
func ParseBank(f BankForm) (Bank, error) {
	var b Bank
	var c checks
	c.text(&b.Holder, "holder")(parseName(f.Holder, 1, maxHolder, holderTexts))
	c.text(&b.Account, "accountnumber")(parseAccount(f.Account))
	c.text(&b.IFSC, "ifsc")(parseIFSC(f.IFSC))
	c.text(&b.Name, "bank_name")(parseText(f.Name, bankTexts))
	c.text(&b.Branch, "branch")(parseText(f.Branch, branchTexts))
	c.text(&b.PAN, "PAN")(parsePAN(f.PAN))
	c.text(&b.Aadhar, "AAdhar")(parseAadhar(f.Aadhar))
	c.transactionPassword(f.TransactionPassword)
	if err := c.first(); err != nil {
		return Bank{}, err
	}
	return b, nil
}

func parseAccount(s string) (account string, wrong errs.Text) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", TextAccountRequired
	}
	if len(s) > maxAccount || !digits(s) {
		return "", TextAccountInvalid
	}
	return s, errs.Text{}
}

// parseIFSC reads four letters for the bank, a zero, six letters or digits for
// the branch.
func parseIFSC(s string) (ifsc string, wrong errs.Text) {
	s = strings.Map(upper, strings.Trim(s, " "))
	if s == "" {
		return "", TextIFSCRequired
	}
	if len(s) != ifscLength || !capitals(s[:4]) || s[4] != '0' || strings.Trim(s[5:], capitalSet+"0123456789") != "" {
		return "", TextIFSCInvalid
	}
	return s, errs.Text{}
}

// parsePAN reads five letters, four digits and a letter.
func parsePAN(s string) (pan string, wrong errs.Text) {
	s = strings.Map(upper, strings.Trim(s, " "))
	if s == "" {
		return "", TextPANRequired
	}
	if len(s) != panLength || !capitals(s[:5]) || !digits(s[5:9]) || !capitals(s[9:]) {
		return "", TextPANInvalid
	}
	return s, errs.Text{}
}

// parseAadhar reads twelve digits, of which the last is a Verhoeff check digit
// and the first is neither 0 nor 1.
func parseAadhar(s string) (aadhar string, wrong errs.Text) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", TextAadharRequired
	}
	if len(s) != aadharLength || !digits(s) || s[0] < '2' || !verhoeff(s) {
		return "", TextAadharInvalid
	}
	return s, errs.Text{}
}

const capitalSet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func capitals(s string) bool { return strings.Trim(s, capitalSet) == "" }

// verhoeff reports whether the last digit of s checks the others: it detects every
// single wrong digit and every swap of two neighbours.
func verhoeff(s string) bool {
	check := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		for range i % 8 {
			d = int(verhoeffTurn[d] - '0')
		}
		check = dihedral(check, d)
	}
	return check == 0
}

// verhoeffTurn is the permutation applied to a digit once for each place from the right.
const verhoeffTurn = "1576283094"

// dihedral multiplies in the group of the pentagon's ten symmetries: 0 to 4 are
// rotations, 5 to 9 are reflections.
func dihedral(a, b int) int {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return 5 + (a+b)%5
	case b < 5:
		return 5 + (a-b+5)%5
	}
	return (a - b + 5) % 5
}
