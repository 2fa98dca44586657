package golden

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
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

// Run runs the case with client, on as many devices as it has. The error is nil if it
// passed; it wraps ErrSkipped if this client cannot run the case.
func (c *Case) Run(ctx context.Context, client *xla.Client) error {
	if c.MustFail {
		return c.runRefused(ctx, client)
	}
	if c.Whole != nil {
		return c.runWhole(ctx, client)
	}
	host := ffi.NewHost()
	args, want := make([][]literal.Literal, len(c.Devices)), make([]literal.Literal, len(c.Devices))
	for i := range c.Devices {
		var err error
		if args[i], want[i], err = c.Devices[i].prepare(host, i); err != nil {
			return c.onDevice(i, err)
		}
	}
	host.Close()
	exe, err := c.compile(ctx, client)
	if err != nil {
		return err
	}
	out, err := exe.RunReplicated(ctx, args, xla.WithHost(host))
	if err != nil {
		return err
	}
	for i := range c.Devices {
		if out[i] == nil { // of another process
			continue
		}
		if err := c.compare(exe, out[i], want[i]); err != nil {
			return c.onDevice(i, err)
		}
		if err := c.compareFeeds(host, i); err != nil {
			return c.onDevice(i, err)
		}
	}
	return nil
}

// onDevice adds the device to err where there are several.
func (c *Case) onDevice(i int, err error) error {
	if len(c.Devices) == 1 {
		return err
	}
	return fmt.Errorf("device %d: %w", i, err)
}

// compareFeeds checks that the device has read all of its infeed and written what it must.
func (c *Case) compareFeeds(host *ffi.Host, i int) error {
	if rest := host.Infeed(i).Drain(); len(rest) > 0 {
		return fmt.Errorf("infeed: %d of %d values were not read", len(rest), len(c.Devices[i].Infeed))
	}
	got, texts := host.Outfeed(i).Drain(), c.Devices[i].Outfeed
	if len(got) != len(texts) {
		return fmt.Errorf("outfeed: expects %d values, got %d", len(texts), len(got))
	}
	for k, text := range texts {
		want, err := literal.ParseGolden(text)
		if err == nil {
			err = literal.Compare(got[k], want, c.Tolerance)
		}
		if err != nil {
			return fmt.Errorf("outfeed %d: %w", k, err)
		}
	}
	return nil
}

// Handlers are the custom calls that cases make.
func Handlers() ffi.Handlers { return ffi.Handlers{"myfunc": ffi.Func(myfunc)} }

// myfunc is the example of the 2017 document: z[0][0] = x[1] + y[1][0].
func myfunc(_ context.Context, c *ffi.Call) error {
	x, y := c.Operands[0], c.Operands[1]
	c.Results[0].SetFloat(0, x.FloatAt(1)+y.FloatAt(y.Index(1, 0)))
	return nil
}

func (c *Case) compile(ctx context.Context, client *xla.Client) (*xla.Executable, error) {
	prog, err := xla.Parse(c.String(), []byte(c.Module))
	if err != nil {
		return nil, err
	}
	if c.Transform != nil {
		if err := c.Transform(ctx, prog.Module()); err != nil {
			return nil, err
		}
	}
	return client.Compile(ctx, prog, xla.WithDevices(c.Replicas, c.Partitions))
}

// runRefused passes if reading, verifying or compiling the module fails, or
// running it on no arguments where it takes none, and the error says what it must.
func (c *Case) runRefused(ctx context.Context, client *xla.Client) error {
	if c.Module == "" {
		return fmt.Errorf("%w: a rule for a builder call", ErrSkipped)
	}
	exe, err := c.compile(ctx, client)
	if err == nil && len(exe.Signature().Params) == 0 {
		_, err = exe.RunReplicated(ctx, make([][]literal.Literal, exe.Devices()))
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

// prepare parses the inputs and the expected output of device i, and fills its infeed.
func (d *Device) prepare(host *ffi.Host, i int) (args []literal.Literal, want literal.Literal, err error) {
	for k, text := range d.Inputs {
		a, err := literal.ParseGolden(text)
		if err != nil {
			return nil, want, fmt.Errorf("input %d: %w", k, err)
		}
		args = append(args, a)
	}
	for k, text := range d.Infeed {
		a, err := literal.ParseGolden(text)
		if err == nil {
			err = host.Infeed(i).Put(a)
		}
		if err != nil {
			return nil, want, fmt.Errorf("infeed %d: %w", k, err)
		}
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

// runWhole runs a case whose arrays are given as a whole.
func (c *Case) runWhole(ctx context.Context, client *xla.Client) error {
	args, want, err := c.Whole.prepare(ffi.NewHost(), 0)
	if err != nil {
		return err
	}
	exe, err := c.compile(ctx, client)
	if err != nil {
		return err
	}
	split, err := exe.SplitArgs(args)
	if err != nil {
		return err
	}
	out, err := exe.RunReplicated(ctx, split)
	if err != nil {
		return err
	}
	wants := []literal.Literal{want}
	if want.Shape().IsTuple() {
		wants = want.Elems()
	}
	for d, list := range out {
		if list == nil { // of another process
			continue
		}
		if err := c.compareParts(exe, d, list, wants); err != nil {
			return c.onDevice(d, err)
		}
	}
	return nil
}

// compareParts compares the results of device d with its parts of those wanted.
func (c *Case) compareParts(exe *xla.Executable, d int, out, want []literal.Literal) error {
	if len(out) != len(want) {
		return fmt.Errorf("expects %d results, got %d", len(want), len(out))
	}
	for k := range out {
		part, err := exe.ResultPart(k, d, want[k])
		if err != nil {
			return err
		}
		if err := literal.Compare(out[k], part, c.Tolerance); err != nil {
			return fmt.Errorf("result %d: %w", k, err)
		}
	}
	return nil
}
