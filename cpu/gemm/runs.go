package gemm

import "github.com/goxla/xla/cpu/asm"

// Of a convolution the depth of A is runs: the features of a tap, or of a row of taps. A micro-kernel goes through
// all of them, so that the sums stay in registers, and finds each in a table. Their length is that of the code: a short
// run has no loop.

// wholeRun is the most depths of a run without a loop.
const wholeRun = 2 * unroll

// turnOfRun is the depth of a turn of the loop, or of what is in its place, in runs of so many depths.
func turnOfRun(run int) int {
	if run <= wholeRun {
		return run
	}
	return unroll
}

// runs walks along all runs.
func (m *micro) runs() {
	m.RM(asm.MOV, asm.W64, regRuns, asm.M(asm.RDI, argRuns))
	m.RM(asm.MOV, asm.W64, regAt, asm.M(asm.RDI, argAt))
	m.Align(align)
	next := m.Here()
	m.RM(asm.MOV, asm.W64, regA, asm.M(regAt, 0))
	m.RR(asm.ADD, asm.W64, regA, regNextA)
	m.RI(asm.ADD, asm.W64, regAt, 8)
	turn := turnOfRun(m.run)
	if count := m.run / turn; count > 1 {
		m.RI(asm.MOV, asm.W64, regDepth, int64(count))
		again := m.Here()
		m.turn(turn)
		m.askRows(m.rowsAsked)
		m.RI(asm.ADD, asm.W64, regA, int64(turn*m.stepA))
		m.RI(asm.SUB, asm.W64, regDepth, 1)
		m.Jcc(asm.NE, again)
	} else {
		m.turn(turn)
		m.askRows(m.rowsAsked)
	}
	if rest := m.run % turn; rest > 0 {
		for u := range rest {
			m.depth(u)
		}
		m.RI(asm.ADD, asm.W64, regB, int64(rest*m.ldb))
	}
	m.RI(asm.SUB, asm.W64, regRuns, 1)
	m.Jcc(asm.NE, next)
}

// turn adds the products of n depths, goes on along B and asks for what is next.
func (m *micro) turn(n int) {
	for u := range n {
		m.depth(u)
		for i := u; i < m.ahead && !m.bySteps; i += n {
			m.ask(m.Assembler, i)
		}
	}
	if !m.bySteps {
		m.asked(m.Assembler)
	}
	m.RI(asm.ADD, asm.W64, regB, int64(m.depthB(n)))
	m.layNext(n)
}

// askInStep asks for what is next where turns do not.
func (m *micro) askInStep() {
	if !m.bySteps {
		return
	}
	for i := range m.ahead {
		m.ask(m.Assembler, i)
	}
	m.asked(m.Assembler)
}

// askRows asks for the next rows of C.
func (m *micro) askRows(rows int) {
	if rows > 0 {
		m.askC(regAsk, rows)
		m.RI(asm.ADD, asm.W64, regAsk, int64(rows*m.ldc))
	}
}
