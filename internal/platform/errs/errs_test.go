package errs_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestPeopleNeverReadTheInsideOfAnInternalError(t *testing.T) {
	secret := errors.New("password=hunter2")
	for _, err := range []error{secret, fmt.Errorf("x: %w", secret), errs.Wrap(errs.Internal, secret, "x.broken", "broken pipe to {where}", "where", "db")} {
		if m := errs.MessageOf(err); strings.Contains(m, "hunter2") || strings.Contains(m, "db") {
			t.Errorf("MessageOf(%v) = %q", err, m)
		}
		if errs.KindOf(err) != errs.Internal {
			t.Errorf("CodeOf(%v) = %s", err, errs.KindOf(err))
		}
	}
}

func TestAKindSurvivesWrapping(t *testing.T) {
	err := fmt.Errorf("outer: %w", errs.Wrap(errs.Conflict, errors.New("cause"), "request.key_used", "That key was used."))
	if !errs.Is(err, errs.Conflict) || errs.MessageOf(err) != "That key was used." {
		t.Errorf("%s, %q", errs.KindOf(err), errs.MessageOf(err))
	}
	if !strings.Contains(err.Error(), "cause") {
		t.Errorf("the log loses the cause: %v", err)
	}
	if errs.KindOf(nil) != "" || errs.Is(nil, errs.Internal) {
		t.Error("nil has a code")
	}
}

func TestFieldErrorsAreCollected(t *testing.T) {
	one := errs.BadField("amount", "x.missing", "is missing")
	if !hasCode(one, "x.missing") || errs.MessageOf(one) != "amount: is missing" {
		t.Errorf("%#v", one)
	}
	if errs.Fields(nil) != nil {
		t.Error("no fields are an error")
	}
	err := errs.Fields([]errs.Field{errs.NewField("amount", "x.missing", "is missing"), errs.NewField("to", "x.unknown", "is unknown")})
	var e *errs.Error
	if !errors.As(err, &e) || len(e.Fields) != 2 || e.Kind != errs.Invalid || e.Message != "amount: is missing; to: is unknown" {
		t.Errorf("%#v", err)
	}
}

func TestAnErrorMaySayWhichFieldItIsAbout(t *testing.T) {
	cause := errors.New("unique constraint")
	for _, err := range []error{
		errs.At(errs.Refused, "amount", "x.above", "The amount is above {most}.", "most", 5),
		errs.About("amount", errs.Wrap(errs.Refused, cause, "x.above", "The amount is above {most}.", "most", 5)),
		errs.About("other", errs.At(errs.Refused, "amount", "x.above", "The amount is above {most}.", "most", 5)),
	} {
		var e *errs.Error
		if !errors.As(err, &e) || e.Kind != errs.Refused || e.Message != "The amount is above 5." ||
			len(e.Fields) != 1 || e.Fields[0].Name != "amount" || !e.Fields[0].Equal(e.Text) {
			t.Errorf("%#v", err)
		}
	}
	if err := errs.About("amount", errs.Wrap(errs.Refused, cause, "x.no", "No.")); !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if err := errs.About("amount", cause); !errors.Is(err, cause) || errs.KindOf(err) != errs.Internal {
		t.Errorf("what is no error for people became %v", err)
	}
	if errs.About("amount", nil) != nil {
		t.Error("nothing became an error")
	}
}

func TestATextHasNamedValues(t *testing.T) {
	inner := errs.Say("wallet.short", "The wallet has {free}.", "free", 3)
	for _, c := range []struct {
		got    errs.Text
		text   string
		params map[string]string
	}{
		{errs.Say("x.y", "No {values} here."), "No {values} here.", nil},
		{errs.Say("x.y", "{a} of {b}, {a}", "a", "{b}", "b", 2), "{b} of 2, {b}", map[string]string{"a": "{b}", "b": "2"}},
		{errs.Say("x.y", "{why} Wait.", "why", inner), "The wallet has 3. Wait.", map[string]string{"why": "The wallet has 3.", "why.code": "wallet.short", "why.free": "3"}},
	} {
		if c.got.Code != "x.y" || c.got.Message != c.text || !maps.Equal(c.got.Params, c.params) {
			t.Errorf("%+v", c.got)
		}
	}
}

func TestATextKeepsItsCodeUnderAnotherKind(t *testing.T) {
	err := errs.WithKind(errs.Refused, fmt.Errorf("x: %w", errs.New(errs.NotFound, "claim.not_found", "There is no claim {claim}.", "claim", 7)))
	if !errs.Is(err, errs.Refused) || !hasCode(err, "claim.not_found") || err.Params["claim"] != "7" || errs.MessageOf(err) != "There is no claim 7." {
		t.Errorf("%#v", err)
	}
	if hasCode(errors.New("x"), "") {
		t.Error("another error has a code")
	}
}

// hasCode reports whether the outermost *Error in err's chain has code.
func hasCode(err error, code string) bool {
	var e *errs.Error
	return errors.As(err, &e) && e.Code == code
}

func TestATextIsStoredWithItsCode(t *testing.T) {
	inner := errs.Say("wallet.short", "The wallet has {free}.", "free", 3)
	for _, text := range []errs.Text{{}, {Message: "No code"}, inner, errs.Say("x.y", "{why} Wait.", "why", inner)} {
		kept := errs.Text{Code: "old", Params: map[string]string{"old": "old"}}
		if err := kept.Scan(text.Encode()); err != nil || !kept.Equal(text) {
			t.Errorf("%+v came back as %+v, %v", text, kept, err)
		}
	}
	var text errs.Text
	if text.Scan("no JSON") == nil || text.Scan(7) == nil {
		t.Error("a column that holds no text was read")
	}
}
