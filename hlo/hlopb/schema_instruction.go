package hlopb

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// instruction is an HloInstructionProto: what all operations have, and the attributes of its own.
type instruction struct {
	name       string
	opcode     string
	shape      shape.Shape
	metadata   rawMetadata
	id         int
	operands   []int
	preds      []int
	called     []int
	sharding   *op.Sharding
	config     string
	configBy   *rawPayload // in place of config
	frontend   []hlo.KeyValue
	statistics hlo.Statistics
	origin     *rawOrigin

	code     op.Code
	attrs    op.Attrs
	seen     [maxNumber + 1]bool // the fields that are there
	unknown  []byte
	replaced op.Direction // of an opcode that is now a comparison
}

func (s *schema) fillInstructions() {
	type instr = instruction
	s.instruction.fill(
		row(1, "name", text(), func(t *instr) *string { return &t.name }),
		row(2, "opcode", text(), func(t *instr) *string { return &t.opcode }),
		row(3, "shape", s.shapes(), func(t *instr) *shape.Shape { return &t.shape }),
		row(7, "metadata", single(&s.metadata), func(t *instr) *rawMetadata { return &t.metadata }),
		row(35, "id", number(), func(t *instr) *int { return &t.id }),
		row(36, "operand_ids", numbers(), func(t *instr) *[]int { return &t.operands }),
		row(37, "control_predecessor_ids", numbers(), func(t *instr) *[]int { return &t.preds }),
		row(38, "called_computation_ids", numbers(), func(t *instr) *[]int { return &t.called }),
		row(40, "sharding", s.optionalSharding(), func(t *instr) **op.Sharding { return &t.sharding }),
		row(43, "backend_config", octets(), func(t *instr) *string { return &t.config }),
		row(68, "frontend_attributes", single(&s.attributes), func(t *instr) *[]hlo.KeyValue { return &t.frontend }),
		row(82, "statistics_viz", single(&s.statistics), func(t *instr) *hlo.Statistics { return &t.statistics }),
		row(88, "original_value", optional(&s.origin), func(t *instr) **rawOrigin { return &t.origin }),
		row(99, "backend_config_payload", optional(&s.payload), func(t *instr) **rawPayload { return &t.configBy }),
	)
	s.fillOperations()
}
