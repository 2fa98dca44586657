package hlotext

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// shardingAttribute reads a sharding: one in braces, or several in braces within
// braces, one for each leaf of a tuple.
func (p *parser) shardingAttribute() *op.Sharding {
	if p.tok.kind != kindLeftBrace {
		p.expected("'{' in front of a sharding")
		return nil
	}
	if k := p.peek().kind; k != kindLeftBrace && k != kindRightBrace {
		s := p.oneSharding()
		return &s
	}
	elems := braced(p, p.oneSharding)
	return &op.Sharding{Kind: op.ShardingTuple, Elems: elems}
}

// ParseSharding reads the value of the attribute sharding: {replicated}, {devices=[2,1]<=[2]}. Errors are
// as those of Parse.
func ParseSharding(text string) (op.Sharding, error) {
	p := &parser{lexer: lexer{text: text}, byName: map[string]*comp{}, tables: newTables()}
	p.advance()
	s := p.shardingAttribute()
	if p.ok() && p.tok.kind != kindEOF {
		p.expected("the end of a sharding")
	}
	if p.err != nil {
		return op.Sharding{}, p.err
	}
	return *s, nil
}

// normalized returns s for a value of shape sh: what is one sharding for a tuple is
// repeated for each of its leaves.
func (p *parser) normalized(s *op.Sharding, sh shape.Shape) *op.Sharding {
	if s == nil || !sh.IsTuple() || s.Kind == op.ShardingTuple {
		return s
	}
	n := max(leaves(sh, maxRepeatedShardings), 1)
	if p.counts.shardings += n; p.counts.shardings > maxRepeatedShardings {
		p.fail("expects at most %d shardings of tuple elements", maxRepeatedShardings)
		return s
	}
	elems := make([]op.Sharding, n)
	for i := range elems {
		elems[i] = *s
	}
	return &op.Sharding{Kind: op.ShardingTuple, Elems: elems}
}

// shardingText is a sharding of version 1 or 2 as it is read. The parts may come in any order.
type shardingText struct {
	kinds    [op.ShardingMaximal + 1]bool
	hasTiles bool
	dims     []int
	ids      []int
	iota     *op.IotaForm
	last     []op.SubgroupKind
	lastOnly bool // last_tile_dim_replicate
	group    op.ShardGroup
	metadata []string
}

func shardingTable() map[string]func(*parser, *shardingText) {
	kind := func(k op.ShardingKind) func(*parser, *shardingText) {
		return func(_ *parser, s *shardingText) { s.kinds[k] = true }
	}
	return map[string]func(*parser, *shardingText){
		"replicated":              kind(op.ShardingReplicated),
		"manual":                  kind(op.ShardingManual),
		"unknown":                 kind(op.ShardingUnknown),
		"unreduced":               kind(op.ShardingUnreduced),
		"maximal":                 kind(op.ShardingMaximal),
		"last_tile_dim_replicate": func(_ *parser, s *shardingText) { s.lastOnly = true },
		"shard_as":                func(p *parser, s *shardingText) { s.group.As, s.group.ID = true, p.integer() },
		"shard_like":              func(p *parser, s *shardingText) { s.group.Like, s.group.ID = true, p.integer() },
		"device=":                 func(p *parser, s *shardingText) { s.ids = []int{p.integer()} },
		"devices=":                (*parser).tileAssignment,
		"last_tile_dims=":         func(p *parser, s *shardingText) { s.last = braced(p, p.subgroup) },
		"metadata=":               func(p *parser, s *shardingText) { s.metadata = append(s.metadata, p.metadataTexts()...) },
	}
}

// oneSharding reads a sharding that is not a tuple.
func (p *parser) oneSharding() op.Sharding {
	p.expect(kindLeftBrace, "in front of a sharding")
	if p.isWord("mesh") || p.isWord("maximal_mesh") {
		return p.namedSharding()
	}
	start := p.tok.pos
	var s shardingText
	for p.ok() && p.tok.kind != kindRightBrace {
		name := ""
		switch p.tok.kind {
		case kindKeyword:
			name = p.tok.text
		case kindAttribute:
			name = p.tok.text + "="
		}
		read := p.tables.sharding[name]
		if read == nil {
			p.expected("a part of a sharding")
			break
		}
		p.advance()
		read(p, &s)
	}
	var result op.Sharding
	if p.ok() {
		result = p.makeSharding(start, &s)
	}
	p.expect(kindRightBrace, "behind a sharding")
	return result
}

