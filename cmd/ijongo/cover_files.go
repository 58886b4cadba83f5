package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ijongo/ijongo/cover"
	"github.com/ijongo/ijongo/cover/lines"
	"github.com/ijongo/ijongo/cover/ucis"
)

func runCoverMerge(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cover merge", flag.ContinueOnError)
	out := fs.String("o", "", "write the sum to `FILE`, in the text format; - is standard output")
	if err := parseFlags(fs, args, "-o FILE DIR|FILE…", stdout); err != nil {
		return err
	}
	if *out == "" {
		return errors.New("ijongo cover merge: no output file (write -o FILE)")
	}
	p, err := readProfiles(fs, stderr)
	if err != nil {
		return err
	}
	return writeProfile(*out, p, stdout)
}

// writeProfile writes a profile in the text format; - is standard output.
func writeProfile(path string, p *cover.Profile, stdout io.Writer) error {
	if path == "-" {
		_, err := stdout.Write(p.AppendText(nil))
		return err
	}
	return p.WriteFile(path)
}

// An exportFormat is a format that ijongo cover export writes.
type exportFormat struct {
	name, usage string
	write       func(w io.Writer, p *cover.Profile, paths []string) error
	path        string // where to; empty is not at all
}

func exportFormats(ctx context.Context) []*exportFormat {
	return []*exportFormat{
		{name: "html", usage: "write a report to `FILE`, one page with all", write: func(w io.Writer, p *cover.Profile, paths []string) error {
			return writeHTML(ctx, w, p, paths)
		}},
		{name: "json", usage: "write all to `FILE` as a JSON object", write: func(w io.Writer, p *cover.Profile, _ []string) error {
			return p.WriteJSON(w)
		}},
		{name: "lcov", usage: "write the edges to `FILE` as an LCOV tracefile", write: func(w io.Writer, p *cover.Profile, _ []string) error {
			s := sources{cache: moduleCache(ctx)}
			return lines.WriteLCOV(w, p, s.path)
		}},
		{name: "cobertura", usage: "write the edges to `FILE` as Cobertura's XML", write: func(w io.Writer, p *cover.Profile, _ []string) error {
			s := sources{cache: moduleCache(ctx)}
			return lines.WriteCobertura(w, p, ".", s.path)
		}},
		{name: "ucis", usage: "write the bins to `FILE` as UCIS 1.0 XML", write: func(w io.Writer, p *cover.Profile, _ []string) error {
			return ucis.Write(w, p)
		}},
	}
}

func runExport(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cover export", flag.ContinueOnError)
	formats := exportFormats(ctx)
	for _, f := range formats {
		fs.StringVar(&f.path, f.name, "", f.usage+"; - is standard output")
	}
	if err := parseFlags(fs, args, "[flags] DIR|FILE…", stdout); err != nil {
		return err
	}
	n := 0
	for _, f := range formats {
		if f.path != "" {
			n++
		}
	}
	if n == 0 {
		return errors.New("ijongo cover export: no format (write -html FILE, -json FILE, -lcov FILE, -cobertura FILE or -ucis FILE)")
	}
	p, err := readProfiles(fs, stderr)
	if err != nil {
		return err
	}
	for _, f := range formats {
		switch {
		case f.path == "":
		case f.path == "-":
			err = f.write(stdout, p, fs.Args())
		default:
			err = cover.ReplaceFile(f.path, func(w io.Writer) error { return f.write(w, p, fs.Args()) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func runImport(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("cover import", flag.ContinueOnError)
	out := fs.String("o", "", "write the profile to `FILE`, in the text format; - is standard output")
	ucisFile := fs.String("ucis", "", "read UCIS 1.0 XML from `FILE`")
	jsonFile := fs.String("json", "", "read JSON from `FILE`")
	if err := parseFlags(fs, args, "-o FILE [flags]", stdout); err != nil {
		return err
	}
	switch {
	case *out == "":
		return errors.New("ijongo cover import: no output file (write -o FILE)")
	case fs.NArg() > 0:
		return fmt.Errorf("ijongo cover import: unexpected %s (write -ucis FILE or -json FILE)", fs.Arg(0))
	case (*ucisFile == "") == (*jsonFile == ""):
		return errors.New("ijongo cover import: no format, or two (write -ucis FILE or -json FILE)")
	}
	p, notes, err := importFile(*ucisFile, *jsonFile)
	if err != nil {
		return err
	}
	tellNotes(stderr, notes)
	return writeProfile(*out, p, stdout)
}

// importFile reads the one of the files that is named.
func importFile(ucisFile, jsonFile string) (p *cover.Profile, notes []string, err error) {
	if ucisFile == "" {
		text, err := os.ReadFile(jsonFile)
		if err != nil {
			return nil, nil, err
		}
		p, err = cover.ParseJSON(jsonFile, string(text))
		return p, nil, err
	}
	text, err := os.ReadFile(ucisFile)
	if err != nil {
		return nil, nil, err
	}
	return ucis.Read(ucisFile, text)
}
