// Package golden reads and runs golden cases: a module, its inputs and the result
// that it must have, in one txtar file. Format: conformance/README.md of the test
// data, and its seeds/README.md for cases that must be refused.
package golden

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/goxla/xla/literal"
)

// Case is one golden case.
type Case struct {
	Path  string
	Title string // what the case shows
	// Source says where the result comes from: xla-cpu, definition, document.
	Source               string
	Tolerance            literal.Tolerance
	Replicas, Partitions int
	// Module is HLO text. It is empty for a rule that HLO text cannot express.
	Module string
	// MustFail: the module must be refused; Fault says why in plain words.
	MustFail bool
	Fault    string
	Devices  []Device
}

// Device is what one device gets and gives, as texts of literals.
type Device struct {
	Inputs, Infeed, Outfeed []string
	Output                  string
}

// MaxCaseSize is the largest case file that Read accepts, in bytes.
const MaxCaseSize = 64 << 20

// Read reads the case in file path.
func Read(path string) (*Case, error) {
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
	c, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c.Path = path
	return c, nil
}

// Parse reads a case from memory.
func Parse(data []byte) (*Case, error) {
	archive := txtar.Parse(data)
	c := &Case{Replicas: 1, Partitions: 1}
	if err := c.header(string(archive.Comment)); err != nil {
		return nil, err
	}
	devices := map[int]*Device{}
	for _, f := range archive.Files {
		if err := c.section(f.Name, string(f.Data), devices); err != nil {
			return nil, err
		}
	}
	if c.MustFail {
		return c, nil
	}
	for i := range c.Replicas * c.Partitions {
		if devices[i] == nil {
			return nil, fmt.Errorf("device %d has no section output.%d", i, i)
		}
		c.Devices = append(c.Devices, *devices[i])
	}
	return c, nil
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

// section reads one file of the archive: NAME or NAME.DEVICE.
func (c *Case) section(name, data string, devices map[int]*Device) error {
	kind, number, _ := strings.Cut(name, ".")
	switch name {
	case "module.hlo":
		c.Module = data
		return nil
	case "error":
		c.MustFail, c.Fault = true, strings.TrimSpace(data)
		return nil
	case "rule":
		return nil
	}
	device := 0
	if number != "" {
		var err error
		if device, err = strconv.Atoi(number); err != nil || device < 0 || device >= maxDevices {
			return fmt.Errorf("section %s: expects a device number, got %q", name, number)
		}
	}
	if devices[device] == nil {
		devices[device] = &Device{}
	}
	return devices[device].set(kind, data)
}

func (d *Device) set(kind, data string) error {
	var lines []string
	for line := range strings.Lines(data) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
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
