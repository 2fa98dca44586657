package gemm

// choose decides the routes and the sizes of blocks.
func (p *Product) choose() {
	p.chooseRegisters()
	most := p.widest()
	p.panels = panels(p.n, p.lanes, most)
	if p.canWindow() {
		p.chooseWindows()
		return
	}
	p.chooseRoutes()
	if p.routeB == dotted {
		return
	}
	direct := p.directA()
	if p.routeB == swept {
		p.cutSweep(direct && p.runRows >= p.m && p.runDepth >= p.k)
		return
	}
	if p.stepsFew(direct) {
		p.regs.sums = fewSums
	}
	p.chooseDepth(direct, most)
	p.chooseItems(direct)
	if p.laysA && p.group < leastReaders {
		direct, p.laysA = true, false
	}
	if !direct {
		p.packA()
	}
	switch p.routeB {
	case packedBy:
		p.chooseBundle()
	case inPlace:
		p.bundle = 1
		p.chooseParts()
	}
}

// chooseRoutes decides how A and B reach the kernels.
func (p *Product) chooseRoutes() {
	switch {
	case p.canDiagonals():
		p.chooseDiagonals()
	case p.canTile():
		p.chooseTiles()
	case p.canTurn():
		p.turn()
	case p.canVNNI():
		p.chooseGroups(kindVNNI)
	case p.kind == kindS32 && p.canPair():
		p.choosePairs()
	case p.canOnes():
		p.chooseOnes()
	case p.kind == kindF32 && p.canQuads():
		p.chooseQuads()
	case p.canSplit():
		p.chooseSplit()
	default:
		if p.chooseB(); p.canBF16() {
			p.along = false
			p.chooseGroups(kindBF16)
		}
	}
}

// chooseDepth decides how many steps of the depth a block has; most is how many vectors a kernel has at most.
func (p *Product) chooseDepth(direct bool, most int) {
	p.kc = p.blockDepth(direct || p.laysA, most)
	if direct || p.laysA {
		p.chooseRuns()
	} else {
		p.kc = parts(p.k, parts(p.k, p.kc))
	}
	switch {
	case p.overlap != nil:
		p.kc = max(1, mostRun/p.overlap.run) * p.overlap.run
	case p.kind.tiles() && p.runsOfA == nil:
		p.kc = min(p.k, parts(p.kc, tileDepth)*tileDepth)
	}
	if p.spec.Together != 0 {
		p.kc = p.depthAlone()
	}
}

const (
	// fewSums is how many sums narrow vectors have where the depth is no more than fewDepths: a core that stores twelve
	// at once waits until they are there, which takes as long as 24 multiply-adds of all of them. Of deeper ones that is
	// less than what panels cost that are read for fewer rows. (Zen 3: 16x16x16 0.44 and then 0.84 of the peak, 64x64x64
	// 0.89 and 0.94, 256x256x64 0.89 and 0.95.)
	fewSums, fewDepths = 8, 128
	// fewEven is the rows from which on it does not matter that some blocks have three rows.
	fewEven = 32
)

// stepsFew reports whether blocks of registers are to have few sums.
func (p *Product) stepsFew(direct bool) bool {
	run := p.rowsC.size
	if direct {
		run = min(run, p.runRows)
	}
	return !p.regs.wide() && p.kind == kindF32 && p.k <= fewDepths && (run%4 == 0 || run >= fewEven)
}
