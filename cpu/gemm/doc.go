// Package gemm multiplies matrices: C[b,i,j] = sum over k of A[b,i,k] * B[b,k,j], for one product of known sizes and
// strides, with code made for exactly these.
//
//	p, err := gemm.New(spec, config)    // how it is cut into blocks; how much scratch memory a run takes
//	err = library.Compile(p, q, r)      // machine code, shared where it is equal, with that of other programs too
//	weights := p.Prepack(b)             // once, if B is a constant
//	err = job.Run(pool, p, args)        // no allocation
//
// # Blocks
//
// The innermost piece, the micro-kernel, keeps a block of C, mr rows by nv vectors, in registers and walks along the
// depth. Around it, from the inside: the rows of a block of A that stays in the second-level cache, the panels of B
// (as wide as a block of registers), the depth in parts of kc, then the items that threads take: rows x panels x
// batch. Every element is summed by one item in one order that no number of threads changes.
//
// A is read where it is if its elements have the type of the sums; any strides will do, as they are immediates of the
// code, and so will a few, if rows and depths come in runs that have the same (places.go, runs.go, steps.go). If depths
// are far apart, rows are turned (turnrun.go). Where several panels wait for the same rows, those of the first one lay
// them down packed (layrows.go). B is read where it is if its rows are contiguous, not so far apart that each costs a
// page, and too few rows of A wait for it to make packing pay (inplace.go); otherwise it is packed panel by panel, per
// run, or once if it is constant. Packing converts and transposes.
//
// Of packed B, what is needed next is asked for while a panel is multiplied. Where a thread packs for itself, it does
// so in parts between the calls of a micro-kernel, each of which asks for what the next part is packed from
// (sources.go): packing then is a copy within the second-level cache. Where one block of A has all rows, the
// micro-kernel of the first ones packs what it reads in place (lay.go). The sizes of blocks come from those of caches.
// Tiles are so fast that packing is waited for: there, all of B is packed before, or a few panels just before
// they are multiplied, and what does not fit the second-level cache is read and written along rows (across.go). A call
// of theirs has steps of several runs of rows (stretch.go). A C that is large and not read soon goes past the caches
// (past.go).
//
// Sums are f32, f64, or s32 for all integers. Small integers are multiplied two and two (pairs.go). Where AVX-512 has
// the instructions, so are bf16 (bf16.go), and bytes four at once (vnni.go); on the tier of tile registers both are
// multiplied so in tiles (tiles.go). What C holds in another type is summed in scratch memory and rounded once. Tiles
// and pairs of bf16 take denormal bf16 and sums for zero; other sums are as exact as one rounding for each product.
//
// # Routes
//
//	half a vector       columns that leave half of one empty: the halves are for even and odd depths (split.go)
//	a quarter           columns that fill no more: four depths go at once (quads.go)
//	one column          of runs of A: vectors of depths, whose lanes are added; of a few columns, too (ones.go)
//	diagonals           groups of few columns and depths: vectors of several groups (diagonal.go, around.go)
//	windows             B is places of a window in rows of neighbours: it stays in place (windows.go,
//	                    planes.go, halves.go)
//	overlap             tiles: columns have the same elements of B, some depths further on (overlap.go)
//	strips              tiles: a few rows of A times panel after panel of packed B
//	few rows            wider blocks of registers, B in place: what remains is reading B once
//	row by row          few rows times long rows of B: B goes by in the order of memory
//	along               some more of them: rows of B are packed in the order of memory, for several panels at a time
//	B along the depth   for few rows: scalar products of rows of A and columns of B, vectors along the depth
//	few columns         the product turned, of rows of A along the depth: one of few rows (turned.go)
//	panels for all      threads pack panels of B for themselves, to multiply them with all rows of A
//	one column          the product transposed
//	no machine code     the same blocks by a kernel in Go
package gemm
