package shape

import (
	"fmt"
	"slices"
)

// tiling maps coordinates through the tiles of a layout. Coordinates are listed
// major to minor. Each step cuts the minor-most ones into the number of a tile and
// a place inside of it, and moves the places behind the numbers:
//
//	(a, b) -> (a/t, b/u, a%t, b%u)    tile (t,u)
//
// so that after the last step the place in memory is the row-major position.
type tiling struct {
	steps []tileStep
	dims  []int // sizes after the last step
}

// tileStep is one tile, applied to an array of known sizes.
type tileStep struct {
	pad     int    // sizes of 1 to put in front, for a tile with more dimensions than the array
	head    int    // dimensions in front that the tile leaves alone
	dims    []int  // the tiled sizes, before combining
	merged  []int  // the tiled sizes, after combining
	combine []bool // which of dims are merged into the next one; nil if none is
	tile    []int  // the sizes of the tile, after combining
}

// coordinates is room for the coordinates of common arrays, so that they need no
// allocation.
type coordinates [24]int

// newTiling applies tiles to an array of the given sizes, major to minor. The tiles
// are known to be valid. It fails if a combined size does not fit an int.
func newTiling(dims []int, tiles []Tile) (tiling, error) {
	t := tiling{dims: dims}
	for _, tile := range tiles {
		step, err := newTileStep(t.dims, tile)
		if err != nil {
			return tiling{}, err
		}
		t.steps = append(t.steps, step)
		t.dims = step.apply(t.dims)
	}
	return t, nil
}

func newTileStep(dims []int, tile Tile) (tileStep, error) {
	n := len(tile.Dims)
	s := tileStep{pad: max(0, n-len(dims)), head: max(0, len(dims)-n)}
	s.dims = append(slices.Repeat([]int{1}, s.pad), dims[s.head:]...)
	carried := 1
	for i, size := range tile.Dims {
		var ok bool
		if carried, ok = multiply(carried, s.dims[i]); !ok {
			return tileStep{}, fmt.Errorf("tile %v of sizes %v: the combined size is above 2^63-1", tile, s.dims)
		}
		if size == Combine {
			if s.combine == nil {
				s.combine = make([]bool, n)
			}
			s.combine[i] = true
			continue
		}
		s.merged = append(s.merged, carried)
		s.tile = append(s.tile, size)
		carried = 1
	}
	return s, nil
}

// apply returns the sizes after the step.
func (s *tileStep) apply(dims []int) []int {
	out := slices.Clone(dims[:s.head])
	for i, size := range s.merged {
		out = append(out, ceilDiv(size, s.tile[i]))
	}
	return append(out, s.tile...)
}

// ceilDiv returns a/b rounded up, for a >= 0 and b > 0.
func ceilDiv(a, b int) int {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

// linear returns the place in memory of coords, which it overwrites.
func (t *tiling) linear(coords []int) int {
	for i := range t.steps {
		coords = t.steps[i].forward(coords)
	}
	return RowMajorIndex(coords, t.dims)
}

// forward cuts coords, in place as far as its capacity allows.
func (s *tileStep) forward(coords []int) []int {
	for range s.pad {
		coords = slices.Insert(coords, 0, 0)
	}
	if s.combine != nil {
		coords = s.merge(coords)
	}
	for i, size := range s.tile {
		c := coords[s.head+i]
		coords[s.head+i] = c / size
		coords = append(coords, c%size)
	}
	return coords
}

// merge replaces each combined coordinate and its neighbour by one.
func (s *tileStep) merge(coords []int) []int {
	kept, carried := s.head, 0
	for i, size := range s.dims {
		carried = carried*size + coords[s.head+i]
		if !s.combine[i] {
			coords[kept] = carried
			kept++
			carried = 0
		}
	}
	return coords[:kept]
}

// index appends to coords the coordinates of the element at a place in memory; ok
// is false if that is padding.
func (t *tiling) index(coords []int, linear int) (result []int, ok bool) {
	for range t.dims {
		coords = append(coords, 0)
	}
	if slices.Contains(t.dims, 0) {
		return nil, false
	}
	// What the tail padding adds lies behind the last tile.
	for i, d := range slices.Backward(t.dims) {
		coords[i] = linear % d
		linear /= d
	}
	if linear > 0 {
		return nil, false
	}
	for i := range slices.Backward(t.steps) {
		if coords, ok = t.steps[i].backward(coords); !ok {
			return nil, false
		}
	}
	return coords, true
}

// backward undoes forward; ok is false for a coordinate outside of its dimension.
func (s *tileStep) backward(coords []int) (result []int, ok bool) {
	n := len(s.tile)
	for i, size := range s.tile {
		c := coords[s.head+i]*size + coords[s.head+n+i]
		if c >= s.merged[i] {
			return nil, false
		}
		coords[s.head+i] = c
	}
	coords = coords[:s.head+n]
	if s.combine != nil {
		coords = s.split(coords)
	}
	return slices.Delete(coords, 0, s.pad), true
}

// split undoes merge, from the minor end, in place.
func (s *tileStep) split(coords []int) []int {
	from := len(coords) - 1
	for len(coords) < s.head+len(s.dims) {
		coords = append(coords, 0)
	}
	carried := 0
	for i, size := range slices.Backward(s.dims) {
		if !s.combine[i] {
			carried = coords[from]
			from--
		}
		coords[s.head+i] = carried
		if i > 0 && s.combine[i-1] {
			coords[s.head+i] = carried % size
			carried /= size
		}
	}
	return coords
}
