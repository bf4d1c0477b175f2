#!/usr/bin/env python3
"""./dev libfuzzer TARGET --keep: chooses from the inputs that libFuzzer has grown the few that the repository keeps.

usage: keep_corpus.py PROGRAM GROWN KEPT

libFuzzer's own merge names the inputs that reach something which those kept do not; the smallest of them are copied, as long as
the folder stays under LIMIT bytes. Names are hashes of the contents, as libFuzzer gives them.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

LIMIT = 24 * 1024  # of one target


def main(program, grown, kept):
    kept = pathlib.Path(kept)
    with tempfile.TemporaryDirectory() as folder:
        for file in kept.iterdir():
            shutil.copy(file, folder)
        known = {file.name for file in pathlib.Path(folder).iterdir()}
        subprocess.run([program, "-merge=1", "-malloc_limit_mb=16384", folder, grown], check=True, capture_output=True)
        new = [file for file in pathlib.Path(folder).iterdir() if file.name not in known]
        size = sum(file.stat().st_size for file in kept.iterdir())
        count = 0
        for file in sorted(new, key=lambda file: (file.stat().st_size, file.name)):
            size += file.stat().st_size
            if size > LIMIT:
                break
            shutil.copy(file, kept)
            count += 1
    print(f"{count} of {len(new)} inputs that reach something new are kept in {kept}")


if __name__ == "__main__":
    main(*sys.argv[1:])
