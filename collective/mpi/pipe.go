//go:build linux && (amd64 || arm64)

package mpi

import (
	"sync/atomic"
	"unsafe"
)

// pipe carries small messages from one process to another one of the same machine, through memory that both have. It is
// used by one goroutine on each side. A message is written into the next slot and then announced by its number, for
// which the other side looks; that says in turn how many it has taken, and so which slots are free.
//
//	taken line | slot 0 ... slot 7, a line each | room 0 ... room 7
//
// A slot is a line of the cache: the announcement, the mark, and the bytes of a message that fits. Otherwise these are
// in the room of the slot. So a short message is one line that goes from core to core.
type pipe struct {
	memory *[pipeSize]byte
	next   uint32 // number of the message to be written, or read; the first one is 1
	free   uint32 // how many messages can be written until the taken line is looked at again
}

const (
	lineSize = 64
	// pipeSlots is how many messages may be on their way. A member that is in an operation has taken all of the one
	// before it, so this many of one operation never wait for those who wait for others of it.
	pipeSlots = 8
	// pipeLimit is the longest message in bytes.
	pipeLimit = 8 << 10
	// markSize are the bytes of a slot in front of those of a message.
	markSize = 16
	// roomSize is not a power of two, so that rooms do not have the same place in the cache.
	roomSize = pipeLimit + lineSize
	pipeSize = lineSize + pipeSlots*(lineSize+roomSize)
)

// announcement is what stands in a slot with a message: the number of the run, and below it that of the message.
func announcement(run, number uint32) uint64 { return uint64(run)<<32 | uint64(number) }

// slot returns where a message with a number is.
func (p *pipe) slot(number uint32) unsafe.Pointer {
	return unsafe.Pointer(&p.memory[lineSize*(1+number%pipeSlots)])
}

// body returns where the bytes of a message are.
func (p *pipe) body(number uint32, size int) []byte {
	at := lineSize*(1+int(number%pipeSlots)) + markSize
	if size > lineSize-markSize {
		at = lineSize*(1+pipeSlots) + roomSize*int(number%pipeSlots)
	}
	return p.memory[at : at+size]
}

// taken returns the number of the last message that was taken.
func (p *pipe) taken() *uint32 { return (*uint32)(unsafe.Pointer(p.memory)) }

// put writes a message of a run with a mark by which it is known; false if there is no free slot.
func (p *pipe) put(b []byte, run uint32, mark uint64) bool {
	if p.free == 0 {
		if p.free = pipeSlots - (p.next - 1 - atomic.LoadUint32(p.taken())); p.free == 0 {
			return false
		}
	}
	copy(p.body(p.next, len(b)), b)
	slot := p.slot(p.next)
	*(*uint64)(unsafe.Add(slot, 8)) = mark
	atomic.StoreUint64((*uint64)(slot), announcement(run, p.next))
	p.next++
	p.free--
	return true
}

// get reads the next message of a run into b; false if it is not there, or is another one. Messages of earlier runs,
// which nobody has taken, are dropped.
func (p *pipe) get(b []byte, run uint32, mark uint64) bool {
	for {
		slot := p.slot(p.next)
		word := atomic.LoadUint64((*uint64)(slot))
		if uint32(word) != p.next {
			return false
		}
		if age := int32(run - uint32(word>>32)); age < 0 || age == 0 && *(*uint64)(unsafe.Add(slot, 8)) != mark {
			return false
		} else if age == 0 {
			copy(b, p.body(p.next, len(b)))
		}
		last := word == announcement(run, p.next)
		atomic.StoreUint32(p.taken(), p.next)
		p.next++
		if last {
			return true
		}
	}
}
