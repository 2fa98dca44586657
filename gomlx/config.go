package gomlx

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/interp"
	"github.com/pkg/errors"
)

// Config is what a configuration text says.
type Config struct {
	// Threads is the most threads that an execution uses on a device; 0 is as many as the process may use.
	Threads int
	// Devices is the number of logical devices; at least 1.
	Devices int
	// MemoryLimit is the most bytes that the values of an execution may take on a device, and those of a buffer; 0 is
	// interp.DefaultMemoryLimit.
	MemoryLimit int64
	// Interp runs the evaluator, which defines what programs mean and is slow, in place of the compiler.
	Interp bool
}

// parsers read the values of the keys of a configuration.
var parsers = map[string]func(c *Config, value string) error{
	"threads": func(c *Config, v string) (err error) { c.Threads, err = count(v, 0); return err },
	"devices": func(c *Config, v string) (err error) { c.Devices, err = count(v, 1); return err },
	"memory": func(c *Config, v string) error {
		n, err := count(v, 0)
		c.MemoryLimit = int64(n)
		return err
	},
	"run": func(c *Config, v string) error {
		if v != "cpu" && v != "interp" {
			return errors.Errorf("expected cpu or interp, got %q", v)
		}
		c.Interp = v == "interp"
		return nil
	},
}

func count(v string, least int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < least {
		return 0, errors.Errorf("expected a number of at least %d, got %q", least, v)
	}
	return n, nil
}

// ParseConfig reads a configuration: key=value pairs with commas between them, of the keys threads, devices,
// memory (a limit in bytes) and run (cpu or interp). It fails for other keys and for values that are none.
func ParseConfig(text string) (Config, error) {
	c := Config{Devices: 1}
	for field := range strings.SplitSeq(text, ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		key, value, _ := strings.Cut(field, "=")
		parse := parsers[key]
		if parse == nil {
			keys := make([]string, 0, len(parsers))
			for k := range parsers {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			return c, errors.Errorf("%s: configuration %q: expected one of the keys %s, got %q", Name, text,
				strings.Join(keys, ", "), key)
		}
		if err := parse(&c, value); err != nil {
			return c, errors.WithMessagef(err, "%s: configuration %q: %s", Name, text, key)
		}
	}
	return c, nil
}

func (c Config) memoryLimit() int64 { return cmp.Or(c.MemoryLimit, interp.DefaultMemoryLimit) }

// options are those of the client for c.
func (c Config) options() xla.Options {
	o := xla.Options{Backend: xla.CPU(), Threads: c.Threads, Devices: c.Devices, MemoryLimit: c.MemoryLimit}
	if c.Interp {
		o.Backend = xla.Interp()
	}
	return o
}
