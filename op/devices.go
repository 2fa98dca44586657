package op

import "slices"

// NewIota returns the device array [dims]<=[reshape]T(transpose) in its simplest
// form: dimensions of size 1 are dropped and neighbours that stay together are
// merged, so [2,4]<=[2,4]T(0,1) becomes [2,4]<=[8]. A nil transpose keeps the order.
// It fails if the sizes do not fit or transpose is no permutation.
func NewIota(dims, reshape, transpose []int) (Devices, error) {
	if transpose == nil {
		transpose = identity(len(reshape))
	}
	n, err := product(dims)
	if err != nil {
		return Devices{}, err
	}
	m, err := product(reshape)
	if err != nil {
		return Devices{}, err
	}
	if n != m {
		return Devices{}, errf("expects iota dimensions with %d devices as in %v, got %v", n, dims, reshape)
	}
	if !isPermutation(transpose, len(reshape)) {
		return Devices{}, errf("expects a permutation of the %d iota dimensions, got %v", len(reshape), transpose)
	}
	return Devices{Dims: dims, Iota: simplifyIota(reshape, transpose)}, nil
}

// NewDevices returns the device array with the given ids in row-major order; it fails if their
// number is not the product of dims.
func NewDevices(dims, ids []int) (Devices, error) {
	n, err := product(dims)
	if err != nil {
		return Devices{}, err
	}
	if n != len(ids) {
		return Devices{}, errf("expects %d devices for dimensions %v, got %d", n, dims, len(ids))
	}
	return Devices{Dims: dims, IDs: ids}, nil
}

// maxDevices bounds the number of devices of a device array.
const maxDevices = 1 << 24

func product(dims []int) (int, error) {
	n := 1
	for _, d := range dims {
		if d <= 0 || d > maxDevices/n {
			return 0, errf("expects device dimensions above 0 with at most %d devices, got %v", maxDevices, dims)
		}
		n *= d
	}
	return n, nil
}

func identity(n int) []int {
	perm := make([]int, n)
	for i := range perm {
		perm[i] = i
	}
	return perm
}

func isPermutation(perm []int, n int) bool {
	sorted := slices.Sorted(slices.Values(perm))
	return slices.Equal(sorted, identity(n))
}

// simplifyIota walks reshape in transposed order, drops dimensions of size 1 and joins one to the
// dimension before it where the two are also neighbours in the untransposed array.
func simplifyIota(reshape, transpose []int) *IotaForm {
	next := make([]int, len(reshape)+1) // the first dimension from i on that is larger than 1
	next[len(reshape)] = len(reshape)
	for i := len(reshape) - 1; i >= 0; i-- {
		next[i] = i
		if reshape[i] == 1 {
			next[i] = next[i+1]
		}
	}
	type run struct{ first, last, size int }
	var runs []run // in transposed order
	for _, d := range transpose {
		if reshape[d] == 1 {
			continue
		}
		if k := len(runs) - 1; k >= 0 && next[runs[k].last+1] == d {
			runs[k].last, runs[k].size = d, runs[k].size*reshape[d]
			continue
		}
		runs = append(runs, run{d, d, reshape[d]})
	}
	if len(runs) <= 1 {
		n, _ := product(reshape)
		return &IotaForm{Reshape: []int{n}}
	}
	order := identity(len(runs)) // the runs by their place in the untransposed array
	slices.SortStableFunc(order, func(a, b int) int { return runs[a].first - runs[b].first })
	form := &IotaForm{Reshape: make([]int, len(runs)), Transpose: make([]int, len(runs))}
	for i, r := range order {
		form.Reshape[i] = runs[r].size
		form.Transpose[r] = i
	}
	return form
}

// Len returns the number of devices.
func (d Devices) Len() int {
	n := 1
	for _, size := range d.Dims {
		n *= size
	}
	return n
}

// At returns the device at place i in row-major order, 0 <= i < Len.
func (d Devices) At(i int) int {
	switch {
	case d.IDs != nil:
		return d.IDs[i]
	case d.Iota != nil && d.Iota.Transpose != nil:
		return d.Iota.at(i)
	}
	return i
}

// at returns the number at place i of the transposed array.
func (f *IotaForm) at(i int) int {
	n, stride := 0, make([]int, len(f.Reshape))
	s := 1
	for d := len(f.Reshape) - 1; d >= 0; d-- {
		stride[d] = s
		s *= f.Reshape[d]
	}
	for k := len(f.Transpose) - 1; k >= 0; k-- {
		d := f.Transpose[k]
		n += i % f.Reshape[d] * stride[d]
		i /= f.Reshape[d]
	}
	return n
}

// Expand returns all devices in row-major order.
func (d Devices) Expand() []int {
	ids := make([]int, d.Len())
	for i := range ids {
		ids[i] = d.At(i)
	}
	return ids
}

// AppendText appends d as [4,2]<=[2,4]T(1,0) or [2,1]0,1.
func (d Devices) AppendText(dst []byte) []byte {
	dst = appendSquare(dst, d.Dims)
	switch {
	case d.Iota != nil:
		return d.Iota.AppendText(append(dst, "<="...))
	case d.IDs != nil:
		return appendJoin(dst, d.IDs, ",", appendInt)
	}
	return appendSquare(append(dst, "<="...), []int{d.Len()})
}

// String returns d as HLO text.
func (d Devices) String() string { return string(d.AppendText(nil)) }

// AppendText appends f as [2,4]T(1,0), without the transposition if there is none.
func (f *IotaForm) AppendText(dst []byte) []byte {
	dst = appendSquare(dst, f.Reshape)
	if len(f.Reshape) <= 1 || f.Transpose == nil {
		return dst
	}
	dst = appendJoin(append(dst, "T("...), f.Transpose, ",", appendInt)
	return append(dst, ')')
}

// String returns f as HLO text.
func (f *IotaForm) String() string { return string(f.AppendText(nil)) }

func appendSquare(dst []byte, list []int) []byte {
	return append(appendJoin(append(dst, '['), list, ",", appendInt), ']')
}
