package emit

import (
	"slices"
)

// cut cuts rows into blocks, and reports whether all of them have a form.
func (p *movePattern) cut() bool {
	for n := 1; n <= p.fit && n < p.extent && p.block == 0; n++ {
		if shift, ok := p.repeats(n); ok && 2*(p.fit/n*n) > p.fit {
			times := int64(p.fit / n)
			p.block, p.shift = n*int(times), shift
			for k := range p.shift {
				p.shift[k] *= times
			}
		}
	}
	if p.block == 0 {
		p.block, p.shift = p.fit, make([]int64, len(p.loads))
	} else if !p.wholeBlocks() {
		return false
	}
	left := (p.extent + p.block - 1) / p.block
	if left-p.whole > mostRest {
		return false
	}
	for first := p.whole * p.block; first < p.extent; first += p.block {
		for r := range p.rows {
			m, ok := p.alone(r, first, min(p.block, p.extent-first))
			if !ok {
				return false
			}
			p.rest = append(p.rest, m)
		}
	}
	return true
}

// repeats reports whether the sources of all elements are those of the elements n in front of them, moved on by what is
// the same for all elements of a load.
func (p *movePattern) repeats(n int) (shift []int64, ok bool) {
	shift, known := make([]int64, len(p.loads)), make([]bool, len(p.loads))
	for _, r := range p.rows {
		for i, s := range r.from[:p.extent-n] {
			t := r.from[i+n]
			switch {
			case s.load != t.load || s.load < 0 && s.at != t.at:
				return nil, false
			case s.load < 0:
			case !known[s.load]:
				shift[s.load], known[s.load] = t.at-s.at, true
			case shift[s.load] != t.at-s.at:
				return nil, false
			}
		}
	}
	return shift, true
}

// wholeBlocks makes the blocks of the loop: as many as are written as whole vectors, and read so where there is no
// mask.
func (p *movePattern) wholeBlocks() bool {
	if p.extent < p.fit {
		return true
	}
	most := (p.extent-p.fit)/p.block + 1
	for r := range p.rows {
		m, ok := p.windows(r, 0, p.block, func(load int, first, last int64) (int64, bool) {
			if p.shift[load] < 0 {
				return last - int64(p.fit) + 1, true
			}
			return first, true
		})
		if !ok {
			return false
		}
		p.loop = append(p.loop, m)
	}
	for p.whole = most; p.whole > 0 && !p.inside(); p.whole-- {
	}
	if p.wide && most-p.whole > 2 {
		for _, m := range p.loop {
			for k := range m.windows {
				m.windows[k].masked = true
			}
		}
		p.whole = most
	}
	return true
}

// inside reports whether nothing is read that is outside of a buffer, by the blocks of the loop.
func (p *movePattern) inside() bool {
	return !slices.ContainsFunc(p.loop, func(m moved) bool {
		return slices.ContainsFunc(m.windows, func(w window) bool {
			last := w.start + p.shift[w.load]*int64(p.whole-1)
			lo, hi := p.starts(w.load)
			return min(w.start, last) < lo || max(w.start, last) > hi
		})
	})
}

// starts returns the least and the greatest place that a vector of a load may begin at.
func (p *movePattern) starts(load int) (lo, hi int64) {
	if p.hi[load] < p.lo[load] {
		return 1, 0
	}
	return -p.lo[load], p.size[load] - int64(p.fit) - p.hi[load]
}

// alone makes n elements of row r, from first on.
func (p *movePattern) alone(r, first, n int) (moved, bool) {
	m, ok := p.windows(r, first, n, func(load int, first, last int64) (int64, bool) {
		lo, hi := p.starts(load)
		start := min(first, hi)
		if start < lo || start <= last-int64(p.fit) {
			return first, false
		}
		return start, true
	})
	m.exact = first+p.fit > p.extent
	return m, ok
}

// windows makes n elements of row r, from first on. start tells where a window may begin that has elements from first
// to last, and whether all of it is there to be read.
func (p *movePattern) windows(r, first, n int, start func(load int, first, last int64) (int64, bool)) (moved, bool) {
	m := moved{row: r, first: first, n: n}
	from := p.rows[r].from[first : first+n]
	for k, s := range from {
		if s.load < 0 {
			if m.constant == nil {
				m.constant = make([]int64, n)
			}
			m.constant[k] = s.at
		}
	}
	for load := range p.loads {
		var places []int64
		for _, s := range from {
			if s.load == load {
				places = append(places, s.at)
			}
		}
		slices.Sort(places)
		for len(places) > 0 {
			low, count := places[0], 1
			for count < len(places) && places[count] < low+int64(p.fit) {
				count++
			}
			high := places[count-1]
			at, there := start(load, low, high)
			if places = places[count:]; !there && !p.wide || len(m.windows) == mostWindows {
				return m, false
			}
			w := window{load: load, start: at, masked: !there, pick: make([]int, n)}
			for k, s := range from {
				if w.pick[k] = -1; s.load == load && low <= s.at && s.at <= high {
					w.pick[k] = int(s.at - at)
				}
			}
			m.windows = append(m.windows, w)
		}
	}
	return m, true
}
