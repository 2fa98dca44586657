package stablehlo

// Location says where in a user's program an operation comes from. Locations are
// attributes too.
type Location interface {
	Attribute
	isLocation()
}

// UnknownLoc is loc(unknown).
type UnknownLoc struct{}

// FileLoc is loc("file":line:col), or a range, loc("file":line:col to endLine:endCol).
type FileLoc struct {
	File            string
	Line, Col       int
	EndLine, EndCol int
	Range           bool // there is an end
}

// NameLoc is loc("name"(child)); Child is nil for loc("name").
type NameLoc struct {
	Name  string
	Child Location
}

// CallSiteLoc is loc(callsite(callee at caller)).
type CallSiteLoc struct {
	Callee, Caller Location
}

// FusedLoc is loc(fused<metadata>[locations]); Metadata is nil where there is none.
type FusedLoc struct {
	Locs     []Location
	Metadata Attribute
}

func (UnknownLoc) isAttribute()   {}
func (*FileLoc) isAttribute()     {}
func (*NameLoc) isAttribute()     {}
func (*CallSiteLoc) isAttribute() {}
func (*FusedLoc) isAttribute()    {}

func (UnknownLoc) isLocation()   {}
func (*FileLoc) isLocation()     {}
func (*NameLoc) isLocation()     {}
func (*CallSiteLoc) isLocation() {}
func (*FusedLoc) isLocation()    {}
