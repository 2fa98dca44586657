package gomlx

import (
	"cmp"
	"maps"
	"math"
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
	// FlushDenormals takes numbers below the smallest normal one for zeros in compiled code, which is faster.
	FlushDenormals bool
	// Interp runs the evaluator, which defines what programs mean and is slow, in place of the compiler.
	Interp bool
}

// parsers read the values of the keys of a configuration.
var parsers = map[string]func(c *Config, value string) error{
	"threads": func(c *Config, v string) error { return count(&c.Threads, v, 0, most) },
	"devices": func(c *Config, v string) error { return count(&c.Devices, v, 1, most) },
	"memory":  func(c *Config, v string) error { return count(&c.MemoryLimit, v, 0, math.MaxInt64) },
	"denormals": func(c *Config, v string) error {
		if v != "keep" && v != "flush" {
			return errors.Errorf("expected keep or flush, got %q", v)
		}
		c.FlushDenormals = v == "flush"
		return nil
	},
	"run": func(c *Config, v string) error {
		if v != "cpu" && v != "interp" {
			return errors.Errorf("expected cpu or interp, got %q", v)
		}
		c.Interp = v == "interp"
		return nil
	},
}

// most is the highest number of threads and of devices.
const most = 1 << 16

// count reads the number in v, which is to be in a range, to n.
func count[T int | int64](n *T, v string, least, most T) error {
	x, err := strconv.ParseInt(v, 10, 64)
	if err != nil || x < int64(least) || x > int64(most) {
		return errors.Errorf("expected a number from %d to %d, got %q", least, most, v)
	}
	*n = T(x)
	return nil
}

// ParseConfig reads a configuration: key=value pairs with commas between them, of the keys threads, devices,
// memory (a limit in bytes), denormals (keep or flush) and run (cpu or interp). It fails for other keys, for one that
// comes twice, and for values that are none.
func ParseConfig(text string) (Config, error) {
	c := Config{Devices: 1}
	seen := map[string]bool{}
	for field := range strings.SplitSeq(text, ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		key, value, _ := strings.Cut(field, "=")
		parse := parsers[key]
		if parse == nil {
			return c, errors.Errorf("%s: configuration %q: expected one of the keys %s, got %q", Name, text,
				strings.Join(slices.Sorted(maps.Keys(parsers)), ", "), key)
		}
		if seen[key] {
			return c, errors.Errorf("%s: configuration %q: expected %s once", Name, text, key)
		}
		seen[key] = true
		if err := parse(&c, value); err != nil {
			return c, errors.WithMessagef(err, "%s: configuration %q: %s", Name, text, key)
		}
	}
	return c, nil
}

func (c Config) memoryLimit() int64 { return cmp.Or(c.MemoryLimit, interp.DefaultMemoryLimit) }

// options are those of the client for c.
func (c Config) options() xla.Options {
	o := xla.Options{Backend: xla.CPU(), Threads: c.Threads, Devices: c.Devices, MemoryLimit: c.MemoryLimit,
		FlushDenormals: c.FlushDenormals}
	if c.Interp {
		o.Backend = xla.Interp()
	}
	return o
}
