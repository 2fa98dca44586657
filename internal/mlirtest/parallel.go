package mlirtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/goxla/xla"
	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo/lower"
)

// parallel runs programs at once. What one sends to the host goes to those that receive
// from the host by the same channel.
func (r *runner) parallel(ctx context.Context, p lower.Parallel) ([]literal.Literal, error) {
	var parts [][]xla.Part
	next := 0
	for _, row := range p.Programs {
		var list []xla.Part
		for _, name := range row {
			exe, err := r.compile(ctx, name)
			if err != nil {
				return nil, err
			}
			n := len(exe.Signature().Params)
			if next+n > len(p.Operands) {
				return nil, fmt.Errorf("expected at least %d operands for the programs, got %d", next+n, len(p.Operands))
			}
			list = append(list, xla.Part{Exe: exe, Args: p.Operands[next : next+n]})
			next += n
		}
		parts = append(parts, list)
	}
	host := ffi.NewHost()
	if err := r.feed(ctx, host, parts, p.Infeed); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	bridge(ctx, &wg, host, parts)
	out, err := r.client.RunGrid(ctx, parts, xla.WithHost(host))
	cancel()
	wg.Wait()
	if err != nil {
		return nil, err
	}
	var results []literal.Literal
	for _, list := range out {
		results = append(results, list...)
	}
	return results, nil
}

// feed puts what the functions return into the infeed of every device.
func (r *runner) feed(ctx context.Context, host *ffi.Host, parts [][]xla.Part, functions []string) error {
	for _, name := range functions {
		exe, err := r.compile(ctx, name)
		if err != nil {
			return err
		}
		out, err := exe.Run(ctx)
		if err != nil {
			return err
		}
		value := literal.MakeTuple(out...)
		if !exe.Signature().Result.IsTuple() {
			value = out[0]
		}
		for d := range len(parts) * len(parts[0]) {
			if err := host.Infeed(d).Put(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// bridge moves values from devices that send to devices that receive, by channel.
func bridge(ctx context.Context, wg *sync.WaitGroup, host *ffi.Host, parts [][]xla.Part) {
	receivers, senders := channels(parts, op.Recv), channels(parts, op.Send)
	for _, from := range senders {
		wg.Go(func() {
			for {
				v, err := host.ToHost(from.device, from.channel).Take(ctx)
				if err != nil {
					return
				}
				for _, to := range receivers {
					if to.channel == from.channel && host.FromHost(to.device, to.channel).Put(v) != nil {
						return
					}
				}
			}
		})
	}
}

// end is an end of a channel between a device and the host.
type end struct{ device, channel int }

// channels returns the ends that operations of a kind have, each once.
func channels(parts [][]xla.Part, code op.Code) []end {
	var ends []end
	seen := map[end]bool{}
	device := 0
	for _, row := range parts {
		for _, p := range row {
			for _, i := range instructions(p.Exe.Module()) {
				a, ok := i.Attrs().(*op.ChannelAttrs)
				if i.Code() != code || !ok || !a.IsHostTransfer || seen[end{device, a.ChannelID.Value}] {
					continue
				}
				seen[end{device, a.ChannelID.Value}] = true
				ends = append(ends, end{device, a.ChannelID.Value})
			}
			device++
		}
	}
	return ends
}

func instructions(m *hlo.Module) []*hlo.Instruction {
	var all []*hlo.Instruction
	for _, c := range m.Computations() {
		all = append(all, c.Instructions()...)
	}
	return all
}
