package auth_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/auth"
)

func TestAPasswordIsStoredAsArgon2idWithTheConfiguredCosts(t *testing.T) {
	t.Parallel()
	h := auth.NewHasher(auth.HashOptions{})
	phc, err := h.Hash(ctx, password)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(phc, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(phc, password) {
		t.Errorf("stored as %s", phc)
	}
	again, err := h.Hash(ctx, password)
	if err != nil || again == phc {
		t.Errorf("the same password twice gives the same hash: %v", err)
	}
	for given, want := range map[string]bool{password: true, password + " ": false, "": false, strings.ToUpper(password): false} {
		if ok, err := h.Verify(ctx, phc, given); ok != want || err != nil {
			t.Errorf("verify %q: %v %v", given, ok, err)
		}
	}
}

// Reference vector made with the reference implementation's command line:
// argon2 somesalt -id -t 2 -m 16 -p 1 (65536 KiB).
func TestHashesOfOtherProgramsAreUnderstood(t *testing.T) {
	t.Parallel()
	h := auth.NewHasher(auth.HashOptions{Params: cheap})
	phc := "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if ok, err := h.Verify(ctx, phc, "password"); !ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
}

func TestATamperedHashCostsNoMoreThanADummyAndIsNeverRight(t *testing.T) {
	t.Parallel()
	h := auth.NewHasher(auth.HashOptions{Params: cheap})
	good, err := h.Hash(ctx, password)
	if err != nil {
		t.Fatal(err)
	}
	costs := "m=8,t=1,p=1"
	for _, phc := range []string{
		"", "x", "$", strings.Repeat("$", 6), strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, costs, "m=4294967295,t=1,p=1", 1), strings.Replace(good, costs, "m=8,t=4294967295,p=1", 1),
		strings.Replace(good, costs, "m=8,t=1,p=255", 1), strings.Replace(good, costs, "m=8,t=1,p=0", 1), strings.Replace(good, costs, "m=8,t=0,p=1", 1),
		strings.Replace(good, costs, "m=0,t=1,p=1", 1), strings.Replace(good, costs, "m=08,t=1,p=1", 1), strings.Replace(good, costs, costs+",x", 1),
		good + strings.Repeat("A", 1000), good[:len(good)-40], good + "=",
	} {
		if ok, err := h.Verify(ctx, phc, password); ok || err != nil {
			t.Errorf("%.60q: %v, %v", phc, ok, err)
		}
	}
	if ok, err := h.Verify(ctx, good, strings.Repeat("x", 1<<20)); ok || err != nil {
		t.Errorf("a password of a megabyte: %v, %v", ok, err)
	}
}

func FuzzNoStoredHashBreaksVerifying(f *testing.F) {
	h := auth.NewHasher(auth.HashOptions{Params: cheap})
	good, err := h.Hash(ctx, password)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("$argon2id$v=19$m=8,t=1,p=1$$")
	f.Fuzz(func(t *testing.T, phc string) {
		if ok, err := h.Verify(ctx, phc, "not "+password); ok || err != nil {
			t.Errorf("%v %v", ok, err)
		}
	})
}
