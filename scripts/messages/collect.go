package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/bifolia/bifolia/"

var (
	isCode = regexp.MustCompile(`^([a-z][a-z0-9_]*(\.[a-z0-9_]+)+|internal)$`)
	names  = regexp.MustCompile(`\{(\w+)\}`)
	passed = regexp.MustCompile(`^\{\w+\}$`) // passes on another message
)

// sayers are the functions that take a code followed by its message: those of package errs
// and helpers around them.
var sayers = []string{"New", "Wrap", "At", "Say", "NewField", "BadField", "Add", "limited", "NewLimited", "tooOften", "add", "lost", "bad", "wrong", "wrongField"}

type collector struct {
	set    *token.FileSet
	files  map[string][]*ast.File         // by folder
	consts map[string]map[string]ast.Expr // by folder and name
	texts  map[string]string
	codes  map[string]string
	errs   []error
}

// collect returns the message of each code in the Go files below some folders. A code with
// two messages is an error, as is a message with two codes.
func collect(folders ...string) (map[string]string, error) {
	c := &collector{
		set: token.NewFileSet(), files: map[string][]*ast.File{}, consts: map[string]map[string]ast.Expr{},
		texts: map[string]string{}, codes: map[string]string{},
	}
	for _, folder := range folders {
		if err := filepath.WalkDir(folder, c.parse); err != nil {
			return nil, err
		}
	}
	for dir, files := range c.files {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					c.call(dir, f, call)
				}
				return true
			})
		}
	}
	return c.texts, errors.Join(c.errs...)
}

func (c *collector) parse(name string, d fs.DirEntry, err error) error {
	if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
		return err
	}
	f, err := parser.ParseFile(c.set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	dir := filepath.ToSlash(filepath.Dir(name))
	c.files[dir] = append(c.files[dir], f)
	if c.consts[dir] == nil {
		c.consts[dir] = map[string]ast.Expr{}
	}
	for _, decl := range f.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if i < len(spec.Values) {
						c.consts[dir][id.Name] = spec.Values[i]
					}
				}
			}
		}
	}
	return nil
}

// call reads the code and the message of a call.
func (c *collector) call(dir string, f *ast.File, x *ast.CallExpr) {
	var name string
	switch fun := x.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	if !slices.Contains(sayers, name) {
		return
	}
	for i, arg := range x.Args[:max(0, len(x.Args)-1)] {
		lit, ok := arg.(*ast.BasicLit)
		if !ok {
			continue
		}
		code, err := strconv.Unquote(lit.Value)
		text, known := c.text(dir, f, x.Args[i+1])
		if err != nil || !isCode.MatchString(code) || !known || i == 0 && name != "Say" {
			continue
		}
		c.say(x, code, text)
		c.params(x, text, x.Args[i+2:])
		return
	}
}

func (c *collector) fail(x ast.Node, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s", c.set.Position(x.Pos()), fmt.Sprintf(format, args...)))
}

func (c *collector) say(x ast.Node, code, text string) {
	if old, ok := c.texts[code]; ok && old != text {
		c.fail(x, "%s has two sentences: %q and %q", code, old, text)
	}
	if old, ok := c.codes[text]; ok && old != code && !passed.MatchString(text) {
		c.fail(x, "%q has two codes: %s and %s", text, old, code)
	}
	if strings.Contains(text, "'{") || strings.Contains(text, "'}") {
		c.fail(x, "%s: an apostrophe before a brace quotes it in a message file", code)
	}
	c.texts[code], c.codes[text] = text, code
}

// params compares the parameters of a message with those of the call.
func (c *collector) params(x ast.Node, text string, args []ast.Expr) {
	var given, used []string
	for i := 0; i < len(args); i += 2 {
		lit, ok := args[i].(*ast.BasicLit)
		if !ok {
			return
		}
		name, _ := strconv.Unquote(lit.Value)
		given = append(given, name)
	}
	for _, m := range names.FindAllStringSubmatch(text, -1) {
		used = append(used, m[1])
	}
	slices.Sort(given)
	slices.Sort(used)
	if len(given) > 0 && !slices.Equal(given, slices.Compact(used)) {
		c.fail(x, "%q has the values %v", text, given)
	}
}

// text returns the value of a constant string.
func (c *collector) text(dir string, f *ast.File, e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil && x.Kind == token.STRING
	case *ast.Ident:
		v, ok := c.consts[dir][x.Name]
		if !ok {
			return "", false
		}
		return c.text(dir, f, v)
	case *ast.SelectorExpr:
		pkg, ok := x.X.(*ast.Ident)
		if !ok {
			return "", false
		}
		for _, im := range f.Imports {
			full, _ := strconv.Unquote(im.Path.Value)
			if of, ours := strings.CutPrefix(full, module); ours && path.Base(full) == pkg.Name {
				return c.text(of, f, x.Sel)
			}
		}
	case *ast.BinaryExpr:
		a, aok := c.text(dir, f, x.X)
		b, bok := c.text(dir, f, x.Y)
		return a + b, aok && bok && x.Op == token.ADD
	}
	return "", false
}
