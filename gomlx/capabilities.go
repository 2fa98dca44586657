package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/goxla/xla/shape"
)

// without are the operation types that no method of a Function stands for: names of internal steps of other
// backends, and collectives that the interface does not have yet.
var without = map[compute.OpType]bool{
	compute.OpTypeInvalid:             true,
	compute.OpTypeDot:                 true,
	compute.OpTypeSelectAndScatterSum: true,
	compute.OpTypeCollectiveBroadcast: true,
	compute.OpTypeAllGather:           true,
	compute.OpTypeBlockForDotGeneral:  true,
}

// Capabilities returns what the backend has: all operations and data types. Dynamic shapes are compiled for each
// combination of sizes.
func (b *Backend) Capabilities() compute.Capabilities {
	c := compute.Capabilities{
		Operations:    map[compute.OpType]bool{},
		Functions:     true,
		DTypes:        map[dtypes.DType]bool{},
		DynamicAxes:   true,
		DynamicShapes: compute.DynamicShapesRecompiling,
	}
	for t := range compute.OpTypeLast {
		if !without[t] {
			c.Operations[t] = true
		}
	}
	for d, t := range elementTypes {
		if t != shape.Invalid {
			c.DTypes[dtypes.DType(d)] = true
		}
	}
	return c
}
