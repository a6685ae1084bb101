package enrol

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestTheFirstMemberAndOperatorAreCheckedTogetherAndFieldsAreNamed(t *testing.T) {
	t.Parallel()
	root := member.RegistrationForm{Name: "First Member", Email: "first@mail.example", Mobile: "9876543210", Country: "99", Password: "correct-horse-1"}
	f, err := ParseFirst(root, "Operator@Mail.Example", "Head Operator", "battery-staple-22")
	if err != nil {
		t.Fatal(err)
	}
	if f.Root.Sponsor != 0 || f.Root.Position != 0 || f.Operator.Email != "operator@mail.example" || f.OperatorPassword != "battery-staple-22" {
		t.Errorf("got %+v", f)
	}
	root.Name, root.Mobile = "", "x"
	_, err = ParseFirst(root, "nobody", "", "short")
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != errs.Invalid {
		t.Fatalf("got %v", err)
	}
	var names []string
	for _, f := range e.Fields {
		names = append(names, f.Name)
	}
	if want := []string{"name", "mobile", "operator email", "operator name", "operator password"}; !slices.Equal(names, want) {
		t.Errorf("it names %v, want %v", names, want)
	}
}

func TestThePasswordOfTheFirstMemberIsAsStrictAsAnOperators(t *testing.T) {
	t.Parallel()
	for _, weak := range []string{"only-nine", "First Member", "first@mail.example", "aaaaaaaaaaaa", "this-one-is-far-too-long"} {
		root := member.RegistrationForm{Name: "First Member", Email: "first@mail.example", Mobile: "9876543210", Country: "99", Password: weak}
		var e *errs.Error
		if _, err := ParseFirst(root, "operator@mail.example", "Head Operator", "battery-staple-22"); !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Name != "password" {
			t.Errorf("%s: %v", weak, err)
		}
	}
}

// Registrations are compared by a hash in the database: it must differ between two
// registrations and reveal nothing of the password.
func TestTheFingerprintDistinguishesRegistrationsAndHidesThePassword(t *testing.T) {
	t.Parallel()
	r := Request{Registration: member.Registration{Sponsor: 123456, Name: "Anna", Position: 1, Email: "anna@mail.example", Password: "open-sesame", Mobile: "9876543210", Country: 99}}
	body := func(r Request, secret string) []byte {
		t.Helper()
		b, err := r.body([]byte(secret))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	plain := body(r, "secret")
	if !bytes.Equal(plain, body(r, "secret")) || bytes.Contains(plain, []byte("open-sesame")) {
		t.Errorf("it is %s", plain)
	}
	if bytes.Equal(plain, body(r, "another secret")) {
		t.Error("without the secret the password could be guessed")
	}
	for what, change := range map[string]func(*Request){
		"sponsor": func(r *Request) { r.Sponsor++ }, "name": func(r *Request) { r.Name += "x" }, "position": func(r *Request) { r.Position = 2 },
		"email": func(r *Request) { r.Email = "x" + r.Email }, "password": func(r *Request) { r.Password += "x" },
		"mobile": func(r *Request) { r.Mobile += "1" }, "country": func(r *Request) { r.Country++ },
	} {
		other := r
		if change(&other); bytes.Equal(plain, body(other, "secret")) {
			t.Errorf("another %s is the same registration", what)
		}
	}
	other := r
	if other.Key, other.Peer = "k", "192.0.2.1"; !bytes.Equal(plain, body(other, "secret")) {
		t.Error("the key or the address makes another registration")
	}
}
