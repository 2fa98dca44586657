package hlopb

import (
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/op"
)

// notInProto are attributes that the binary form does not have.
var notInProto = map[string]bool{"mode": true}

// TestAttributesHaveFields: every attribute of every operation is read and written.
func TestAttributesHaveFields(t *testing.T) {
	rows := tables().attributeRows()
	used := make([]bool, len(rows))
	for c := range op.Code(op.NumCodes) {
		attrs := c.Info().Attrs
		for _, f := range op.Plan(attrs) {
			written := notInProto[f.Name]
			for _, a := range rowsOf(f, attrs, rows) {
				written = written || a.codec.write != nil
				for i := range rows {
					used[i] = used[i] || reflect.DeepEqual(rows[i].path, a.path) && rows[i].attr == a.attr
				}
			}
			if !written {
				t.Errorf("%v: no field for the attribute %s of type %v", c, f.Name, f.Type)
			}
		}
	}
	for i, a := range rows {
		if !used[i] {
			t.Errorf("no operation has the attribute %s of type %v", a.attr, a.typ)
		}
	}
}

// protoFields returns the fields of the messages of XLA's proto files by number.
func protoFields(t *testing.T) map[string]map[int]string {
	t.Helper()
	messages := map[string]map[int]string{}
	text := string(readFile(t, filepath.Join(hlotest.Shared(t), "facts", "hlo_proto_fields.txt")))
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] != "message" {
			continue
		}
		messages[f[1]] = map[int]string{}
		for _, field := range f[3:] {
			name, number, _ := strings.Cut(field, "=")
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(line)
			}
			messages[f[1]][n] = name
		}
	}
	return messages
}

// checkRows compares the rows of a table with the fields of a message.
func checkRows[T any](t *testing.T, m *message[T], fields map[int]string) {
	t.Helper()
	for _, f := range m.rows {
		if fields[int(f.num)] != f.name {
			t.Errorf("field %d: %q, want %q", f.num, f.name, fields[int(f.num)])
		}
	}
}

