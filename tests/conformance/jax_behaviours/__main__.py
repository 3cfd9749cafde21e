"""What the running jax does, and where versions differ.

python -m tests.conformance.jax_behaviours [ROW ...] [--record]
"""

import json
import sys

import jax

from tests.conformance.jax_behaviours.behaviour import RECORD, records
from tests.conformance.jax_behaviours.corpus import expected, numbers, rows


def main(arguments: list[str]) -> int:
    """Print every row, or those named; `--record` stores them in the record of this version."""
    found, broken = {}, []
    wanted = [each for each in arguments if each != "--record"]
    for name, row in rows().items():
        if not row.missing and (not wanted or name in wanted):
            try:
                found[name] = row.outcome()
            except Exception as error:
                broken.append(f"{name}: the row itself fails: {type(error).__name__}: {str(error).splitlines()[0]}")
    for name, outcome in found.items():
        print(f"{name}  {rows()[name].situation}")
        for label, text in outcome.items():
            print(f"    {label + ': ' if label else ''}{text}")
    if broken:
        print("\n".join(broken))
        return 1
    not_run = [f"{name} ({', '.join(row.missing)})" for name, row in rows().items() if row.missing]
    print(f"{len(found)} rows with jax {jax.__version__}; not run: {', '.join(not_run) or 'none'}")
    if "--record" in arguments:
        recorded = records()
        merged = recorded.get(jax.__version__, {}) | found
        recorded[jax.__version__] = {name: merged[name] for name in rows() if name in merged}
        text = json.dumps({version: recorded[version] for version in sorted(recorded, key=numbers)}, indent=1)
        RECORD.write_text(text + "\n", encoding="utf-8")
        return 0
    version, record = expected()
    changed = 0
    for name, outcome in found.items():
        for label in dict.fromkeys([*record.get(name, {}), *outcome]):
            before, now = record.get(name, {}).get(label), outcome.get(label)
            if before != now:
                changed += 1
                print(
                    f"differs: {name} {label}: {before} in the record of jax {version}, {now} in jax {jax.__version__}"
                )
    print(f"{changed} situations differ from the record of jax {version}")
    for other, others in records().items():
        lines = [
            f"    {name} {label}: {others[name].get(label)} in {other}, {record[name].get(label)} in {version}"
            for name in others
            if name in record
            for label in dict.fromkeys([*others[name], *record[name]])
            if others[name].get(label) != record[name].get(label)
        ]
        if other != version:
            print(f"{len(lines)} situations differ between the records of jax {other} and {version}")
            print("\n".join(lines))
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
