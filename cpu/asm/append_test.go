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

// TestKeep: what keeps a part is appended as the part is, also in memory that held another one, and does not change
// with the part.
func TestKeep(t *testing.T) {
	var want, got, made, kept Assembler
	for _, own := range []uint32{3, 4, 5} {
		made.Reset()
		for range own { // more and more
			part(&made, own)
		}
		want.Align(64)
		want.Append(&made)
		kept.Keep(&made)
		made.Reset()
		part(&made, 77)
		got.Align(64)
		got.Append(&kept)
	}
	wanted, err := want.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if code, err := got.Finish(); err != nil || !bytes.Equal(code, wanted) {
		t.Errorf("expected\n%s\ngot\n%s, error %v", want.List(), got.List(), err)
	}
	made.Reset()
	made.Const(make([]byte, 3))
	if kept.Keep(&made); kept.Err() == nil {
		t.Error("the error of a part is lost")
	}
}

// stores emits stores of every size and kind of address, those of PS by ps and those of PD by pd.
func stores(a *Assembler, ps, pd Op) {
	places := []Mem{{Base: RDI}, {Base: R9, Disp: 64}, {Base: RSI, Disp: 1 << 10}, {Base: R12, Index: R13, Scale: 8}}
	for _, m := range places {
		for _, v := range []Vec{0, 9, 31} {
			for _, vl := range []Size{VL128, VL256, VL512} {
				a.MV(ps, vl, m, v)
				a.MV(pd, vl, m, v)
				a.V2M(VMOVNTDQA, vl, v, m)
			}
		}
	}
	a.V2M(VMOVUPS, VL512, 1, a.Splat32(VL512, 0x2b2b2b2b))
}

// TestAppendCached: stores that go past the caches become the others, and nothing else changes; the part stays what it
// was.
func TestAppendCached(t *testing.T) {
	var b, want, got Assembler
	stores(&b, VMOVNTPS, VMOVNTPD)
	want.Align(64)
	stores(&want, VMOVUPS, VMOVUPD)
	stores(&want, VMOVNTPS, VMOVNTPD)
	got.AppendCached(&b)
	if got.Streams() || !b.Streams() {
		t.Errorf("stores past the caches: in the part %v, behind AppendCached %v", b.Streams(), got.Streams())
	}
	got.Append(&b)
	if !got.Streams() {
		t.Error("Append lost the stores past the caches")
	}
	wantCode, err := want.Finish()
	if err != nil {
		t.Fatal(err)
	}
	gotCode, err := got.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(gotCode, wantCode) {
		t.Errorf("expected\n%s\ngot\n%s", want.List(), got.List())
	}
}
