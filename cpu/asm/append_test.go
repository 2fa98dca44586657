package asm

import (
	"bytes"
	"testing"
)

// part emits code with a jump, constants that others have too, and one of its own.
func part(a *Assembler, own uint32) {
	l := a.NewLabel()
	a.Note("part")
	a.V2M(VMOVUPS, VL256, Vec(1), a.Splat32(VL256, 7))
	a.V2M(VMOVUPS, VL256, Vec(2), a.Splat32(VL256, own))
	a.V2M(VMOVUPS, VL256, Vec(3), a.Data(bytes.Repeat([]byte{byte(own)}, 96)))
	a.Jmp(l)
	a.Align(32)
	a.Bind(l)
	a.Ret()
}

// TestAppend: parts that are made apart and put together are the code that is made at once.
func TestAppend(t *testing.T) {
	var whole, joined Assembler
	whole.Notes, joined.Notes = true, true
	for own := range uint32(4) {
		whole.Align(64)
		part(&whole, own/2)
		b := Assembler{Notes: true}
		part(&b, own/2)
		joined.Align(64)
		joined.Append(&b)
	}
	want, err := whole.Finish()
	if err != nil {
		t.Fatal(err)
	}
	got, err := joined.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) || joined.List() != whole.List() {
		t.Errorf("expected\n%s\ngot\n%s", whole.List(), joined.List())
	}
	failed := Assembler{}
	failed.Const(make([]byte, 3))
	var a Assembler
	if a.Append(&failed); a.Err() == nil {
		t.Error("the error of a part is lost")
	}
}
