package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Infeed returns the next value of shape s, an array or a tuple of arrays, that the host feeds
// in; the empty tuple reads nothing. Infeeds of one computation run in the order in which they
// are added. It fails if s is a nested tuple. Spec: OPS.md section 8.
func (b *Builder) Infeed(s shape.Shape, config string) Op {
	if !b.open(op.Infeed) {
		return b.invalid()
	}
	data, token := InfeedWithToken(b.tokenAfter(b.infeed), s, config)
	if token.IsValid() {
		b.infeed = token
	}
	return data
}

// tokenAfter returns last, the token of the feed before, or one that is there at once.
func (b *Builder) tokenAfter(last Op) Op {
	if last.IsValid() {
		return last
	}
	return b.AfterAll()
}

// InfeedWithToken is Infeed after token; it also returns a token that is there when the value
// is. Spec: OPS.md section 8.
func InfeedWithToken(token Op, s shape.Shape, config string) (data, after Op) {
	const code = op.Infeed
	b, ok := enter(code, token)
	if !ok {
		return b.invalid(), b.invalid()
	}
	if err := s.Check(); err != nil {
		b.errorf(code, "", "infeed_c2", "expected a valid shape: %w", err)
		return b.invalid(), b.invalid()
	}
	r := elements(b.add(code, []Op{token}, &op.InfeedAttrs{Config: config}, shape.MakeTuple(s, shape.MakeToken())), 2)
	return r[0], r[1]
}

// Outfeed gives x to the host, with the layout of s, and returns a token that is there when it
// has gone. Outfeeds of one computation run in the order in which they are added. It fails if
// the shape of x is not s. Spec: OPS.md section 8.
func Outfeed(x Op, s shape.Shape, config string) Op {
	b, ok := enter(op.Outfeed, x)
	if !ok {
		return b.invalid()
	}
	token := OutfeedWithToken(x, b.tokenAfter(b.outfeed), s, config)
	if token.IsValid() {
		b.outfeed = token
	}
	return token
}

// OutfeedWithToken is Outfeed after token. Spec: OPS.md section 8.
func OutfeedWithToken(x, token Op, s shape.Shape, config string) Op {
	return apply(op.Outfeed, &op.OutfeedAttrs{Shape: s, Config: config}, x, token)
}
