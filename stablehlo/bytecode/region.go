package bytecode

import "github.com/goxla/xla/stablehlo"

// readRegions reads the regions of an operation. Isolated ones have numbers of their
// own for their values, and since version 2 stand together in a section of their own.
func (ir *irReader) readRegions(o *stablehlo.Op) {
	at := ir.pos
	v := ir.varint()
	if ir.depth >= maxRegionDepth {
		ir.fail("regions are nested more than %d deep", maxRegionDepth)
	}
	if v&1 == 0 || ir.err != nil {
		ir.readRegionList(o, v>>1, at)
		return
	}
	outer, around := ir.scope, ir.cursor
	ir.scope = &scope{forward: map[int][]use{}}
	if ir.r.version < versionIsolated {
		ir.readRegionList(o, v>>1, at)
		ir.scope = outer
		return
	}
	at = ir.pos
	id, body := ir.header()
	if ir.err == nil && id != sectionIR {
		ir.failAt(at, "regions: expected a section IR, got %s", id)
	}
	if ir.err == nil {
		ir.cursor = &body
		ir.readRegionList(o, v>>1, at)
		ir.done()
		if around.err = body.err; body.err != nil {
			around.pos = around.end
		}
	}
	ir.scope, ir.cursor = outer, around
}

// readRegionList reads n regions.
func (ir *irReader) readRegionList(o *stablehlo.Op, n uint64, at int) {
	if ir.err == nil && n > uint64(ir.left()) {
		ir.failAt(at, "number of regions: %d do not fit into the %d bytes that are left", n, ir.left())
	}
	ir.depth++
	for ; n > 0 && ir.err == nil; n-- {
		ir.readRegion(o.AddRegion())
	}
	ir.depth--
}

// readRegion reads the blocks of a region.
func (ir *irReader) readRegion(r *stablehlo.Region) {
	n := ir.count("blocks", 1)
	if n == 0 || ir.err != nil {
		return
	}
	at := ir.pos
	values := ir.varint()
	if !ir.spend(uint64(n), "blocks", at) || !ir.spend(values, "values", at) {
		return
	}
	s := ir.scope
	first := len(s.values)
	for range values {
		s.values = append(s.values, nil)
	}
	s.next = append(s.next, first)
	for range n {
		r.AddBlock()
	}
	for _, b := range r.Blocks {
		ir.readBlock(b, r.Blocks)
	}
	defined := s.next[len(s.next)-1] - first
	if ir.err == nil && defined != int(values) {
		ir.failAt(at, "number of values: the region defines %d, got %d", defined, values)
	}
	ir.checkForward(first)
	s.next = s.next[:len(s.next)-1]
	clear(s.values[min(first, len(s.values)):])
	s.values = s.values[:min(first, len(s.values))]
}

// spend takes n from the budget of blocks and values, which all take a byte at least:
// together the regions of a file cannot claim more than the file has.
func (ir *irReader) spend(n uint64, what string, at int) bool {
	if ir.err == nil && n > uint64(ir.budget) {
		ir.failAt(at, "number of %s: %d do not fit into the %d bytes that are left", what, n, ir.left())
	}
	if ir.err != nil {
		return false
	}
	ir.budget -= int(n)
	return true
}
