package cover

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FileName is the name of a profile in the folder of a campaign or test.
const FileName = "coverage.txt"

// header is the first line of a profile; the number is that of the format.
const header = "ijongo coverage 1"

// WriteFile writes the profile to path in the text format. The file is
// replaced as a whole, or on an error left as it was.
func (p *Profile) WriteFile(path string) error {
	text := p.AppendText(nil)
	return ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceFile replaces path by what write writes, or leaves it as it was.
func ReplaceFile(path string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".ijongo-*")
	if err != nil {
		return err
	}
	err = write(temp)
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// AppendText appends the profile in the text format:
//
//	File     = "ijongo coverage 1" { Setting } { Item } { Function } End .
//	Setting  = "module" Word | "manifest" Word | "runs" Number | "time" Duration .
//	Item     = "item" Kind Name { Field "=" Word | Flag } { Axis } { Bin } .
//	Axis     = "axis" Name { Bin-name } .
//	Bin      = "bin" Name Hits { Field "=" Word } .
//	Function = "func" Package Name { Edge } .
//	Edge     = "edge" Kind Position Hits .
//	End      = "end" "items=" Number "bins=" Number "edges=" Number "crc32=" Hex .
//
// Each of these is a line; empty lines and blanks at the start of one mean
// nothing. A Word is written as it is, or quoted as a Go string where it is
// empty or has blanks, quotes, backslashes or what does not print. A Duration
// is Go's. The fields of an item are group, package, pos, expr, key, goal,
// doc, atleast and weight, its flags rare, observe and crowded; the fields of a bin
// kind, at (numbers between commas), first, when and only. They stand for
// the fields of [Item] and [Bin] of the same name, and are left out where
// those are zero. The checksum is that of all bytes before the last line: a
// file that was cut off or changed is none.
//
// Items are in the order of their bins in the program, edges in that of their
// counters, and every bin is a line of its own with its name first, so that
// two files can be compared with diff.
func (p *Profile) AppendText(buf []byte) []byte {
	start := len(buf)
	buf = append(buf, header...)
	buf = append(buf, "\nmodule "...)
	buf = appendWord(buf, p.Module)
	buf = append(buf, "\nmanifest "...)
	buf = appendWord(buf, p.Manifest)
	buf = append(buf, "\nruns "...)
	buf = strconv.AppendUint(buf, p.Runs, 10)
	buf = append(buf, "\ntime "...)
	buf = append(buf, p.Time.String()...)
	buf = append(buf, '\n')
	bins := 0
	for _, i := range p.Items {
		buf = i.appendText(buf)
		bins += len(i.Bins)
	}
	buf = appendEdges(buf, p.Edges)
	sum := crc32.ChecksumIEEE(buf[start:])
	return fmt.Appendf(buf, "end items=%d bins=%d edges=%d crc32=%08x\n", len(p.Items), bins, len(p.Edges), sum)
}

func (i *Item) appendText(buf []byte) []byte {
	buf = append(buf, "\nitem "...)
	buf = appendWord(buf, i.Kind)
	buf = append(buf, ' ')
	buf = appendWord(buf, i.Name)
	for _, f := range [...]struct{ name, value string }{
		{" group=", i.Group}, {" package=", i.Package}, {" pos=", i.Pos}, {" expr=", i.Expr}, {" key=", i.Key},
		{" goal=", i.Goal}, {" doc=", i.Doc},
	} {
		buf = appendField(buf, f.name, f.value)
	}
	if i.AtLeast != 0 {
		buf = strconv.AppendInt(append(buf, " atleast="...), int64(i.AtLeast), 10)
	}
	if i.Weight != 0 {
		buf = strconv.AppendInt(append(buf, " weight="...), int64(i.Weight), 10)
	}
	if i.Rare {
		buf = append(buf, " rare"...)
	}
	if i.Observe {
		buf = append(buf, " observe"...)
	}
	if i.Crowded {
		buf = append(buf, " crowded"...)
	}
	buf = append(buf, '\n')
	for _, a := range i.Axes {
		buf = appendWord(append(buf, "\taxis "...), a.Name)
		for _, name := range a.Bins {
			buf = appendWord(append(buf, ' '), name)
		}
		buf = append(buf, '\n')
	}
	for k := range i.Bins {
		buf = i.Bins[k].appendText(buf)
	}
	return buf
}

func (b *Bin) appendText(buf []byte) []byte {
	buf = appendWord(append(buf, "\tbin "...), b.Name)
	buf = strconv.AppendUint(append(buf, ' '), b.Hits, 10)
	buf = appendField(buf, " kind=", b.Kind)
	if len(b.At) > 0 {
		buf = append(buf, " at="...)
		for k, n := range b.At {
			if k > 0 {
				buf = append(buf, ',')
			}
			buf = strconv.AppendInt(buf, int64(n), 10)
		}
	}
	buf = appendField(buf, " first=", b.First)
	if b.When != 0 {
		buf = append(append(buf, " when="...), b.When.String()...)
	}
	buf = appendField(buf, " only=", b.Only)
	return append(buf, '\n')
}

func appendEdges(buf []byte, edges []*Edge) []byte {
	for k, e := range edges {
		if k == 0 || e.Func != edges[k-1].Func || e.Package != edges[k-1].Package {
			buf = appendWord(append(buf, "\nfunc "...), e.Package)
			buf = appendWord(append(buf, ' '), e.Func)
			buf = append(buf, '\n')
		}
		buf = appendWord(append(buf, "\tedge "...), e.Kind)
		buf = appendWord(append(buf, ' '), e.Pos)
		buf = strconv.AppendUint(append(buf, ' '), e.Hits, 10)
		buf = append(buf, '\n')
	}
	return buf
}

func appendField(buf []byte, name, value string) []byte {
	if value == "" {
		return buf
	}
	return appendWord(append(buf, name...), value)
}

func appendWord(buf []byte, s string) []byte {
	if plain(s) {
		return append(buf, s...)
	}
	return strconv.AppendQuote(buf, s)
}

// plain tells whether s can be a word without quotes.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c <= ' ' || c == '"' || c == '\\' || c == 0x7f:
			return false
		case c >= utf8.RuneSelf:
			return plainText(s)
		}
	}
	return s != ""
}

func plainText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '"' || r == '\\' || r == ' ' || !unicode.IsPrint(r)
	})
}
