package member_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/member"
)

// goodAadhar is the number that the issuer publishes for tests.
const goodAadhar = "999941057058"

var goodBank = member.BankForm{
	Holder: "Asha Rao", Account: "00112233445566", IFSC: "hdfc0000001", Name: "HDFC Bank", Branch: "Mumbai", PAN: "abcde1234f", Aadhar: goodAadhar,
	TransactionPassword: "1234",
}

func bankFields(f *member.BankForm) map[string]*string {
	return map[string]*string{
		"holder": &f.Holder, "accountnumber": &f.Account, "ifsc": &f.IFSC, "bank_name": &f.Name, "branch": &f.Branch,
		"PAN": &f.PAN, "AAdhar": &f.Aadhar, "ctrans_password": &f.TransactionPassword,
	}
}

func TestBankDetailsAreReadAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	got, err := member.ParseBank(goodBank)
	want := member.Bank{
		Holder: "Asha Rao", Account: "00112233445566", IFSC: "HDFC0000001", Name: "HDFC Bank", Branch: "Mumbai", PAN: "ABCDE1234F", Aadhar: goodAadhar,
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	form := goodBank
	form.Name, form.Branch = "", "" // the look-up failed
	if _, err := member.ParseBank(form); err != nil {
		t.Errorf("without the bank's name: %v", err)
	}
}

func TestTheFirstWrongFieldOfBankDetailsIsReported(t *testing.T) {
	t.Parallel()
	var form member.BankForm
	good := goodBank
	for _, step := range []struct{ field, want string }{
		{"holder", "Holder Name is required"},
		{"accountnumber", "Account No. is required"},
		{"ifsc", "Ifsc is required"},
		{"PAN", "Pan No. is required"},
		{"AAdhar", "Aadhar no. is required"},
		{"ctrans_password", "Transction Password is required"},
	} {
		_, err := member.ParseBank(form)
		wantFirst(t, "before "+step.field, err, step.field, step.want)
		*bankFields(&form)[step.field] = *bankFields(&good)[step.field]
	}
}

func TestEachFieldOfBankDetailsHasItsLimitsAndTexts(t *testing.T) {
	t.Parallel()
	cases := []struct{ field, value, want string }{
		{"holder", "A", ""},
		{"holder", strings.Repeat("a", 30), ""},
		{"holder", strings.Repeat("a", 31), "Holder Name should not be greater than 30 characters"},
		{"holder", "Asha & Co", "Holder Name must have letters and spaces only"},
		{"accountnumber", strings.Repeat("1", 30), ""},
		{"accountnumber", strings.Repeat("1", 31), "Enter a valid Account No."},
		{"accountnumber", "12-34", "Enter a valid Account No."},
		{"ifsc", "HDFC1000001", "Enter a valid Ifsc"},
		{"ifsc", "HDF00000001", "Enter a valid Ifsc"},
		{"ifsc", "HDFC000000", "Enter a valid Ifsc"},
		{"ifsc", "HDFC00000012", "Enter a valid Ifsc"},
		{"ifsc", "HDFC000000-", "Enter a valid Ifsc"},
		{"ifsc", "SBIN0ABC12Z", ""},
		{"ifsc", "\u017fBIN0000001", "Enter a valid Ifsc"}, // a long s is no S
		{"bank_name", strings.Repeat("a", 101), "Bank Name should not be greater than 100 characters"},
		{"bank_name", "a\x00", "Bank Name must not have control characters"},
		{"branch", strings.Repeat("a", 101), "Branch should not be greater than 100 characters"},
		{"branch", "a\x07b", "Branch must not have control characters"},
		{"PAN", "ABCD11234F", "Enter a valid Pan No."},
		{"PAN", "ABCDE123AF", "Enter a valid Pan No."},
		{"PAN", "ABCDE12345", "Enter a valid Pan No."},
		{"PAN", "ABCDE1234FG", "Enter a valid Pan No."},
		{"AAdhar", "99994105705", "Enter a valid Aadhar no."},
		{"AAdhar", "9999410570580", "Enter a valid Aadhar no."},
		{"AAdhar", "999941057059", "Enter a valid Aadhar no."},
		{"AAdhar", "9999 4105 7058", "Enter a valid Aadhar no."},
		{"AAdhar", "000000000000", "Enter a valid Aadhar no."},
	}
	for _, c := range cases {
		form := goodBank
		*bankFields(&form)[c.field] = c.value
		_, err := member.ParseBank(form)
		if c.want != "" {
			wantFirst(t, c.field+" "+c.value, err, c.field, c.want)
		} else if err != nil {
			t.Errorf("%s %q: %v, want none", c.field, c.value, err)
		}
	}
}

// The promise of the check digit: no single slip goes invisible.
func TestAnyWrongDigitOrSwapOfAnAadharIsSeen(t *testing.T) {
	t.Parallel()
	refused := func(s string) {
		form := goodBank
		form.Aadhar = s
		_, err := member.ParseBank(form)
		wantFirst(t, s, err, "AAdhar", "Enter a valid Aadhar no.")
	}
	for i := range goodAadhar {
		for d := byte('0'); d <= '9'; d++ {
			b := []byte(goodAadhar)
			if b[i] != d {
				b[i] = d
				refused(string(b))
			}
		}
		if i > 0 && goodAadhar[i] != goodAadhar[i-1] {
			b := []byte(goodAadhar)
			b[i], b[i-1] = b[i-1], b[i]
			refused(string(b))
		}
	}
}
