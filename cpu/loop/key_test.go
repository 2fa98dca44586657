package loop_test

import (
	"bytes"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestKey: nests that differ in their names have one key and one outline, those of different text several.
func TestKey(t *testing.T) {
	keys, outlines := map[string]string{}, map[uint64]bool{}
	for seed := range uint64(300) {
		n := looptest.Random(seed).Nest
		key := n.AppendKey([]byte("front"))
		text := n.String()
		if other, ok := keys[string(key)]; ok && other != text {
			t.Errorf("the key of\n%s\nis that of\n%s", text, other)
		}
		keys[string(key)] = text
		outline := n.Outline()
		outlines[outline] = true
		n.Name += "x"
		for k := range n.Buffers {
			n.Buffers[k].Name += "y"
		}
		if got := n.AppendKey([]byte("front")); !bytes.Equal(got, key) {
			t.Errorf("seed %d: the key changes with the names", seed)
		}
		if n.Outline() != outline {
			t.Errorf("seed %d: the outline changes with the names", seed)
		}
	}
	if len(outlines) < 250 {
		t.Errorf("300 random nests have %d outlines", len(outlines))
	}
	if len(keys) < 290 {
		t.Errorf("300 random nests have %d keys", len(keys))
	}
}

// TestKeyTellsApart: whatever changes in a nest changes its key.
func TestKeyTellsApart(t *testing.T) {
	make := func(change func(*loop.Nest)) string {
		b := loop.NewBuilder("n")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 64})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 64, Write: true})
		b.Each(loop.Spec{Extent: 16, Lanes: true}, func(i int) {
			at := func(buffer int) loop.Access {
				return loop.Access{Buffer: buffer, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: loop.MemF32}
			}
			b.Store(at(y), b.Op(loop.Add, loop.F32, b.Load(at(x), 0), b.Float(loop.F32, 1)), 0)
		})
		n := b.Nest()
		change(n)
		return string(n.AppendKey(nil))
	}
	seen := map[string]string{make(func(*loop.Nest) {}): "nothing"}
	for name, change := range map[string]func(*loop.Nest){
		"bytes":    func(n *loop.Nest) { n.Buffers[0].Bytes++ },
		"write":    func(n *loop.Nest) { n.Buffers[0].Write = true },
		"far":      func(n *loop.Nest) { n.Buffers[0].Far = true },
		"stride":   func(n *loop.Nest) { n.Accesses[0].Terms[0].Stride++ },
		"offset":   func(n *loop.Nest) { n.Accesses[0].Offset++ },
		"mem":      func(n *loop.Nest) { n.Accesses[0].Mem = loop.MemF64 },
		"extent":   func(n *loop.Nest) { n.Outermost().Extent++ },
		"lanes":    func(n *loop.Nest) { n.Outermost().Lanes = false },
		"divided":  func(n *loop.Nest) { n.Divided = true },
		"parallel": func(n *loop.Nest) { n.Outermost().Parallel = true },
		"table":    func(n *loop.Nest) { n.Tables = append(n.Tables, []uint64{1}) },
		"constant": func(n *loop.Nest) {
			for k := range n.Insts {
				if n.Insts[k].Op == loop.Const {
					n.Insts[k].Imm++
				}
			}
		},
	} {
		key := make(change)
		if other, ok := seen[key]; ok {
			t.Errorf("%s: the key is that of %s", name, other)
		}
		seen[key] = name
	}
}