// TestFieldNumbers compares the tables with XLA's proto files.
func TestFieldNumbers(t *testing.T) {
	s, messages := tables(), protoFields(t)
	for name, check := range map[string]func(t *testing.T, fields map[int]string){
		"ShapeProto":                           func(t *testing.T, f map[int]string) { checkRows(t, &s.shape, f) },
		"LayoutProto":                          func(t *testing.T, f map[int]string) { checkRows(t, &s.layout, f) },
		"ProgramShapeProto":                    func(t *testing.T, f map[int]string) { checkRows(t, &s.program, f) },
		"LiteralProto":                         func(t *testing.T, f map[int]string) { checkRows(t, &s.literal, f) },
		"Window":                               func(t *testing.T, f map[int]string) { checkRows(t, &s.window, f) },
		"WindowDimension":                      func(t *testing.T, f map[int]string) { checkRows(t, &s.windowDim, f) },
		"PaddingConfig":                        func(t *testing.T, f map[int]string) { checkRows(t, &s.padding, f) },
		"PaddingConfig.PaddingConfigDimension": func(t *testing.T, f map[int]string) { checkRows(t, &s.padDim, f) },
		"HloInstructionProto.SliceDimensions":  func(t *testing.T, f map[int]string) { checkRows(t, &s.sliceRange, f) },
		"ConvolutionDimensionNumbers":          func(t *testing.T, f map[int]string) { checkRows(t, &s.dimLabels, f) },
		"OutputOperandAliasing":                func(t *testing.T, f map[int]string) { checkRows(t, &s.aliasing, f) },
		"SourceTarget":                         func(t *testing.T, f map[int]string) { checkRows(t, &s.pair, f) },
		"ResultAccuracy":                       func(t *testing.T, f map[int]string) { checkRows(t, &s.accuracy, f) },
		"SparsityConfig":                       func(t *testing.T, f map[int]string) { checkRows(t, &s.sparsity, f) },
		"SparsityConfig.TensorSparsityConfig":  func(t *testing.T, f map[int]string) { checkRows(t, &s.sparseSide, f) },
		"OpSharding":                           func(t *testing.T, f map[int]string) { checkRows(t, &s.sharding, f) },
		"NamedShardingProto":                   func(t *testing.T, f map[int]string) { checkRows(t, &s.named, f) },
		"NamedShardingProto.DimensionSharding": func(t *testing.T, f map[int]string) { checkRows(t, &s.dimSharding, f) },
		"MeshProto":                            func(t *testing.T, f map[int]string) { checkRows(t, &s.mesh, f) },
		"MeshProto.MeshAxis":                   func(t *testing.T, f map[int]string) { checkRows(t, &s.axis, f) },
		"MeshProto.IotaTransform":              func(t *testing.T, f map[int]string) { checkRows(t, &s.iota, f) },
		"AxisRefProto":                         func(t *testing.T, f map[int]string) { checkRows(t, &s.axisRef, f) },
		"ReplicaGroup":                         func(t *testing.T, f map[int]string) { checkRows(t, &s.group, f) },
		"CollectiveDeviceListProto":            func(t *testing.T, f map[int]string) { checkRows(t, &s.groups, f) },
		"IotaReplicaGroupListProto":            func(t *testing.T, f map[int]string) { checkRows(t, &s.iotaGroups, f) },
		"MeshAxesReplicaGroupListProto":        func(t *testing.T, f map[int]string) { checkRows(t, &s.meshGroups, f) },
		"OpMetadata":                           func(t *testing.T, f map[int]string) { checkRows(t, &s.metadata, f) },
		"Payload":                              func(t *testing.T, f map[int]string) { checkRows(t, &s.payload, f) },
		"FrontendAttributes":                   func(t *testing.T, f map[int]string) { checkRows(t, &s.attributes, f) },
		"Statistic":                            func(t *testing.T, f map[int]string) { checkRows(t, &s.statistic, f) },
		"StatisticsViz":                        func(t *testing.T, f map[int]string) { checkRows(t, &s.statistics, f) },
		"OriginalValueProto":                   func(t *testing.T, f map[int]string) { checkRows(t, &s.origin, f) },
		"OriginalValueElementProto":            func(t *testing.T, f map[int]string) { checkRows(t, &s.originLeaf, f) },
		"OriginalArrayProto":                   func(t *testing.T, f map[int]string) { checkRows(t, &s.value, f) },
		"HloInstructionProto":                  func(t *testing.T, f map[int]string) { checkRows(t, &s.instruction, f) },
		"HloComputationProto":                  func(t *testing.T, f map[int]string) { checkRows(t, &s.computation, f) },
		"HloModuleProto":                       func(t *testing.T, f map[int]string) { checkRows(t, &s.module, f) },
		"HloScheduleProto.InstructionSequence": func(t *testing.T, f map[int]string) { checkRows(t, &s.ids, f) },
		"HloInputOutputAliasProto":             func(t *testing.T, f map[int]string) { checkRows(t, &s.aliases, f) },
		"HloInputOutputAliasProto.AliasEntryProto": func(t *testing.T, f map[int]string) {
			checkRows(t, &s.alias, f)
		},
		"HloBufferDonorProto": func(t *testing.T, f map[int]string) { checkRows(t, &s.donors, f) },
		"HloBufferDonorProto.BufferDonorEntryProto": func(t *testing.T, f map[int]string) {
			checkRows(t, &s.donor, f)
		},
		"OriginalValueRecoveryTableProto":       func(t *testing.T, f map[int]string) { checkRows(t, &s.recoveries, f) },
		"OriginalValueRecoveryTableProto.Entry": func(t *testing.T, f map[int]string) { checkRows(t, &s.recovery, f) },
		"StackFrameIndexProto":                  func(t *testing.T, f map[int]string) { checkRows(t, &s.frames, f) },
		"StackFrameIndexProto.FileLocation":     func(t *testing.T, f map[int]string) { checkRows(t, &s.location, f) },
		"StackFrameIndexProto.StackFrame":       func(t *testing.T, f map[int]string) { checkRows(t, &s.frame, f) },
		"DebugAttributesProto":                  func(t *testing.T, f map[int]string) { checkRows(t, &s.debugMark, f) },
		"DebugAttributeTableEntryProto":         func(t *testing.T, f map[int]string) { checkRows(t, &s.debugEntry, f) },
	} {
		t.Run(name, func(t *testing.T) { check(t, messages[name]) })
	}
}

// innerMessages are the messages that hold attributes, by their field in HloInstructionProto.
var innerMessages = map[string]string{
	"dot_dimension_numbers":        "DotDimensionNumbers",
	"ragged_dot_dimension_numbers": "RaggedDotDimensionNumbers",
	"gather_dimension_numbers":     "GatherDimensionNumbers",
	"scatter_dimension_numbers":    "ScatterDimensionNumbers",
	"precision_config":             "PrecisionConfig",
	"triangular_solve_options":     "TriangularSolveOptions",
	"cholesky_options":             "CholeskyOptions",
	"parameter_replication":        "ParameterReplication",
}

// TestAttributeNumbers compares the rows of attributes with XLA's proto files.
func TestAttributeNumbers(t *testing.T) {
	messages := protoFields(t)
	for _, a := range tables().attributeRows() {
		at := "HloInstructionProto"
		for i, num := range a.path {
			if got := messages[at][int(num)]; got != a.names[i] {
				t.Errorf("attribute %s: field %d of %s is %q, want %q", a.attr, num, at, a.names[i], got)
			}
			at = innerMessages[a.names[i]]
		}
	}
}

// TestDeterministic: equal modules give equal bytes, however they were read.
func TestDeterministic(t *testing.T) {
	_, parts := cases(t)
	m, err := hlotext.Parse(parts["attributes.text.hlo"], hlotext.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := Append(nil, m.Clone())
		if err != nil || string(again) != string(first) {
			t.Fatalf("a clone gives other bytes (%v)", err)
		}
	}
}
