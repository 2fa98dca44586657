package literal

import (
	"fmt"
	"math"

	"github.com/goxla/xla/shape"
)

// Limits of what a reader may ask New for.
const (
	// MaxBytes is the most bytes that the arrays of one literal may take together.
	MaxBytes = 1 << 36
	// MaxTupleDepth is how deep tuples may nest.
	MaxTupleDepth = 256
	// MaxTupleElements is how many elements a tuple may have, those of nested tuples included.
	MaxTupleElements = 1 << 24
)

// CheckSize returns an error if a literal of shape s cannot be made: s has an
// unknown or negative dimension size, or is over one of the limits above.
func CheckSize(s shape.Shape) error {
	var total sizeCheck
	if err := total.add(s, 0); err != nil {
		return fmt.Errorf("literal: %w", err)
	}
	return nil
}

// sizeCheck counts what the arrays seen so far need.
type sizeCheck struct {
	bytes    int64
	elements int
}

func (c *sizeCheck) add(s shape.Shape, depth int) error {
	if depth > MaxTupleDepth {
		return fmt.Errorf("tuples nested deeper than %d", MaxTupleDepth)
	}
	if c.elements += len(s.Elems); c.elements > MaxTupleElements {
		return fmt.Errorf("more than %d tuple elements", MaxTupleElements)
	}
	if s.IsTuple() {
		for _, e := range s.Elems {
			if err := c.add(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if !s.IsArray() {
		return nil
	}
	n, err := s.Elements()
	if err != nil {
		return err
	}
	size, limit := int64(s.Type.ByteSize()), min(int64(MaxBytes), math.MaxInt)
	if int64(n) > (limit-c.bytes)/size {
		return fmt.Errorf("%v: more than %d bytes", s, limit)
	}
	c.bytes += int64(n) * size
	return nil
}
