// Package golden reads and runs golden cases: a module, its inputs and the result
// that it must have. A file of the shared test data is one case; its format stands in
// conformance/README.md there, and in seeds/README.md for cases that must be refused.
//
// A file of testdata/ops holds several cases. The comment on top is the title and the
// source of all; each case starts with a section of its name, with more such lines
// for it alone, and its other sections have that name in front:
//
//	# add: sums.
//	# source: definition
//
//	-- overflow --
//	Integers wrap at their own width.
//	tolerance: exact
//	-- overflow/module.hlo --
//	-- overflow/inputs --
//	-- overflow/output --
//	-- types --
//	The operands have one element type.
//	-- types/module.hlo --
//	-- types/error --
//	operand 1
//	[add_c1]
//
// There each line of the section error is a piece of text that the error must contain.
//
// A module for several devices may have the sections inputs.whole and output.whole instead of those of each device:
// arrays of which the devices take and give the parts that the program says. A module may also be StableHLO:
// module.mlir.
package golden

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
)

// Case is one golden case.
type Case struct {
	Path  string // the file
	Name  string // the case in a file of several; otherwise empty
	Title string // what the case shows
	// Source says where the result comes from: xla-cpu, definition, document.
	Source               string
	Tolerance            literal.Tolerance
	Replicas, Partitions int
	// Module is HLO text, or StableHLO text. It is empty for a rule that HLO text cannot express.
	Module string
	// MustFail: the module must be refused; Fault says why in plain words, and the
	// error contains each of Words.
	MustFail bool
	Fault    string
	Words    []string
	Devices  []Device
	// Whole, if not nil, has the inputs and the output of all partitions together; Devices are empty then.
	Whole *Device
	// Transform, if not nil, changes the program between reading and compiling it.
	Transform func(context.Context, *hlo.Module) error

	devices map[int]*Device // the sections read so far
}

// Device is what one device gets and gives, as texts of literals.
type Device struct {
	Inputs, Infeed, Outfeed []string
	Output                  string
}

// String returns the file, with the name of the case where it has one.
func (c *Case) String() string {
	if c.Name == "" {
		return c.Path
	}
	return c.Path + "#" + c.Name
}

// MaxCaseSize is the largest case file that ReadAll accepts, in bytes.
const MaxCaseSize = 64 << 20

// ReadAll reads the cases in file path: one, or in a file of several all of them, in order.
func ReadAll(path string) ([]*Case, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxCaseSize {
		return nil, fmt.Errorf("%s: expects at most %d bytes, got %d", path, MaxCaseSize, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	cases, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, c := range cases {
		c.Path = path
	}
	return cases, nil
}

// Parse reads cases from memory: at least one.
func Parse(data []byte) ([]*Case, error) {
	archive := txtar.Parse(data)
	top := Case{Replicas: 1, Partitions: 1}
	if err := top.header(string(archive.Comment)); err != nil {
		return nil, err
	}
	var cases []*Case
	if slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return strings.Contains(f.Name, "/") }) {
		var err error
		if cases, err = parseNamed(top, archive.Files); err != nil {
			return nil, err
		}
	} else {
		c, err := parseOne(top, archive.Files)
		if err != nil {
			return nil, err
		}
		cases = []*Case{c}
	}
	return cases, nil
}

// parseOne reads a file that is one case.
func parseOne(c Case, files []txtar.File) (*Case, error) {
	c.devices = map[int]*Device{}
	for _, f := range files {
		if err := c.section(f.Name, string(f.Data)); err != nil {
			return nil, err
		}
	}
	return &c, c.finish()
}

// parseNamed reads a file of several cases. What top holds is for all of them.
func parseNamed(top Case, files []txtar.File) ([]*Case, error) {
	var cases []*Case
	for _, f := range files {
		name, section, inside := strings.Cut(f.Name, "/")
		if !inside {
			if slices.ContainsFunc(cases, func(c *Case) bool { return c.Name == name }) {
				return nil, fmt.Errorf("case %s is there twice", name)
			}
			c := top
			c.Name, c.Title, c.devices = name, "", map[int]*Device{}
			cases = append(cases, &c)
			if err := c.header(string(f.Data)); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		if len(cases) == 0 || cases[len(cases)-1].Name != name {
			return nil, fmt.Errorf("section %s: expects a section %s before it", f.Name, name)
		}
		if err := cases[len(cases)-1].namedSection(section, string(f.Data)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, c := range cases {
		if err := c.finish(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return cases, nil
}

// namedSection is section for a case among several: error holds words of the error.
func (c *Case) namedSection(name, data string) error {
	if name != "error" {
		return c.section(name, data)
	}
	c.MustFail, c.Fault, c.Words = true, c.Title, textLines(data)
	if len(c.Words) == 0 {
		return fmt.Errorf("section error: expects words of the error, got none")
	}
	return nil
}

// finish checks that nothing is missing.
func (c *Case) finish() error {
	if c.Name != "" && c.Module == "" {
		return fmt.Errorf("no section %s/module.hlo", c.Name)
	}
	if c.MustFail {
		return nil
	}
	if c.Whole != nil {
		c.Devices = make([]Device, c.Replicas*c.Partitions)
		return nil
	}
	for i := range c.Replicas * c.Partitions {
		if c.devices[i] == nil {
			return fmt.Errorf("device %d has no section output.%d", i, i)
		}
		c.Devices = append(c.Devices, *c.devices[i])
	}
	return nil
}

// maxDevices bounds what a header can ask for.
const maxDevices = 1024

// header reads the comment lines on top.
func (c *Case) header(text string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
		key, value, found := strings.Cut(line, ": ")
		var err error
		switch {
		case !found && c.Title == "":
			c.Title = line
		case key == "tolerance":
			c.Tolerance, err = literal.ParseTolerance(value)
		case key == "source":
			c.Source = value
		case key == "replicas":
			c.Replicas, err = deviceCount(value)
		case key == "partitions":
			c.Partitions, err = deviceCount(value)
		case c.Title == "":
			c.Title = line
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func deviceCount(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > maxDevices {
		return 0, fmt.Errorf("expects a number from 1 to %d, got %q", maxDevices, text)
	}
	return n, nil
}

// section reads one file of the archive: NAME, NAME.DEVICE or NAME.whole.
func (c *Case) section(name, data string) error {
	kind, number, _ := strings.Cut(name, ".")
	switch name {
	case "module.hlo", "module.mlir":
		c.Module = data
		return nil
	case "error":
		c.MustFail, c.Fault = true, strings.TrimSpace(data)
		return nil
	case "rule":
		return nil
	}
	if number == "whole" {
		if c.Whole == nil {
			c.Whole = &Device{}
		}
		return c.Whole.set(kind, data)
	}
	device := 0
	if number != "" {
		var err error
		if device, err = strconv.Atoi(number); err != nil || device < 0 || device >= maxDevices {
			return fmt.Errorf("section %s: expects a device number, got %q", name, number)
		}
	}
	if c.devices[device] == nil {
		c.devices[device] = &Device{}
	}
	return c.devices[device].set(kind, data)
}

func (d *Device) set(kind, data string) error {
	lines := textLines(data)
	switch kind {
	case "inputs":
		d.Inputs = lines
	case "infeed":
		d.Infeed = lines
	case "outfeed":
		d.Outfeed = lines
	case "output":
		d.Output = strings.TrimSpace(data)
	default:
		return fmt.Errorf("section %s is unknown", kind)
	}
	return nil
}

// textLines returns the lines of text that are not blank, trimmed.
func textLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
