package emu

import "github.com/goxla/xla/cpu/asm"

// quickGeneral returns a function for an instruction on general registers of 64 bits, and for jumps.
func (in *inst) quickGeneral() exec {
	switch in.Op {
	case asm.JMP:
		to := in.next + int(in.Imm)
		return func(m *Machine, _ *inst) { m.pc = to }
	case asm.JCC:
		to := in.next + int(in.Imm)
		return func(m *Machine, in *inst) {
			if m.cond(in.Cond) {
				m.pc = to
			}
		}
	}
	if in.Size != asm.W64 {
		return nil
	}
	switch in.Op {
	case asm.MOV:
		return in.quickMov()
	case asm.LEA:
		return func(m *Machine, in *inst) { m.gp[in.Reg[0]] = m.address(in) }
	}
	if in.memAt >= 0 {
		return nil
	}
	if in.Op == asm.MOVSXD {
		return func(m *Machine, in *inst) { m.gp[in.Reg[0]] = uint64(int64(int32(m.gp[in.Reg[1]]))) }
	}
	return in.quickFlags()
}

func (in *inst) quickMov() exec {
	switch {
	case in.memAt >= 0:
		return nil
	case in.HasImm:
		return func(m *Machine, in *inst) { m.gp[in.Reg[0]] = uint64(in.Imm) }
	}
	return func(m *Machine, in *inst) { m.gp[in.Reg[0]] = m.gp[in.Reg[1]] }
}

// second is the second operand of in, which has none in memory.
func (m *Machine) second(in *inst) uint64 {
	if in.HasImm {
		return uint64(in.Imm)
	}
	return m.gp[in.Reg[1]]
}

// quickFlags are the operations that set flags.
func (in *inst) quickFlags() exec {
	switch in.Op {
	case asm.ADD:
		return func(m *Machine, in *inst) {
			m.gp[in.Reg[0]] = m.addFlags(m.gp[in.Reg[0]], m.second(in), 0, 8)
		}
	case asm.SUB:
		return func(m *Machine, in *inst) {
			m.gp[in.Reg[0]] = m.subFlags(m.gp[in.Reg[0]], m.second(in), 0, 8)
		}
	case asm.CMP:
		return func(m *Machine, in *inst) { m.subFlags(m.gp[in.Reg[0]], m.second(in), 0, 8) }
	case asm.TEST:
		return func(m *Machine, in *inst) { m.logicFlags(m.gp[in.Reg[0]]&m.second(in), 8) }
	}
	return nil
}
