// Package emu runs the code that package asm emits, instruction by instruction, on any machine: so that kernels of a
// tier that the CPU lacks (AVX-512, AMX) are tested, and every kernel against an exact notion of what memory it may
// touch. It is for tests; it is thousands of times slower than the CPU.
//
//	m := emu.New()
//	m.Map(0x1000, input, false)
//	m.Map(0x2000, output, true)
//	m.Map(0x3000, args, false)
//	err := m.Call(code, 0x3000)
//
// Call follows the calling convention of kernels: RDI holds the argument, RSI 8 KiB of scratch memory aligned to 64
// bytes, RET ends. Beyond executing, it holds a kernel to its contract: RSP and RBP are as before, the upper halves of
// the vector registers are clean (VZEROUPPER) and the tiles released on return. Flags of the floating-point
// environment are not modelled; MXCSR is the default: round to nearest, denormals kept.
package emu

import (
	"bytes"
	"errors"
	"fmt"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// vec is a vector register; bit i of the register is bit i%64 of word i/64.
type vec [8]uint64

// get returns element i of w bytes.
func (v *vec) get(w, i int) uint64 {
	bit := i * w * 8
	return v[bit>>6] >> (bit & 63) & ones(w)
}

// set changes element i of w bytes.
func (v *vec) set(w, i int, x uint64) {
	bit := i * w * 8
	s := bit & 63
	v[bit>>6] = v[bit>>6]&^(ones(w)<<s) | (x&ones(w))<<s
}

// ones returns w bytes of ones.
func ones(w int) uint64 { return ^uint64(0) >> (64 - 8*w) }

// flags of the processor that conditions read.
type flags struct{ cf, zf, sf, of, pf bool }

type region struct {
	base     uint64
	data     []byte
	writable bool
}

// Addresses of what Call provides itself.
const (
	codeBase    = 0x7E0000000000
	scratchBase = 0x7E8000000000
	stackBase   = 0x7EC000000000
	scratchSize = 8192
)

// Machine is a processor with its memory. Machines are not safe for concurrent use.
type Machine struct {
	// VEXOnly refuses EVEX instructions, as a CPU without AVX-512 does.
	VEXOnly bool
	// Limit bounds the instructions of one Call; 0 means 100 million.
	Limit int
	// Steps counts the instructions of the last Call.
	Steps int

	gp      [16]uint64
	v       [32]vec
	k       [8]uint64
	f       flags
	tiles   [8]tile
	config  tileConfig
	regions []region
	err     error

	code    []byte
	decoded []*inst
	pc      int
	at      *inst
	lane    lane
	ta, tb  vec // sources of quick, and out its result
	out     vec
	scratch [scratchSize + 3*64]byte

	// Of Run: the memory is that of the process, and code begins at origin.
	live   bool
	origin uint64
	args   unsafe.Pointer
	flush  bool // denormal numbers are zeros
}

// New returns a machine without memory.
func New() *Machine { return &Machine{} }

// Map makes data the memory from addr on. Stores go to data itself, and are refused if writable is false.
// A later mapping hides an earlier one where they overlap.
func (m *Machine) Map(addr uint64, data []byte, writable bool) {
	m.regions = append(m.regions, region{addr, data, writable})
}

// Unmap forgets all mappings.
func (m *Machine) Unmap() { m.regions = m.regions[:0] }

// Call runs code until it returns. An access outside the mapped memory, an instruction that is not known, a broken
// rule of the calling convention, or too many instructions end it with an error that names the place and instruction.
func (m *Machine) Call(code []byte, arg uint64) error {
	if !bytes.Equal(code, m.code) {
		m.code = bytes.Clone(code)
		m.decoded = make([]*inst, len(code))
	}
	m.reset(arg)
	m.live, m.origin, m.flush = false, codeBase, false
	limit := m.Limit
	if limit == 0 {
		limit = 100_000_000
	}
	for m.Steps = 0; m.Steps < limit; m.Steps++ {
		in, err := m.fetch()
		if err != nil {
			return err
		}
		if in.Op == asm.RET {
			return m.checkReturn()
		}
		m.at = in
		m.pc = in.next
		in.run(m, in)
		if m.err != nil {
			return m.err
		}
	}
	return fmt.Errorf("emu: no return after %d instructions", limit)
}

// reset gives the registers the state that a kernel finds. What it may not rely on holds a pattern.
func (m *Machine) reset(arg uint64) {
	m.err, m.pc, m.f = nil, 0, flags{}
	for i := range m.gp {
		m.gp[i] = 0xDEAD_0000_0000_0000 | uint64(i)
	}
	m.gp[asm.RDI], m.gp[asm.RSI] = arg, scratchBase
	m.gp[asm.RSP], m.gp[asm.RBP] = stackBase, stackBase+64
	for i := range m.v {
		m.v[i] = vec{0x7FF4_DEAD_7FA4_DEAD + uint64(i), 0x7FF4_BEEF_7FA4_BEEF}
	}
	for i := range m.k {
		m.k[i] = 0xA5A5_5A5A_A5A5_5A5A
	}
	m.config, m.tiles = tileConfig{}, [8]tile{}
}

func (m *Machine) checkReturn() error {
	if m.gp[asm.RSP] != stackBase || m.gp[asm.RBP] != stackBase+64 {
		return fmt.Errorf("emu: return at %#x: RSP or RBP was changed", m.pc)
	}
	for i := range m.v[:16] {
		if m.v[i][2]|m.v[i][3]|m.v[i][4]|m.v[i][5]|m.v[i][6]|m.v[i][7] != 0 {
			return fmt.Errorf("emu: return at %#x: upper half of ymm%d is in use, expected VZEROUPPER", m.pc, i)
		}
	}
	if !m.live {
		return m.checkTiles()
	}
	return errors.Join(m.checkTiles(), m.checkScratch())
}

func (m *Machine) checkTiles() error {
	if m.config.palette != 0 {
		return fmt.Errorf("emu: return at %#x: tiles are configured, expected TILERELEASE", m.pc)
	}
	return nil
}

var errOutside = errors.New("outside the code")

// fetch returns the decoded instruction at pc.
func (m *Machine) fetch() (*inst, error) {
	if m.pc < 0 || m.pc >= len(m.code) {
		return nil, fmt.Errorf("emu: jump to %#x: %w", m.pc, errOutside)
	}
	if in := m.decoded[m.pc]; in != nil {
		return in, nil
	}
	in, err := decode(m.code, m.pc, false)
	if err != nil {
		return nil, err
	}
	if m.VEXOnly && !in.VEX && in.Op.HasEVEX() {
		return nil, fmt.Errorf("emu: %s at %#x needs EVEX", in.String(), m.pc)
	}
	m.decoded[m.pc] = in
	return in, nil
}

// fail ends the call with an error at the current instruction.
func (m *Machine) fail(format string, args ...any) {
	if m.err == nil {
		text, at := "call", m.pc
		if m.at != nil {
			text, at = m.at.String(), m.at.pc
		}
		m.err = fmt.Errorf("emu: %s at %#x: %w", text, at, fmt.Errorf(format, args...))
	}
}

// mem returns n bytes of memory at addr, or nil and fails.
func (m *Machine) mem(addr uint64, n int, write bool) []byte {
	if m.live {
		return liveBytes(addr, n)
	}
	for i := len(m.regions) - 1; i >= 0; i-- {
		r := &m.regions[i]
		if off := addr - r.base; off < uint64(len(r.data)) && uint64(n) <= uint64(len(r.data))-off {
			if write && !r.writable {
				m.fail("store of %d bytes to %#x, which is read-only", n, addr)
				return nil
			}
			return r.data[off : off+uint64(n)]
		}
	}
	if b := m.own(addr, n, write); b != nil {
		return b
	}
	verb := "load"
	if write {
		verb = "store"
	}
	m.fail("%s of %d bytes at %#x, outside the mapped memory%s", verb, n, addr, m.nearest(addr))
	return nil
}

// own finds the scratch memory and the constants behind the code.
func (m *Machine) own(addr uint64, n int, write bool) []byte {
	if off := addr - scratchBase; off < scratchSize && off+uint64(n) <= scratchSize {
		return m.scratch[off : off+uint64(n)]
	}
	if off := addr - codeBase; !write && off < uint64(len(m.code)) && off+uint64(n) <= uint64(len(m.code)) {
		return m.code[off : off+uint64(n)]
	}
	return nil
}

// nearest says where addr lies relative to the region that starts last before it.
func (m *Machine) nearest(addr uint64) string {
	text, best := "", uint64(0)
	for _, r := range m.regions {
		if r.base <= addr && r.base >= best {
			best = r.base
			text = fmt.Sprintf(" (byte %d of a region of %d)", addr-r.base, len(r.data))
		}
	}
	return text
}

func (m *Machine) load(addr uint64, w int) (x uint64) {
	if m.live {
		return loadLive(addr, w)
	}
	b := m.mem(addr, w, false)
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

func (m *Machine) store(addr uint64, w int, x uint64) {
	if m.live {
		storeLive(addr, w, x)
		return
	}
	b := m.mem(addr, w, true)
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
}
