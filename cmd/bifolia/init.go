package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var initCommand = command{
	name:    "init",
	summary: "create the first member and the first operator",
	run:     initialise,
}

// question is an input of init, from a flag or a prompt.
type question struct {
	flag, ask, usage string
	secret           bool
	value            string
}

// initialise creates an installation. It prompts for inputs without a flag, and does not
// echo passwords.
func initialise(ctx context.Context, e env) int {
	var f member.RegistrationForm
	var email, name, password, secret string
	questions := []struct {
		question
		to *string
	}{
		{question{flag: "name", ask: "First member's name", usage: "the first member's name"}, &f.Name},
		{question{flag: "email", ask: "First member's e-mail", usage: "the first member's e-mail, with three characters or more before the @ as at sign-up"}, &f.Email},
		{question{flag: "mobile", ask: "First member's mobile number", usage: "the first member's mobile number, digits only"}, &f.Mobile},
		{question{flag: "country", ask: "First member's country (99 is India)", usage: "the number of the first member's country"}, &f.Country},
		{question{flag: "password", ask: "First member's password", usage: "the first member's password; better omitted and typed at the prompt", secret: true}, &f.Password},
		{question{flag: "operator-email", ask: "Operator's e-mail", usage: "the operator's e-mail"}, &email},
		{question{flag: "operator-name", ask: "Operator's name", usage: "the operator's name"}, &name},
		{question{flag: "operator-password", ask: "Operator's password", usage: "the operator's password; better omitted and typed at the prompt", secret: true}, &password},
	}
	cfg, rest, err := config.Load("init", e.args, e.environ, func(fs *flag.FlagSet) {
		for i := range questions {
			fs.StringVar(&questions[i].value, questions[i].flag, "", questions[i].usage)
		}
		fs.StringVar(&secret, "operator-totp", "", "the secret of the operator's authenticator app, in base32; default: a random one, which is printed")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("init takes flags only; \"bifolia help init\" lists them.")
	}
	in := bufio.NewReader(e.stdin)
	for i := range questions {
		q := &questions[i]
		if q.value == "" {
			if q.value, err = q.read(e, in); err != nil {
				_, _ = fmt.Fprintf(e.stderr, "There is no answer for --%s.\n", q.flag)
				return exitUsage
			}
		}
		*q.to = q.value
	}
	first, err := enrol.ParseFirst(f, email, name, password)
	if err != nil {
		return e.fail(err)
	}
	first.OperatorSecret = secret
	begun, err := app.Begin(ctx, cfg, cfg.Logger(e.stderr), first)
	if err != nil {
		return e.fail(err)
	}
	uri, err := begun.Factor.URI("Bifolia", first.Operator.Email)
	if err != nil {
		return e.fail(err)
	}
	_, _ = fmt.Fprintf(e.stdout, `The first member is %d. The transaction password, told once: %s
The operator %s signs in with the password and a code of an authenticator app.
Its secret, told once: %s
As a link for the app: %s
Recovery codes, each good once:
  %s
`, begun.UID, begun.TransactionPassword, first.Operator.Email, begun.Factor.Secret, uri, strings.Join(begun.Factor.Recovery, "\n  "))
	return exitOK
}

// read prompts for an answer. It does not echo passwords.
func (q *question) read(e env, in *bufio.Reader) (string, error) {
	_, _ = fmt.Fprint(e.stderr, q.ask+": ")
	if file, ok := e.stdin.(*os.File); ok && q.secret && term.IsTerminal(int(file.Fd())) {
		typed, err := term.ReadPassword(int(file.Fd()))
		_, _ = fmt.Fprintln(e.stderr)
		return string(typed), err
	}
	line, err := in.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}
