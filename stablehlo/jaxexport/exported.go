package jaxexport

import (
	"github.com/goxla/xla/stablehlo/bytecode"
	"github.com/goxla/xla/stablehlo/vhlo"
)

// The calling conventions that this package knows.
const (
	MinCallingConvention = 9
	MaxCallingConvention = 10
)

// Exported is a function that jax.export wrote.
type Exported struct {
	SerializationVersion int
	Name                 string // of the function
	// InTree is a tuple of the positional arguments and a dictionary of the named ones,
	// OutTree the result. Their leaves, in order, have the types In and Out.
	InTree, OutTree *Tree
	In, Out         []Aval
	NumDevices      int
	// InShardings and OutShardings say how the leaves are spread over the devices; nil
	// elements: not said.
	InShardings, OutShardings []*Sharding
	Platforms                 []string // lower case: "cpu", "tpu", "cuda"
	OrderedEffects            []string // names of types
	UnorderedEffects          []string
	DisabledChecks            []Check
	CallingConvention         int
	// Kept lists the leaves of the arguments that the module uses, in ascending order.
	Kept                []int
	UsesGlobalConstants bool
	Artifact            []byte    // the portable artifact, a view of the file
	ArtifactOffset      int       // where it stands in the file
	VJP                 *Exported // the derivative, nil if the file has none
}

// Check is a safety check that the user turned off.
type Check struct {
	Kind   string // "platform", "custom_call" or "shape_assertions"
	Target string // of a custom call
}

var checkKinds = []string{"platform", "custom_call", "shape_assertions"}

// The places of fields in the table of an exported function.
const (
	fieldVersion = iota
	fieldName
	fieldInTree
	fieldInAvals
	fieldOutTree
	fieldOutAvals
	fieldNumDevicesShort
	fieldInShardings
	fieldOutShardings
	fieldPlatforms
	fieldOrdered
	fieldUnordered
	fieldDisabledChecks
	fieldModule
	fieldCallingConvention
	fieldKept
	fieldGlobalConstants
	fieldVJP
	fieldNumDevices
	fieldUniqueAvals
	fieldUniqueMeshes
	fieldUniqueShardings
	fieldInAvalIndices
	fieldOutAvalIndices
	fieldInShardingIndices
	fieldOutShardingIndices
)

// IsExported reports whether data looks like a file of jax.export, or like the first part of one: it begins with
// the offset of a table and holds the beginning of a portable artifact.
func IsExported(data []byte) bool {
	w := &walker{data: data, budget: len(data)}
	t := w.tableAt(w.follow(0))
	at := t.at(fieldModule)
	if at == 0 {
		return false
	}
	module := w.follow(at) + 4 // behind its length
	return w.err == nil && module <= len(data) && bytecode.IsBytecode(data[module:])
}

// Read reads a file of jax.export. The artifact in it is not read yet: see
// [Exported.Module]. Errors are of type *[Error].
func Read(data []byte) (*Exported, error) {
	w := &walker{data: data, budget: len(data), field: "root"}
	e := w.exported(w.tableAt(w.follow(0)))
	if w.err != nil {
		return nil, w.err
	}
	return e, nil
}

// exported reads the table of a function.
func (w *walker) exported(t table) *Exported {
	if w.depth++; w.depth > maxDepth {
		w.fail(t.pos, "functions are nested more than %d deep", maxDepth)
		return nil
	}
	defer func() { w.depth-- }()
	e := &Exported{}
	u := &uniques{}
	for _, f := range fields {
		w.field = f.name
		f.read(e, u, t)
		if w.err != nil {
			return nil
		}
	}
	if vjp, ok := t.table(fieldVJP); ok {
		e.VJP = w.exported(vjp)
	}
	w.field = "calling_convention_version"
	if e.CallingConvention < MinCallingConvention || e.CallingConvention > MaxCallingConvention {
		w.fail(t.pos, "expected a number in [%d, %d], got %d",
			MinCallingConvention, MaxCallingConvention, e.CallingConvention)
	}
	w.field = "root"
	w.checkLeaves(t, "in_tree", e.InTree, len(e.In))
	w.checkLeaves(t, "out_tree", e.OutTree, len(e.Out))
	for i, k := range e.Kept {
		if k >= len(e.In) || (i > 0 && k <= e.Kept[i-1]) {
			w.field = "module_kept_var_idx"
			w.fail(t.pos, "expected ascending numbers in [0, %d), got %d", len(e.In), k)
		}
	}
	return e
}

