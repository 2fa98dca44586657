package golden

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// Status is the outcome of a case.
type Status uint8

// The outcomes.
const (
	Passed Status = iota
	Failed
	Skipped
)

// ErrSkipped says why a case was not run.
var ErrSkipped = errors.New("skipped")

// Run runs the case with client. The error is nil if it passed; it wraps
// ErrSkipped if this client cannot run the case.
func (c *Case) Run(ctx context.Context, client *xla.Client) error {
	if c.MustFail {
		return c.runRefused(ctx, client)
	}
	if n := c.Replicas * c.Partitions; n > 1 {
		return fmt.Errorf("%w: needs %d devices", ErrSkipped, n)
	}
	d := c.Devices[0]
	if len(d.Infeed)+len(d.Outfeed) > 0 {
		return fmt.Errorf("%w: needs infeed and outfeed", ErrSkipped)
	}
	args, want, err := d.literals()
	if err != nil {
		return err
	}
	exe, err := c.compile(ctx, client)
	if err != nil {
		return err
	}
	out, err := exe.Run(ctx, args...)
	if err != nil {
		return err
	}
	return c.compare(exe, out, want)
}

func (c *Case) compile(ctx context.Context, client *xla.Client) (*xla.Executable, error) {
	prog, err := xla.Parse(c.String(), []byte(c.Module))
	if err != nil {
		return nil, err
	}
	return client.Compile(ctx, prog)
}

// runRefused passes if reading, verifying or compiling the module fails, or
// running it on no arguments where it takes none, and the error says what it must.
func (c *Case) runRefused(ctx context.Context, client *xla.Client) error {
	if c.Module == "" {
		return fmt.Errorf("%w: a rule for a builder call", ErrSkipped)
	}
	exe, err := c.compile(ctx, client)
	if err == nil && len(exe.Signature().Params) == 0 {
		_, err = exe.Run(ctx)
	}
	if err == nil {
		return fmt.Errorf("expects the module to be refused: %s; it was accepted", c.Fault)
	}
	for _, words := range c.Words {
		if !strings.Contains(err.Error(), words) {
			return fmt.Errorf("expects an error with %q, got %w", words, err)
		}
	}
	return nil
}

// literals parses the inputs and the expected output.
func (d *Device) literals() (args []literal.Literal, want literal.Literal, err error) {
	for i, text := range d.Inputs {
		a, err := literal.ParseGolden(text)
		if err != nil {
			return nil, want, fmt.Errorf("input %d: %w", i, err)
		}
		args = append(args, a)
	}
	want, err = literal.ParseGolden(d.Output)
	if err != nil {
		return nil, want, fmt.Errorf("output: %w", err)
	}
	return args, want, nil
}

// compare compares the outputs, put together again where the result is a tuple.
func (c *Case) compare(exe *xla.Executable, out []literal.Literal, want literal.Literal) error {
	var got literal.Literal
	if exe.Signature().Result.IsTuple() {
		got = literal.MakeTuple(out...)
	} else {
		got = out[0]
	}
	return literal.Compare(got, want, c.Tolerance)
}
