package hlopb

import (
	"sync"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// schema holds the tables, which refer to each other.
type schema struct {
	shape   message[shape.Shape]
	layout  message[shape.Layout]
	program message[shape.Program]
	literal message[rawLiteral]

	window     message[op.Window]
	windowDim  message[op.WindowDim]
	padding    message[op.Padding]
	padDim     message[op.PadDim]
	sliceRange message[op.SliceRange]
	dimLabels  message[op.DimLabels]
	aliasing   message[op.OutputAliasing]
	pair       message[[2]int]
	accuracy   message[op.ResultAccuracy]
	sparsity   message[op.SparsityConfig]
	sparseSide message[op.Sparsity]

	sharding    message[rawSharding]
	named       message[rawNamed]
	dimSharding message[rawDimSharding]
	mesh        message[rawMesh]
	axis        message[op.MeshAxis]
	axisRef     message[rawAxis]
	iota        message[op.IotaForm]
	group       message[[]int]
	groups      message[[][]int]
	iotaGroups  message[rawIotaGroups]
	meshGroups  message[rawMeshGroups]

	metadata   message[rawMetadata]
	payload    message[rawPayload]
	keyValue   message[hlo.KeyValue]
	attributes message[[]hlo.KeyValue]
	statistic  message[hlo.Statistic]
	statistics message[hlo.Statistics]
	origin     message[rawOrigin]
	originLeaf message[rawOriginLeaf]
	value      message[originValue]

	instruction message[instruction]
	operations  map[op.Code]*node // attributes of each opcode
	computation message[computation]
	module      message[module]
	sequence    message[sequence]
	ids         message[[]int]
	alias       message[rawAlias]
	aliases     message[[]rawAlias]
	donor       message[hlo.Donor]
	donors      message[[]hlo.Donor]
	recovery    message[rawRecovery]
	recoveries  message[[]rawRecovery]
	location    message[hlo.FileLocation]
	frame       message[hlo.StackFrame]
	frames      message[hlo.DebugTables]
	debugEntry  message[debugEntry]
	debugMark   message[debugMark]
}

// tables returns the schema, which is made by the first call and never changed.
var tables = sync.OnceValue(func() *schema {
	s := &schema{}
	s.fillShapes()
	s.fillLiterals()
	s.fillForms()
	s.fillShardings()
	s.fillAnnotations()
	s.fillInstructions()
	s.fillModules()
	return s
})
