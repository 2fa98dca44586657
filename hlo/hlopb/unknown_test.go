package hlopb

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/goxla/xla/hlo"
)

// withUnknown is a program with fields that package hlo has no place for, in a module, a
// computation, instructions, and messages of them.
const withUnknown = `
1: "m"
3 {
  1: "e"
  2 {
    include p
    50: 3                 # feature_group_count, which a parameter does not have
    7 {
      2: "name"
      8: 12               # size_of_generated_code_in_bytes
    }
    1000: "instruction"
  }
  2 {
    1: "d"
    2: "dot"
    3: shape f32[]
    35: 1
    36: [0 0]
    30 {
      1: []
      9: 4
    }
  }
  5: 1
  999: hex 01 02
}
include end
5: 77                     # id
10 {                      # cross_program_prefetches
  1: 2
}
12 {                      # spmd_output_sharding
  1: 1
  4: [3]
}
1001: 5
`

func TestUnknownFields(t *testing.T) {
	_, parts := cases(t)
	data := assemble(t, withUnknown, parts)
	m, err := Parse(data, ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, got, want string }{
		{"module", m.Unknown, "5: 77\n10 {\n1: 2\n}\n12 {\n1: 1\n4: [3]\n}\n1001: 5"},
		{"computation", m.Entry().Unknown, "999: hex 01 02"},
		{"parameter", m.Entry().Instructions()[0].Unknown(), "50: 3\n7 {\n8: 12\n}\n1000: \"instruction\""},
		{"dot", m.Entry().Instructions()[1].Unknown(), "30 {\n9: 4\n}"},
	} {
		if want := assemble(t, c.want, nil); c.got != string(want) {
			t.Errorf("%s: kept % x, want % x", c.what, c.got, want)
		}
	}
	for name, m := range map[string]*hlo.Module{"as read": m, "clone": m.Clone()} {
		written, err := Append(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		kept := []string{"1000: \"instruction\"", "999: hex 01 02", "30 {\n9: 4\n}", "7 {\n8: 12\n}", "1001: 5"}
		for _, text := range kept {
			if want := assemble(t, text, nil); !bytes.Contains(written, want) {
				t.Errorf("%s: what is written lacks %s", name, strings.ReplaceAll(text, "\n", " "))
			}
		}
		again, err := Parse(written, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if again.Unknown != m.Unknown || again.Entry().Root().Unknown() != m.Entry().Root().Unknown() {
			t.Errorf("%s: written and read, other fields are kept", name)
		}
	}
}

// TestUnknownGroups: groups, which protocol buffers had long ago, are skipped and kept.
func TestUnknownGroups(t *testing.T) {
	_, parts := cases(t)
	group := protowire.AppendGroup(protowire.AppendTag(nil, 30, protowire.StartGroupType), 30,
		protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 5))
	m, err := Parse(append(assemble(t, parts["calls.proto"], parts), group...), ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Unknown != string(group) {
		t.Errorf("kept % x, want % x", m.Unknown, group)
	}
}
