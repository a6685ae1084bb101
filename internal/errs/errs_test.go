package errs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/errs"
)

func TestPeopleNeverReadTheInsideOfAnInternalError(t *testing.T) {
	secret := errors.New("password=hunter2")
	for _, err := range []error{secret, fmt.Errorf("x: %w", secret), errs.Wrap(errs.Internal, secret, "broken pipe to %s", "db")} {
		if m := errs.MessageOf(err); strings.Contains(m, "hunter2") || strings.Contains(m, "db") {
			t.Errorf("MessageOf(%v) = %q", err, m)
		}
		if errs.CodeOf(err) != errs.Internal {
			t.Errorf("CodeOf(%v) = %s", err, errs.CodeOf(err))
		}
	}
}

func TestACodeSurvivesWrapping(t *testing.T) {
	err := fmt.Errorf("outer: %w", errs.Wrap(errs.Conflict, errors.New("cause"), "That key was used."))
	if !errs.Is(err, errs.Conflict) || errs.MessageOf(err) != "That key was used." {
		t.Errorf("%s, %q", errs.CodeOf(err), errs.MessageOf(err))
	}
	if !strings.Contains(err.Error(), "cause") {
		t.Errorf("the log loses the cause: %v", err)
	}
	if errs.CodeOf(nil) != "" || errs.Is(nil, errs.Internal) {
		t.Error("nil has a code")
	}
}

func TestFieldErrorsAreCollected(t *testing.T) {
	if errs.Fields(nil) != nil {
		t.Error("no fields are an error")
	}
	err := errs.Fields([]errs.Field{{Name: "amount", Message: "is missing"}, {Name: "to", Message: "is unknown"}})
	var e *errs.Error
	if !errors.As(err, &e) || len(e.Fields) != 2 || e.Code != errs.Invalid || e.Message != "amount: is missing; to: is unknown" {
		t.Errorf("%#v", err)
	}
}

func TestAnErrorMaySayWhichFieldItIsAbout(t *testing.T) {
	cause := errors.New("unique constraint")
	for _, err := range []error{
		errs.At(errs.Refused, "amount", "The amount is above %d.", 5),
		errs.About("amount", errs.Wrap(errs.Refused, cause, "The amount is above 5.")),
		errs.About("other", errs.At(errs.Refused, "amount", "The amount is above 5.")),
	} {
		var e *errs.Error
		if !errors.As(err, &e) || e.Code != errs.Refused || e.Message != "The amount is above 5." ||
			len(e.Fields) != 1 || e.Fields[0] != (errs.Field{Name: "amount", Message: e.Message}) {
			t.Errorf("%#v", err)
		}
	}
	if err := errs.About("amount", errs.Wrap(errs.Refused, cause, "No.")); !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if err := errs.About("amount", cause); !errors.Is(err, cause) || errs.CodeOf(err) != errs.Internal {
		t.Errorf("what is no error for people became %v", err)
	}
	if errs.About("amount", nil) != nil {
		t.Error("nothing became an error")
	}
}
