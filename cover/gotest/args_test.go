package gotest

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func own(name string) bool { return name == "dir" || name == "annotations" }

func TestParseArgs(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want Args
		mine []string
	}{
		{"", Args{Packages: []string{"."}}, nil},
		{"./...", Args{Packages: []string{"./..."}}, nil},
		{"-dir d -run TestA -v ./a ./b", Args{Flags: []string{"-run", "TestA", "-v"}, Packages: []string{"./a", "./b"}}, []string{"-dir", "d"}},
		{"./a -run=X --race -annotations=f -short", Args{Flags: []string{"-run=X", "--race", "-short"}, Packages: []string{"./a"}, Race: true}, []string{"-annotations=f"}},
		{"-race=false -json -tags a,b .", Args{Flags: []string{"-race=false", "-json", "-tags", "a,b"}, Packages: []string{"."}, JSON: true, Tags: "a,b"}, nil},
		{"-test.run X . -args -dir x ./y", Args{Flags: []string{"-test.run", "X"}, Packages: []string{"."}, Rest: []string{"-args", "-dir", "x", "./y"}}, nil},
		{"-coverprofile c.out", Args{Flags: []string{"-coverprofile=" + filepath.Join(wd, "c.out")}, Packages: []string{"."}}, nil},
	} {
		got, mine, err := ParseArgs(strings.Fields(c.args), own)
		if err != nil || !reflect.DeepEqual(*got, c.want) || !reflect.DeepEqual(mine, c.mine) {
			t.Errorf("%s: got %+v, %v, %v", c.args, got, mine, err)
		}
	}
}

func TestParseArgsErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-run", "flag needs an argument: -run"},
		{"-dir", "flag needs an argument: -dir"},
		{"-fuzz=. ./a", "-fuzz=. is not possible here (write ijongo fuzz)"},
		{"-C dir", "-C is not possible here (change to the folder first)"},
	} {
		if _, _, err := ParseArgs(strings.Fields(c.args), own); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.args, err, c.want)
		}
	}
}

func TestHas(t *testing.T) {
	a, _, err := ParseArgs([]string{"-run", "-count", "--test.count=3"}, own)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Has("count") || a.Has("short") {
		t.Errorf("got %+v", a)
	}
}