// checkLeaves compares the leaves of a tree with the types of them.
func (w *walker) checkLeaves(t table, field string, tree *Tree, n int) {
	if tree != nil && tree.NumLeaves() != n {
		w.field = field
		w.fail(t.pos, "expected %d leaves, as many as there are types, got %d", n, tree.NumLeaves())
	}
}

// fields reads the fields of a function, those first that others refer to.
var fields = []struct {
	name string
	read func(*Exported, *uniques, table)
}{
	{"serialization_version", func(e *Exported, _ *uniques, t table) { e.SerializationVersion = t.u16(fieldVersion) }},
	{"function_name", func(e *Exported, _ *uniques, t table) { e.Name = t.text(fieldName) }},
	{"in_tree", func(e *Exported, _ *uniques, t table) { e.InTree = t.tree(fieldInTree) }},
	{"out_tree", func(e *Exported, _ *uniques, t table) { e.OutTree = t.tree(fieldOutTree) }},
	{"unique_avals", func(_ *Exported, u *uniques, t table) {
		u.avals = each(t.vector(fieldUniqueAvals, 4), readAval)
	}},
	{"unique_abstract_meshes", func(_ *Exported, u *uniques, t table) {
		u.meshes = each(t.vector(fieldUniqueMeshes, 4), readMesh)
	}},
	{"unique_named_shardings", func(_ *Exported, u *uniques, t table) {
		u.shardings = each(t.vector(fieldUniqueShardings, 4), u.readNamed)
	}},
	{"in_avals", func(e *Exported, u *uniques, t table) { e.In = u.avalList(t, fieldInAvalIndices, fieldInAvals) }},
	{"out_avals", func(e *Exported, u *uniques, t table) { e.Out = u.avalList(t, fieldOutAvalIndices, fieldOutAvals) }},
	{"in_shardings", func(e *Exported, u *uniques, t table) {
		e.InShardings = u.shardingList(t, fieldInShardingIndices, fieldInShardings)
	}},
	{"out_shardings", func(e *Exported, u *uniques, t table) {
		e.OutShardings = u.shardingList(t, fieldOutShardingIndices, fieldOutShardings)
	}},
	{"nr_devices", func(e *Exported, _ *uniques, t table) {
		if e.NumDevices = int(t.u32(fieldNumDevices)); e.NumDevices == 0 {
			e.NumDevices = t.u16(fieldNumDevicesShort)
		}
	}},
	{"platforms", func(e *Exported, _ *uniques, t table) { e.Platforms = t.texts(fieldPlatforms) }},
	{"ordered_effects", func(e *Exported, _ *uniques, t table) {
		e.OrderedEffects = each(t.vector(fieldOrdered, 4), func(t table) string { return t.text(0) })
	}},
	{"unordered_effects", func(e *Exported, _ *uniques, t table) {
		e.UnorderedEffects = each(t.vector(fieldUnordered, 4), func(t table) string { return t.text(0) })
	}},
	{"disabled_checks", func(e *Exported, _ *uniques, t table) {
		e.DisabledChecks = each(t.vector(fieldDisabledChecks, 4), readCheck)
	}},
	{"mlir_module_serialized", func(e *Exported, _ *uniques, t table) {
		e.Artifact, e.ArtifactOffset = t.bytes(fieldModule)
	}},
	{"calling_convention_version", func(e *Exported, _ *uniques, t table) {
		e.CallingConvention = t.u16(fieldCallingConvention)
	}},
	{"module_kept_var_idx", func(e *Exported, _ *uniques, t table) { e.Kept = t.numbers(fieldKept, 2) }},
	{"uses_global_constants", func(e *Exported, _ *uniques, t table) {
		e.UsesGlobalConstants = t.byte(fieldGlobalConstants) != 0
	}},
}

func readCheck(t table) Check {
	k := t.byte(0)
	if k >= len(checkKinds) {
		t.w.fail(t.pos, "unknown kind %d of check", k)
		return Check{}
	}
	return Check{Kind: checkKinds[k], Target: t.text(1)}
}

// Module reads the portable artifact. Offsets in errors count from the beginning of the
// file.
func (e *Exported) Module() (*vhlo.Artifact, error) {
	a, err := vhlo.Read(e.Artifact)
	if b, ok := err.(*bytecode.Error); ok {
		moved := *b
		moved.Offset += e.ArtifactOffset
		return nil, &moved
	}
	return a, err
}
