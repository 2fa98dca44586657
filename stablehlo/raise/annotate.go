package raise

import (
	"slices"
	"sort"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// The names of the attributes that JAX and XLA give to programs.
const (
	shardingAttr    = "mhlo.sharding"
	frontendAttr    = "mhlo.frontend_attributes"
	layoutAttr      = "mhlo.layout_mode"
	replicationAttr = "mhlo.parameter_replication"
	aliasAttr       = "tf.aliasing_output"
	donorAttr       = "jax.buffer_donor"
	replicasAttr    = "mhlo.num_replicas"
	partitionsAttr  = "mhlo.num_partitions"
)

// header sets the attributes of the module.
func (r *raiser) header() error {
	m := r.module
	if m.Name != "" {
		r.out.Op.SetAttr("sym_name", stablehlo.StringAttr{Value: m.Name})
	}
	if m.Replicas > 1 {
		r.out.Op.SetAttr(replicasAttr, stablehlo.Int32(int32(m.Replicas)))
	}
	if m.Partitions > 1 {
		r.out.Op.SetAttr(partitionsAttr, stablehlo.Int32(int32(m.Partitions)))
	}
	if d := dictionary(m.FrontendAttributes); d != nil {
		r.out.Op.SetAttr(frontendAttr, d)
	}
	return nil
}

// dictionary returns frontend attributes as a dictionary of strings, nil for none.
func dictionary(list []hlo.KeyValue) *stablehlo.DictAttr {
	d := &stablehlo.DictAttr{}
	for _, a := range list {
		if d.Get(a.Key) == nil {
			d.Entries = append(d.Entries, attr(a.Key, stablehlo.StringAttr{Value: a.Value}))
		}
	}
	if len(d.Entries) == 0 {
		return nil
	}
	sort.SliceStable(d.Entries, func(a, b int) bool { return d.Entries[a].Name < d.Entries[b].Name })
	return d
}

// shardingText returns the attribute of a sharding.
func shardingText(s *op.Sharding) stablehlo.Attribute {
	return stablehlo.StringAttr{Value: string(s.AppendText(nil, false))}
}

// decorate gives the last operation of the instruction what any instruction may carry.
// The rules of composites and of send and recv have used up some frontend attributes.
func (c *call) decorate() {
	if c.first == len(c.s.block.Ops) {
		return
	}
	o := c.s.block.Ops[len(c.s.block.Ops)-1]
	if c.i.Sharding != nil {
		o.SetAttr(shardingAttr, shardingText(c.i.Sharding))
	}
	var rest []hlo.KeyValue
	for _, a := range c.i.FrontendAttributes {
		transfer := c.i.Code() == op.Send || c.i.Code() == op.Recv
		if p, ok := pairsAttr(a.Value); ok && transfer && a.Key == pairsKey {
			o.SetAttr("source_target_pairs", p)
			continue
		}
		if o.Name != "stablehlo.composite" || !strings.HasPrefix(a.Key, "composite.") {
			rest = append(rest, a)
		}
	}
	if d := dictionary(rest); d != nil {
		o.SetAttr(frontendAttr, d)
	}
}

// constrain makes the custom call that says how v is spread over devices.
func (c *call) constrain(v value) value {
	return single(c.make("stablehlo.custom_call", v.v.Type, []*stablehlo.Value{v.v},
		attr("call_target_name", stablehlo.StringAttr{Value: "Sharding"}),
		attr("backend_config", stablehlo.StringAttr{})))
}

// annotate sets the attributes of a function's arguments and results.
func (r *raiser) annotate(f *stablehlo.Op, c *hlo.Computation) error {
	t := f.FuncType()
	args, results := make([]stablehlo.DictAttr, len(t.Inputs)), make([]stablehlo.DictAttr, len(t.Results))
	first := 0
	for _, p := range c.Params() {
		n := countLeaves(p.Shape())
		annotateLeaves(args[first:first+n], p)
		first += n
	}
	if root := c.Root(); root.Sharding != nil {
		setSharding(results, root.Sharding)
	}
	if c == r.module.Entry() {
		if err := r.annotateEntry(args, results); err != nil {
			return err
		}
	}
	setDicts(f, "arg_attrs", args)
	setDicts(f, "res_attrs", results)
	return nil
}

// annotateLeaves sets what the parameter p says of its leaves.
func annotateLeaves(leaves []stablehlo.DictAttr, p *hlo.Instruction) {
	if p.Sharding != nil {
		setSharding(leaves, p.Sharding)
	}
	a, _ := p.Attrs().(*op.ParameterAttrs)
	for i := range leaves {
		if d := dictionary(p.FrontendAttributes); d != nil {
			set(&leaves[i], frontendAttr, d)
		}
		if a != nil && i < len(a.Replication) && a.Replication[i] {
			set(&leaves[i], replicationAttr, &stablehlo.ArrayAttr{Elems: []stablehlo.Attribute{stablehlo.Bool(true)}})
		}
	}
}

// setSharding gives each leaf its part of a sharding, or the whole.
func setSharding(leaves []stablehlo.DictAttr, s *op.Sharding) {
	for i := range leaves {
		part := s
		if s.Kind == op.ShardingTuple {
			if len(s.Elems) != len(leaves) {
				return
			}
			part = &s.Elems[i]
		}
		set(&leaves[i], shardingAttr, shardingText(part))
	}
}

// annotateEntry sets what the header of the module says of its parameters and result.
func (r *raiser) annotateEntry(args, results []stablehlo.DictAttr) error {
	m := r.module
	sig := m.EntrySignature()
	starts := make([]int, len(sig.Params))
	n := 0
	for i, p := range sig.Params {
		starts[i] = n
		for _, s := range leafShapes(nil, p) {
			if n < len(args) {
				setLayout(&args[n], s)
			}
			n++
		}
	}
	for i, s := range leafShapes(nil, sig.Result) {
		if i < len(results) {
			setLayout(&results[i], s)
		}
	}
	place := func(param int, index []int) (int, bool) {
		if param < 0 || param >= len(starts) {
			return 0, false
		}
		k, ok := leafIndex(sig.Params[param], index)
		return starts[param] + k, ok && starts[param]+k < len(args)
	}
	for _, a := range m.InputOutputAlias {
		k, ok := place(a.Param, a.ParamIndex)
		out, ok2 := leafIndex(sig.Result, a.OutputIndex)
		if !ok || !ok2 {
			return &hlo.Error{Pos: hlo.Pos{File: m.File}, Err: errorf(
				"input_output_alias: expected parts of the result and of a parameter, got %v and %d %v",
				a.OutputIndex, a.Param, a.ParamIndex)}
		}
		set(&args[k], aliasAttr, stablehlo.Int32(int32(out)))
	}
	for _, d := range m.BufferDonors {
		if k, ok := place(d.Param, d.Index); ok {
			set(&args[k], donorAttr, stablehlo.Bool(true))
		}
	}
	return nil
}

// setLayout says how an argument or result lies in memory where that is not by rows.
func setLayout(d *stablehlo.DictAttr, s shape.Shape) {
	if s.IsArray() && !s.Layout.IsDefault() {
		set(d, layoutAttr, stablehlo.StringAttr{Value: s.Layout.String()})
	}
}

// set puts an entry into a dictionary.
func set(d *stablehlo.DictAttr, name string, a stablehlo.Attribute) {
	i, found := slices.BinarySearchFunc(d.Entries, name, func(e stablehlo.NamedAttribute, name string) int {
		return strings.Compare(e.Name, name)
	})
	if found {
		d.Entries[i].Value = a
		return
	}
	d.Entries = slices.Insert(d.Entries, i, attr(name, a))
}

// setDicts sets a list of dictionaries as an attribute of f, unless all are empty.
func setDicts(f *stablehlo.Op, name string, dicts []stablehlo.DictAttr) {
	list, any := &stablehlo.ArrayAttr{}, false
	for i := range dicts {
		any = any || len(dicts[i].Entries) > 0
		list.Elems = append(list.Elems, &dicts[i])
	}
	if any {
		f.SetAttr(name, list)
	}
}

// location returns where an instruction comes from in the user's program, nil where
// that is not known.
func location(i *hlo.Instruction) stablehlo.Location {
	m := i.Metadata
	if m == nil {
		return nil
	}
	var loc stablehlo.Location
	if m.SourceFile != "" {
		loc = &stablehlo.FileLoc{File: m.SourceFile, Line: m.SourceLine, Col: m.SourceColumn, EndLine: m.SourceEndLine,
			EndCol: m.SourceEndColumn, Range: m.SourceEndLine > 0}
	}
	if m.OpName != "" {
		return &stablehlo.NameLoc{Name: m.OpName, Child: loc}
	}
	return loc
}
