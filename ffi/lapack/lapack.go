package lapack

import (
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/ffi"
)

// Handlers returns the handlers of all targets, in plain Go.
func Handlers() ffi.Registry { return handlers(&machine{}) }

// HandlersOn returns handlers that do blocks of real matrices by steps of machine code, on the threads of pool.
func HandlersOn(steps *dense.Set, pool *exec.Pool) ffi.Registry {
	return handlers(&machine{steps: steps, pool: pool})
}

func handlers(on *machine) ffi.Registry {
	all := ffi.Handlers{}
	for name, r := range routines() {
		all[name+"_ffi"] = ffi.RowMajor{Handler: handler{r, on}}
		if old, ok := oldForms[name[len("lapack_x"):]]; ok {
			all[old.prefix+name[len("lapack"):]] = ffi.Func(old.handler(r, on))
		}
	}
	for _, letter := range letters {
		all["blas_"+letter+"trsm_ffi"] = all["lapack_"+letter+"trsm_ffi"]
	}
	all["cpu_csr_sparse_dense_ffi"] = ffi.RowMajor{Handler: sparse{}}
	all["tridiagonal_solve_perturbed_ffi"] = handler{routine{in: "vvvm", out: "m", info: -1,
		real: perturbedSolve[float64], cplx: perturbedSolve[complex128]}, on}
	return all
}

// letters stand for f32, f64, c64 and c128.
var letters = []string{"s", "d", "c", "z"}

// routines returns the routines by their targets without _ffi. Those with two names have one for real
// numbers and one for complex.
func routines() map[string]routine {
	all := map[string]routine{}
	for _, e := range []struct {
		real, cplx string
		r          routine
	}{
		{"geev", "geev", routine{in: "q", out: "vvmms", info: 4, real: geevReal, cplx: geevComplex, wide: true, drop: 1,
			need: []string{"compute_left", "compute_right"}}},
		{"gees", "gees", routine{in: "q", out: "mmvvss", info: 5, real: geesReal, cplx: geesComplex, wide: true, drop: 3,
			need: []string{"mode", "sort"}}},
		{"gehrd", "gehrd", routine{in: "q", out: "mvs", info: 2, real: gehrd[float64], cplx: gehrd[complex128],
			need: []string{"low", "high"}}},
		{"geqp3", "geqp3", routine{in: "mv", out: "mvv", info: -1, real: geqp3[float64], cplx: geqp3[complex128]}},
		{"geqrf", "geqrf", routine{in: "m", out: "mv", info: -1, careful: true,
			real: geqrfReal[float64], single: geqrfReal[float32], cplx: geqrf[complex128],
			few:   fewOf(geqrfFew[float64], geqrfFew[float32]),
			small: geqrfSmall[float64], small32: geqrfSmall[float32]}},
		{"gesdd", "gesdd", routine{in: "m", out: "mvmms", info: 4,
			real: gesdd[float64, float64], single: gesdd[float32, float32], cplx: gesdd[complex128, float64],
			need: []string{"mode"}}},
		{"gesvd", "gesvd", routine{in: "m", out: "mvmms", info: 4,
			real: gesdd[float64, float64], single: gesdd[float32, float32], cplx: gesdd[complex128, float64],
			need: []string{"mode"}}},
		{"getrf", "getrf", routine{in: "m", out: "mvs", info: 2, careful: true,
			real: getrfReal[float64], single: getrfReal[float32], cplx: getrf,
			few:   fewOf(getrfFew[float64], getrfFew[float32]),
			small: getrfSmall[float64], small32: getrfSmall[float32]}},
		{"gtsv", "gtsv", routine{in: "vvvm", out: "vvvms", info: 4, real: gtsv[float64], cplx: gtsv[complex128]}},
		{"orgqr", "ungqr", routine{in: "mv", out: "m", info: -1, careful: true,
			real: orgqrReal[float64], single: orgqrReal[float32], cplx: orgqr[complex128],
			few:   fewOf(orgqrFew[float64], orgqrFew[float32]),
			small: orgqrSmall[float64], small32: orgqrSmall[float32]}},
		{"ormqr", "unmqr", routine{in: "mvm", out: "m", info: -1, careful: true,
			real: ormqrReal[float64], single: ormqrReal[float32], cplx: ormqr[complex128],
			need: []string{"left", "transpose"}}},
		{"potrf", "potrf", routine{in: "q", out: "ms", info: 1, careful: true,
			real: potrfReal[float64], single: potrfReal[float32], cplx: potrf,
			few:   fewOf(potrfFew[float64], potrfFew[float32]),
			small: potrfSmall[float64], small32: potrfSmall[float32],
			need: []string{"uplo"}}},
		{"syevd", "heevd", routine{in: "q", out: "mvs", info: 2,
			real: syevd[float64, float64], single: syevd[float32, float32], cplx: syevd[complex128, float64],
			need: []string{"uplo"}}},
		{"sytrd", "hetrd", routine{in: "q", out: "mvvvs", info: 4, real: sytrd[float64], cplx: sytrd[complex128],
			need: []string{"uplo"}}},
		{"trsm", "trsm", routine{in: "qm", out: "m", info: -1, careful: true,
			real: trsmReal[float64], single: trsmReal[float32], cplx: trsm,
			few: fewOf(trsmFew[float64], trsmFew[float32]), direct: trsmDirect, small: trsmSmall[float64],
			small32: trsmSmall[float32], need: []string{"side", "uplo", "trans_x", "diag"}}},
	} {
		for i, letter := range letters {
			name := e.real
			if i >= 2 {
				name = e.cplx
			}
			all["lapack_"+letter+name] = e.r
		}
	}
	return all
}
