package emu

import "github.com/goxla/xla/cpu/asm"

// tile holds 16 rows of 64 bytes.
type tile [16]vec

// tileConfig is what LDTILECFG sets: rows and bytes a row of each tile.
type tileConfig struct {
	palette uint8
	rows    [8]int
	cols    [8]int // bytes
}

func (t *ops) amx() {
	t[asm.LDTILECFG] = (*Machine).loadConfig
	t[asm.STTILECFG] = (*Machine).storeConfig
	t[asm.TILERELEASE] = func(m *Machine, _ *inst) { m.config, m.tiles = tileConfig{}, [8]tile{} }
	t[asm.TILEZERO] = func(m *Machine, in *inst) {
		if m.configured(in, 0) {
			m.tiles[in.Reg[0]] = tile{}
		}
	}
	t[asm.TILELOADD] = (*Machine).tileLoad
	t[asm.TILELOADDT1] = (*Machine).tileLoad
	t[asm.TILESTORED] = (*Machine).tileStore
	t[asm.TDPBF16PS] = func(m *Machine, in *inst) { m.product(in, bf16Pair) }
	t[asm.TDPFP16PS] = func(m *Machine, in *inst) { m.product(in, fp16Pair) }
	for op, sign := range map[asm.Op][2]bool{asm.TDPBSSD: {true, true}, asm.TDPBSUD: {true, false},
		asm.TDPBUSD: {false, true}, asm.TDPBUUD: {false, false}} {
		t[op] = func(m *Machine, in *inst) { m.product(in, bytesProduct(sign[0], sign[1])) }
	}
}

// loadConfig reads 64 bytes: palette, start row, 14 reserved, bytes a row of each tile, rows of each tile.
func (m *Machine) loadConfig(in *inst) {
	b := m.mem(m.address(in), 64, false)
	if b == nil {
		return
	}
	m.config, m.tiles = tileConfig{}, [8]tile{}
	if b[0] == 0 {
		return
	}
	c := tileConfig{palette: b[0]}
	for i := range 8 {
		c.cols[i], c.rows[i] = int(b[16+2*i])|int(b[17+2*i])<<8, int(b[48+i])
		if c.cols[i] > 64 || c.rows[i] > 16 || (c.cols[i] == 0) != (c.rows[i] == 0) {
			m.fail("tile %d: %d rows of %d bytes, expected at most 16 of 64", i, c.rows[i], c.cols[i])
		}
	}
	if b[0] != 1 || b[1] != 0 {
		m.fail("palette %d, start row %d: expected 1 and 0", b[0], b[1])
	}
	m.config = c
}

func (m *Machine) storeConfig(in *inst) {
	b := m.mem(m.address(in), 64, true)
	if b == nil {
		return
	}
	clear(b)
	b[0] = m.config.palette
	for i := range 8 {
		b[16+2*i], b[48+i] = uint8(m.config.cols[i]), uint8(m.config.rows[i])
	}
}

// configured fails unless the tile of operand i has a shape.
func (m *Machine) configured(in *inst, i int) bool {
	if m.config.rows[in.Reg[i]] == 0 {
		m.fail("tile %d has no shape", in.Reg[i])
		return false
	}
	return true
}

// tileRows yields the address of each row: the index register, scaled, is the distance between rows.
func (m *Machine) tileRows(in *inst, reg uint8, row func(i int, addr uint64, n int)) {
	addr := m.base(in)
	stride := uint64(0)
	if in.Mem.Scale != 0 {
		stride = m.gp[in.Mem.Index] * uint64(in.Mem.Scale)
	}
	for i := range m.config.rows[reg] {
		row(i, addr+uint64(i)*stride, m.config.cols[reg])
	}
}

func (m *Machine) tileLoad(in *inst) {
	if !m.configured(in, 0) {
		return
	}
	var t tile
	m.tileRows(in, in.Reg[0], func(i int, addr uint64, n int) { m.loadVec(&t[i], addr, n) })
	m.tiles[in.Reg[0]] = t
}

func (m *Machine) tileStore(in *inst) {
	if !m.configured(in, 1) {
		return
	}
	t := &m.tiles[in.Reg[1]]
	m.tileRows(in, in.Reg[1], func(i int, addr uint64, n int) { m.storeVec(&t[i], addr, n) })
}

// rowProduct computes one element of the result from row a (pairs or quadruples along k) and column n of b.
type rowProduct func(acc uint64, a *vec, b *tile, n, depth int) uint64

// product is dst[m][n] += sum over k of a[m][k] * b[k][n].
func (m *Machine) product(in *inst, fn rowProduct) {
	d, a, b := in.Reg[0], in.Reg[1], in.Reg[2]
	for i := range 3 {
		if !m.configured(in, i) {
			return
		}
	}
	c := &m.config
	if d == a || d == b || a == b {
		m.fail("expected three different tiles")
		return
	}
	if c.rows[d] != c.rows[a] || c.cols[d] != c.cols[b] || c.cols[a] != 4*c.rows[b] {
		m.fail("shapes %dx%d, %dx%d, %dx%d do not fit", c.rows[d], c.cols[d], c.rows[a], c.cols[a], c.rows[b], c.cols[b])
		return
	}
	for i := range c.rows[d] {
		for n := range c.cols[d] / 4 {
			acc := m.tiles[d][i].get(4, n)
			m.tiles[d][i].set(4, n, fn(acc, &m.tiles[a][i], &m.tiles[b], n, c.rows[b]))
		}
	}
}

func bytesProduct(signedA, signedB bool) rowProduct {
	pick := func(x uint64, s bool) int64 {
		if s {
			return signed(x, 1)
		}
		return int64(x)
	}
	return func(acc uint64, a *vec, b *tile, n, depth int) uint64 {
		sum := int64(acc)
		for k := range depth {
			for j := range 4 {
				sum += pick(a.get(1, 4*k+j), signedA) * pick(b[k].get(1, 4*n+j), signedB)
			}
		}
		return uint64(sum)
	}
}

// bf16Pair sums the products of even and of odd places apart, each fused, then both, then onto acc: round to nearest,
// denormals are zeros.
func bf16Pair(acc uint64, a *vec, b *tile, n, depth int) uint64 {
	return pairSum(acc, a, b, n, depth, func(x uint64) uint64 { return x << 16 })
}

func fp16Pair(acc uint64, a *vec, b *tile, n, depth int) uint64 {
	return pairSum(acc, a, b, n, depth, func(x uint64) uint64 { return halfToSingle(x, asm.RN) })
}

func pairSum(acc uint64, a *vec, b *tile, n, depth int, single func(uint64) uint64) uint64 {
	var sum [2]uint64
	for k := range depth {
		for j := range 2 {
			sum[j] = fusedFlush(single(a.get(2, 2*k+j)), single(b[k].get(2, 2*n+j)), sum[j])
		}
	}
	s := f32.flush(f32.arith(add, sum[0], sum[1], asm.RN))
	return f32.flush(f32.arith(add, f32.flush(acc), s, asm.RN))
}
