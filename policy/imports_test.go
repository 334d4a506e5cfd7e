package policy_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the house's top folders; each may use itself and what stands
// before it.
var layers = []string{"policy", "fixture", "app", "web", "cmd"}

// unfit are the packages that would make the engine's answer depend on
// anything but its input.
var unfit = []string{"net/http", "time", "math/rand", "math/rand/v2", "crypto/rand", "syscall/js"}

// complaint says what is wrong with a package of the house importing another,
// or "".
func complaint(folder, imported string, test bool) string {
	top, _, _ := strings.Cut(folder, "/")
	if own, ok := strings.CutPrefix(imported, "sixways/"); ok {
		ownTop, _, _ := strings.Cut(own, "/")
		if slices.Index(layers, ownTop) > slices.Index(layers, top) {
			return fmt.Sprintf("%s imports %s, which stands above it", folder, imported)
		}
		return ""
	}
	if top != "policy" || test {
		return ""
	}
	if slices.Contains(unfit, imported) {
		return fmt.Sprintf("%s imports %s: the engine is a pure function", folder, imported)
	}
	if first, _, _ := strings.Cut(imported, "/"); folder == "policy" && strings.Contains(first, ".") {
		return fmt.Sprintf("%s imports %s: the engine uses the standard library only", folder, imported)
	}
	return ""
}

func TestComplaint(t *testing.T) {
	tests := []struct {
		because          string
		folder, imported string
		test             bool
		want             string
	}{
		{"down is the way to point", "fixture", "sixways/policy", false, ""},
		{"so is within a layer", "policy/cilium", "sixways/policy", false, ""},
		{"the engine knows no fixture", "policy", "sixways/fixture", false, "policy imports sixways/fixture, which stands above it"},
		{"in its tests neither", "policy", "sixways/fixture", true, "policy imports sixways/fixture, which stands above it"},
		{"the fixture knows no page", "fixture", "sixways/app", false, "fixture imports sixways/app, which stands above it"},
		{"the page knows no site", "app", "sixways/web/site", false, "app imports sixways/web/site, which stands above it"},
		{"the engine asks nobody", "policy", "net/http", false, "policy imports net/http: the engine is a pure function"},
		{"nor does a policy format", "policy/cilium", "time", false, "policy/cilium imports time: the engine is a pure function"},
		{"the engine needs no module", "policy", "gopkg.in/yaml.v3", false, "policy imports gopkg.in/yaml.v3: the engine uses the standard library only"},
		{"a policy format may use a parser", "policy/cilium", "gopkg.in/yaml.v3", false, ""},
		{"tests may use more", "policy", "github.com/google/go-cmp/cmp", true, ""},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			if got := complaint(tt.folder, tt.imported, tt.test); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Dependencies point down the list of layers, never up, and the engine imports
// the standard library only.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, top := range layers {
		err := filepath.WalkDir(filepath.Join("..", top), func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.Name() == "node_modules" || entry.Name() == "testdata" {
				return fs.SkipDir
			}
			if path.Ext(file) != ".go" {
				return nil
			}
			folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), ".."+string(filepath.Separator)))
			seen[top] = true
			return checkImports(t, folder, file)
		})
		if err != nil {
			t.Fatal(err)
		}
		if !seen[top] && top != "web" { // which may be styles alone
			t.Errorf("no source in %s", top)
		}
	}
}

func checkImports(t *testing.T, folder, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if c := complaint(folder, imported, strings.HasSuffix(file, "_test.go")); c != "" {
			t.Errorf("%s (%s)", c, filepath.Base(file))
		}
	}
	return nil
}
