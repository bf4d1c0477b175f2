#!/usr/bin/env python3
"""./dev lint: runs every check of checks.py and exits with 1 if one of them complains.

`--fix` first formats all sources with clang-format. Arguments that name checks run only those.
"""

import sys

import checks


def main(arguments):
    if "--fix" in arguments:
        checks.run_clang_format(["-i"])
    names = [argument for argument in arguments if not argument.startswith("-")]
    unknown = set(names) - {check.__name__ for check in checks.ALL}
    if unknown:
        sys.exit(f"lint: no check named {', '.join(sorted(unknown))}; there are: "
                 + ", ".join(check.__name__ for check in checks.ALL))
    failed = 0
    for check in checks.ALL:
        if names and check.__name__ not in names:
            continue
        complaints = list(check())
        failed += len(complaints)
        print(f"{'FAILED' if complaints else 'ok':7} {check.__name__}: {check.__doc__}")
        for complaint in complaints:
            print(f"    {complaint}")
    for note in checks.long_files():
        print(f"note: {note}")
    print(f"lint: {failed} complaints" if failed else "lint: nothing to complain about")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
