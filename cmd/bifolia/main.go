// Command bifolia is the whole product in one binary. The subcommands are in
// the table below.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/bifolia/bifolia/internal/platform/config"
)

// commands are the subcommands in the order of the help.
func commands() []command {
	return []command{
		serveCommand,
		initCommand,
		operatorCommand,
		migrateCommand,
		verifyCommand,
		backupCommand,
		restoreCommand,
		simulateCommand,
		demoCommand,
		closeCommand,
		planCommand,
		payoutCommand,
		pnlCommand,
		settleCommand,
		recallCommand,
		cancelCommand,
		chargebackCommand,
		blockCommand,
		unblockCommand,
		benchCommand,
		versionCommand,
	}
}

// command is a subcommand. run returns the exit code.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, e env) int
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// env is the environment of the process. Subcommands use nothing else of it, so that tests
// can call them.
type env struct {
	args    []string // after the subcommand
	environ []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel() // stop in order
		<-signals
		os.Exit(exitFailed) // a second signal
	}()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run finds and runs the subcommand. It shows a stack trace only at log level debug.
func run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	return runIn(ctx, commands(), args, env{environ: environ, stdin: stdin, stdout: stdout, stderr: stderr})
}

func runIn(ctx context.Context, table []command, args []string, e env) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = e.panicked(p)
		}
	}()
	if len(args) == 0 { // a script without a command must not succeed
		_ = printHelp(table, e)
		return exitUsage
	}
	name := args[0]
	e.args = args[1:]
	switch name {
	case "help", "--help", "-help", "-h":
		if len(e.args) == 0 {
			return printHelp(table, e)
		}
		name, e.args = e.args[0], []string{"--help"}
	case "--version", "-version":
		name = versionCommand.name
	}
	i := slices.IndexFunc(table, func(c command) bool { return c.name == name })
	if i < 0 {
		return unknownCommand(table, e, name)
	}
	return table[i].run(ctx, e)
}

func printHelp(table []command, e env) int {
	var b strings.Builder
	b.WriteString("Bifolia: every member's money, exact and checkable.\n\nUsage: bifolia COMMAND [flags]\n\nCommands:\n")
	for _, c := range table {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
	}
	b.WriteString("\n\"bifolia help COMMAND\" tells a command's flags.\n")
	_, _ = io.WriteString(e.stdout, b.String())
	return exitOK
}

func unknownCommand(table []command, e env, name string) int {
	names := make([]string, len(table))
	for i, c := range table {
		names[i] = c.name
	}
	hint := ""
	if near := config.Nearest(name, names); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return e.usage(fmt.Sprintf("There is no command %q%s Run \"bifolia help\" for the list.", name, cmp.Or(hint, ".")))
}

// fail ends a subcommand with err: the requested help, or one message and the matching
// exit code.
func (e env) fail(err error) int {
	var help *config.Help
	var mistakes *config.Mistakes
	switch {
	case errors.As(err, &help):
		_, _ = io.WriteString(e.stdout, help.Text)
		return exitOK
	case errors.As(err, &mistakes):
		return e.usage(mistakes.Error())
	}
	_, _ = fmt.Fprintln(e.stderr, err)
	return exitFailed
}

// usage ends a subcommand that was called incorrectly.
func (e env) usage(sentence string) int {
	_, _ = fmt.Fprintln(e.stderr, sentence)
	return exitUsage
}

func (e env) panicked(p any) int {
	const ask = "BIFOLIA_LOG_LEVEL=debug"
	if slices.Contains(e.environ, ask) {
		_, _ = fmt.Fprintf(e.stderr, "%s\n", debug.Stack())
	}
	_, _ = fmt.Fprintf(e.stderr, "Bifolia stopped because of an internal error (%v). With %s it writes the details to the log.\n", p, ask)
	return exitFailed
}