// makeSharding returns the sharding that s says, in the form that XLA keeps.
func (p *parser) makeSharding(start int, s *shardingText) op.Sharding {
	// The first kind that is given counts.
	order := [...]op.ShardingKind{op.ShardingReplicated, op.ShardingMaximal, op.ShardingManual, op.ShardingUnknown,
		op.ShardingUnreduced}
	for _, k := range order {
		if !s.kinds[k] {
			continue
		}
		result := op.Sharding{Kind: k, Group: s.group, Metadata: s.metadata}
		wanted := 0
		if k == op.ShardingMaximal {
			wanted = 1
		}
		if len(s.ids) != wanted {
			p.failAt(start, "expects %d devices in this kind of sharding, got %d", wanted, len(s.ids))
		} else if wanted == 1 {
			result.Device = s.ids[0]
		}
		return result
	}
	return p.makeTiled(start, s)
}

func (p *parser) makeTiled(start int, s *shardingText) op.Sharding {
	if !s.hasTiles {
		p.failAt(start, "expects a kind of sharding or a tile assignment")
		return op.Sharding{}
	}
	var tiles op.Devices
	var err error
	switch {
	case s.iota != nil:
		tiles, err = op.NewIota(s.dims, s.iota.Reshape, s.iota.Transpose)
	case len(s.ids) <= 1:
		p.failAt(start, "expects more than one device in a sharding that is not maximal, got %d", len(s.ids))
	default:
		tiles, err = op.NewDevices(s.dims, s.ids)
	}
	if s.lastOnly && len(s.last) > 0 {
		p.failAt(start, "expects last_tile_dims or last_tile_dim_replicate, got both")
	}
	last := s.last
	if s.lastOnly {
		last = []op.SubgroupKind{op.SubgroupReplicated}
	}
	var result op.Sharding
	if err == nil && p.ok() {
		result, err = op.NewTiled(tiles, last)
	}
	if err != nil {
		p.failWith(start, err)
	}
	result.Group, result.Metadata = s.group, s.metadata
	return result
}

// subgroup reads one word of last_tile_dims.
func (p *parser) subgroup() op.SubgroupKind {
	kind, ok := op.ParseSubgroupKind(p.tok.text)
	if !ok || p.tok.kind != kindKeyword || kind == op.SubgroupUnknown {
		p.expected("replicated, manual or unreduced")
		return 0
	}
	p.advance()
	return kind
}

// tileAssignment reads [2,2]0,1,2,3 or [2,2]<=[4] into s.
func (p *parser) tileAssignment(s *shardingText) {
	s.hasTiles = true
	s.dims = p.squareInts()
	if p.accept(kindLessEqual) {
		s.iota = p.iotaForm()
		return
	}
	s.ids = p.commaInts()
}

// squareInts reads [1,2,3], at least one.
func (p *parser) squareInts() []int {
	p.expect(kindLeftSquare, "in front of sizes")
	list := p.commaInts()
	p.expect(kindRightSquare, "behind sizes")
	return list
}

// commaInts reads 1,2,3, at least one.
func (p *parser) commaInts() []int {
	list := []int{p.integer()}
	for p.accept(kindComma) {
		list = append(list, p.integer())
	}
	return list
}

// iotaForm reads [8] or [2,4]T(1,0); the transposition is there unless there is one dimension only.
func (p *parser) iotaForm() *op.IotaForm {
	form := &op.IotaForm{Reshape: p.squareInts()}
	if len(form.Reshape) == 1 {
		return form
	}
	if !p.acceptWord("T") {
		p.expected("T in front of a transposition")
	}
	p.expect(kindLeftParen, "in front of a transposition")
	for more := true; more; more = p.accept(kindComma) {
		pos := p.tok.pos
		d := p.integer()
		if d < 0 || d >= len(form.Reshape) {
			p.failAt(pos, "expects a dimension in [0, %d), got %d", len(form.Reshape), d)
		}
		form.Transpose = append(form.Transpose, d)
	}
	p.expect(kindRightParen, "behind a transposition")
	return form
}

// replicaGroups reads {{0,1},{2,3}}, [2,4]<=[8], or mesh['a'=2,'b'=4] {'b'}.
func (p *parser) replicaGroups() op.ReplicaGroups {
	start := p.tok.pos
	var groups op.ReplicaGroups
	var err error
	switch {
	case p.tok.kind == kindLeftBrace:
		return op.ReplicaGroups{Groups: p.integerLists()}
	case p.isWord("mesh") || p.isWord("maximal_mesh"):
		mesh := p.mesh()
		axes := p.axes(&mesh)
		if p.ok() {
			groups, err = op.NewMeshGroups(mesh, axes)
		}
	default:
		dims := p.squareInts()
		p.expect(kindLessEqual, "behind the sizes of an iota device list")
		form := p.iotaForm()
		if p.ok() {
			groups, err = op.NewIotaGroups(dims, form.Reshape, form.Transpose)
		}
	}
	if err != nil {
		p.failWith(start, err)
	}
	return groups
}
