package cover

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// InputsName is the name, in the folder of a campaign, of the list of what
// each of its inputs covers.
const InputsName = "coverage/inputs.txt"

// InputsDir is the folder, in that of a campaign, with the first input of each
// bin, by the name that is First in the bin.
const InputsDir = "coverage/inputs"

// An Input is what one input covers.
type Input struct {
	Name string // of the file
	Bins []int  // that it hits, in rising order, as the program numbers them: those of Items[0] from 0, then those of Items[1] and so on
}

// inputsHeader is the first line of a list of inputs, before the manifest.
const inputsHeader = "ijongo inputs 1 "

// WriteInputs writes a list of inputs of the program with that manifest to
// path, which is replaced as a whole:
//
//	File  = "ijongo inputs 1" Manifest { Input } "end" Number .
//	Input = Name { Number | Number "-" Number } .
//
// Each of these is a line. A range of bins has both ends in it; the number at
// the end is that of the inputs. Names are words as in the format of profiles.
func WriteInputs(path, manifest string, inputs []Input) error {
	buf := append([]byte(inputsHeader), manifest...)
	buf = append(buf, '\n')
	for _, in := range inputs {
		buf = appendWord(buf, in.Name)
		for k := 0; k < len(in.Bins); k++ {
			from := in.Bins[k]
			for k+1 < len(in.Bins) && in.Bins[k+1] == in.Bins[k]+1 {
				k++
			}
			buf = strconv.AppendInt(append(buf, ' '), int64(from), 10)
			if to := in.Bins[k]; to > from {
				buf = strconv.AppendInt(append(buf, '-'), int64(to), 10)
			}
		}
		buf = append(buf, '\n')
	}
	buf = fmt.Appendf(buf, "end %d\n", len(inputs))
	return ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(buf)
		return err
	})
}

// ReadInputs reads what WriteInputs has written, for a program of n bins. The
// manifest is known also where the rest does not fit that program.
func ReadInputs(path string, n int) (manifest string, inputs []Input, err error) {
	text, err := readText(path)
	if err != nil {
		return "", nil, err
	}
	line, _, _ := strings.Cut(text, "\n")
	manifest, ok := strings.CutPrefix(line, inputsHeader)
	if !ok {
		return "", nil, fmt.Errorf("%s:1: no list of inputs (it begins with %q)", path, inputsHeader+"MANIFEST")
	}
	r := &reader{name: path, text: text, rest: text}
	for r.next(); r.next(); {
		name, err := r.word()
		if err != nil {
			return manifest, nil, err
		}
		if name == "end" && r.rest == "" {
			if r.line != strconv.Itoa(len(inputs)) {
				return manifest, nil, r.errorf("damaged: it says %s inputs and has %d", r.line, len(inputs))
			}
			return manifest, inputs, nil
		}
		in := Input{Name: name}
		if in.Bins, err = r.ranges(n); err != nil {
			return manifest, nil, err
		}
		inputs = append(inputs, in)
	}
	return manifest, nil, r.errorf("cut off: the last line, end, is missing")
}

// ranges takes the rest of the line: numbers under n, and ranges of them, in
// rising order.
func (r *reader) ranges(n int) (list []int, err error) {
	last := -1
	for r.line != "" {
		word := r.bare()
		low, high, isRange := strings.Cut(word, "-")
		from, err := strconv.Atoi(low)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from <= last || to < from || to >= n {
			return nil, r.errorf("%q is no bin, or no range of bins, behind %d and under %d", word, last, n)
		}
		for k := from; k <= to; k++ {
			list = append(list, k)
		}
		last = to
	}
	return list, nil
}

// GoalsOf leaves of what inputs cover only the goals.
func (p *Profile) GoalsOf(inputs []Input) []Input {
	goal := make([]bool, 0, p.Bins())
	for _, i := range p.Items {
		for k := range i.Bins {
			goal = append(goal, i.Bins[k].Kind == Goal)
		}
	}
	list := make([]Input, len(inputs))
	for k, in := range inputs {
		list[k].Name = in.Name
		for _, b := range in.Bins {
			if goal[b] {
				list[k].Bins = append(list[k].Bins, b)
			}
		}
	}
	return list
}
