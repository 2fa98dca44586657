package hlo

import (
	"slices"

	"github.com/goxla/xla/op"
)

// positiveChannel checks the channel id of an all-reduce: 0 and below are no channels.
func (v *verifier) positiveChannel(i *Instruction) error {
	if id, ok := i.Channel(); ok && id <= 0 {
		return i.errorf("channel_id", "", "expects a number above 0, got %d", id)
	}
	return nil
}

// sameChannel checks that a send or receive and its done agree on the channel.
func (v *verifier) sameChannel(i *Instruction) error {
	if len(i.users) != 1 || i.users[0].code != pairOf(i.code).done {
		return nil
	}
	a, b := i.attrs.(*op.ChannelAttrs), i.users[0].attrs.(*op.ChannelAttrs)
	if a.ChannelID != b.ChannelID {
		return i.errorf("channel_id", "", "expects that of %%%s, %v, got %v", i.users[0].name, b.ChannelID, a.ChannelID)
	}
	if a.IsHostTransfer != b.IsHostTransfer {
		return i.errorf("is_host_transfer", "", "expects that of %%%s, %v, got %v", i.users[0].name,
			b.IsHostTransfer, a.IsHostTransfer)
	}
	return nil
}

// hostKey is what a host transfer is known by.
type hostKey struct {
	channel int
	code    op.Code
}

// channels checks what the instructions of one channel have in common: sends and
// receives share no channel with collectives, and host transfers are the same but
// for their operands.
func (v *verifier) channels() error {
	first := map[int]*Instruction{}
	host := map[hostKey]*Instruction{}
	return v.each(func(i *Instruction) error {
		channel, ok := i.Channel()
		if !ok {
			return nil
		}
		f := first[channel]
		if f == nil {
			f, first[channel] = i, i
		}
		a, transfers := i.attrs.(*op.ChannelAttrs)
		if _, t := f.attrs.(*op.ChannelAttrs); t != transfers {
			return i.errorf("channel_id", "", "channel %d is that of the %s %%%s already", channel, f.code, f.name)
		}
		if v.o.UniqueChannels && !transfers && f.code != i.code {
			return i.errorf("channel_id", "", "channel %d is that of the %s %%%s already", channel, f.code, f.name)
		}
		if !transfers || !a.IsHostTransfer {
			return nil
		}
		key := hostKey{channel, i.code}
		if host[key] == nil {
			host[key] = i
		}
		h := host[key]
		if h.shape.EqualIgnoringLayout(i.shape) && slices.Equal(h.FrontendAttributes, i.FrontendAttributes) {
			return nil
		}
		return i.errorf("channel_id", "", "expects a host transfer like %%%s of the same channel, got another", h.name)
	})
}
