"""Reads what hlopb writes with XLA itself, and compares with what XLA makes of the text.

    HLOPB_CASES=/tmp/pb go test ./hlo/hlopb -run TestWriteCorpus
    python hlo/hlopb/testdata/with_xla.py /tmp/pb ../shared/corpus/hlo/ok ../shared/models

Needs jaxlib. The counter of elided constants goes on over all programs of a process, so
they are printed in the default form, which does not show them.
"""
import os
import sys

from jaxlib import _hlo


def through_proto(data):
    return _hlo.HloModule.from_serialized_hlo_module_proto(data).to_string()


def main(folder, texts):
    same = total = refused = 0
    for text in texts:
        for name in sorted(os.listdir(text)):
            stem, ext = os.path.splitext(name)
            path = os.path.join(folder, stem + '.pb')
            if ext != '.hlo' or not os.path.exists(path):
                continue
            try:
                with open(os.path.join(text, name)) as f:
                    module = _hlo.hlo_module_from_text(f.read())
            except RuntimeError:
                continue  # text of a later release
            try:
                want = through_proto(module.as_serialized_hlo_module_proto())
            except RuntimeError:
                refused += 1  # XLA does not read what it writes itself
                continue
            total += 1
            try:
                with open(path, 'rb') as f:
                    got = through_proto(f.read())
            except RuntimeError as e:
                got = str(e)
            if got == want:
                same += 1
            else:
                print(f'{name}: XLA reads\n{got}\nwant\n{want}')
    print(f'{same} of {total} are the same to XLA; {refused} more it cannot read from itself')
    return same != total


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2:]))
