//go:build linux && (amd64 || arm64)

package mpi

import (
	"errors"

	"github.com/ebitengine/purego"

	"github.com/goxla/xla/collective"
)

// function is an index of functionNames.
type function int

const (
	fnInitThread function = iota
	fnInitialized
	fnFinalize
	fnAbort
	fnCommRank
	fnCommSize
	fnCommDup
	fnCommSplit
	fnCommSetErrhandler
	fnIsend
	fnIrecv
	fnIallreduce
	fnIreduceScatterBlock
	fnIallgather
	fnIalltoall
	fnIbcast
	fnReduceLocal
	fnTest
	fnTestall
	fnCancel
	fnWait
	fnErrorString
	fnGetLibraryVersion
	functionCount
)

func functionNames() [functionCount]string {
	return [functionCount]string{"MPI_Init_thread", "MPI_Initialized", "MPI_Finalize", "MPI_Abort", "MPI_Comm_rank",
		"MPI_Comm_size", "MPI_Comm_dup", "MPI_Comm_split", "MPI_Comm_set_errhandler", "MPI_Isend", "MPI_Irecv",
		"MPI_Iallreduce", "MPI_Ireduce_scatter_block", "MPI_Iallgather", "MPI_Ialltoall", "MPI_Ibcast", "MPI_Reduce_local",
		"MPI_Test", "MPI_Testall", "MPI_Cancel", "MPI_Wait",
		"MPI_Error_string", "MPI_Get_library_version"}
}

// element is a type of elements that MPI can reduce.
type element int

const (
	int8s element = iota
	int16s
	int32s
	int64s
	uint8s
	uint16s
	uint32s
	uint64s
	float32s
	float64s
	elementCount
)

// undefined is the colour of processes that get no communicator; all libraries have the same.
const undefined = -32766

// constants are what mpi.h of a library defines.
type constants struct {
	world, bytes, errorsReturn handle
	anySource                  int32
	statusIgnore, inPlace      uintptr
	// funneled is the thread level at which one thread makes all calls, multiple the one at which any makes any.
	funneled, multiple int32
	// requestSize is the size in bytes of the handle of a request.
	requestSize int
	elements    [elementCount]handle
	// reductions are the operations; that of ReduceOther is not used.
	reductions [collective.ReduceXor + 1]handle
}

func abiConstants() constants {
	return constants{world: 0x101, bytes: 0x247, errorsReturn: 0x143, anySource: -1, inPlace: 1,
		funneled: 1024, multiple: 4096,
		requestSize: 8,
		elements:    [elementCount]handle{0x240, 0x248, 0x250, 0x258, 0x241, 0x249, 0x251, 0x259, 0x210, 0x214},
		reductions:  [collective.ReduceXor + 1]handle{0, 0x21, 0x24, 0x22, 0x23, 0x28, 0x29, 0x2a}}
}

func mpichConstants() constants {
	return constants{world: 0x44000000, bytes: 0x4c00010d, errorsReturn: 0x54000001, anySource: -2, statusIgnore: 1,
		inPlace: ^uintptr(0), funneled: 1, multiple: 3, requestSize: 4,
		elements: [elementCount]handle{0x4c000137, 0x4c000238, 0x4c000439, 0x4c00083a, 0x4c00013b, 0x4c00023c, 0x4c00043d,
			0x4c00083e, 0x4c00040a, 0x4c00080b},
		reductions: [collective.ReduceXor + 1]handle{0, 0x58000003, 0x58000004, 0x58000002, 0x58000001, 0x58000006,
			0x58000008, 0x5800000a}}
}

// openMPIConstants looks up the objects whose addresses are handles.
func openMPIConstants(lib uintptr) (constants, error) {
	c := constants{anySource: -1, inPlace: 1, funneled: 1, multiple: 3, requestSize: 8}
	var errs []error
	object := func(name string) handle {
		p, err := purego.Dlsym(lib, "ompi_mpi_"+name)
		errs = append(errs, err)
		return handle(p)
	}
	c.world, c.bytes, c.errorsReturn = object("comm_world"), object("byte"), object("errors_return")
	for i, name := range [elementCount]string{"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t",
		"uint64_t", "float", "double"} {
		c.elements[i] = object(name)
	}
	for i, name := range [collective.ReduceXor]string{"sum", "prod", "min", "max", "band", "bor", "bxor"} {
		c.reductions[i+1] = object("op_" + name)
	}
	return c, errors.Join(errs...)
}
