package plan

import (
	"fmt"
	"strings"
)

// Start is how many elements further on an operand begins: the number in a buffer, which counts as 0 if it is negative
// and as Most at most, times Stride.
type Start struct{ Buffer, Most, Stride int }

// starts are those of a view, by buffer.
func (s *sequencer) starts(list []start) (in []Start) {
	for _, t := range list {
		in = append(in, Start{s.valueOf(t.index).Buffer, t.most, t.stride})
	}
	return in
}

// startsText says where an operand begins.
func startsText(list []Start) string {
	if len(list) == 0 {
		return ""
	}
	parts := make([]string, len(list))
	for k, s := range list {
		parts[k] = fmt.Sprintf("b%d*%d", s.Buffer, s.Stride)
	}
	return "[" + strings.Join(parts, " + ") + "]"
}
