"""The page of results: docs/amd-suites.md."""
import fnmatch
from pathlib import Path


def reasons(path):
    """[(suite, program, case, reason)] of lines "SUITE PROGRAM CASE | reason", where all three may be patterns; the first that fits counts."""
    rows = []
    for line in Path(path).read_text().splitlines() if Path(path).exists() else []:
        if line.strip() and not line.startswith("#"):
            names, _, reason = line.partition(" | ")
            rows.append((*names.split(), reason.strip()))
    return rows


def reason_of(rows, suite, program, case):
    return next((row[3] for row in rows if fnmatch.fnmatchcase(suite, row[0]) and fnmatch.fnmatchcase(program, row[1]) and fnmatch.fnmatchcase(case, row[2])), "")


def cell(text):
    """Text of a program as a cell of a table: no markup, no line's end."""
    return "".join(c if c.isprintable() else " " for c in text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'").replace("*", "\\*").replace("_", "\\_")


def total(results, key):
    return sum(result[key] for result in results)


def share(passed, failed):
    return f"{100 * passed / (passed + failed):.1f} %" if passed + failed else "-"


def page(results, suites, known):
    lines = ["# AMD's test programs on the emulated device", "",
             "Made by `scripts/amd-lab table` from the results of `scripts/amd-lab run`; not edited by hand. The programs are Debian's, unmodified; the runtime in front of them",
             "is the project's own `libamdhip64` ([HIP programs without a GPU](profiling-without-a-gpu.md)). How to run them: [testing](testing.md#amds-test-programs).", "",
             "A case that is not run is one to which its program did not come within its time. The share is of the cases that ended, passed or failed; those that took too long count as failed. Each row is the last run of its programs: not all ran on the same day, with the same build or the same time limit.", ""]
    waiting = [suite for suite in suites if "waits" in suite]
    results = [result for result in results if result["suite"] not in {suite["name"] for suite in waiting}]
    lines += ["Not run: " + "; ".join(f"{suite['name']} ({suite['waits']})" for suite in waiting) + ".", ""] if waiting else []
    groups = sorted({(result["release"], result["arch"]) for result in results}, key=lambda group: (group[0] != "trixie", group))
    order = [suite["name"] for suite in suites]
    for release, arch in groups:
        ours = [result for result in results if (result["release"], result["arch"]) == (release, arch)]
        lines += [f"## Debian {release}, {arch}", "", f"Last run {max(result['date'] for result in ours)}.", "",
                  "| suite | package, version | cases | programs | passed | failed | skipped | not run | share | seconds |", "|---|---|---|--:|--:|--:|--:|--:|--:|--:|"]
        for name in sorted({result["suite"] for result in ours}, key=order.index):
            lines.append(suite_row(name, [result for result in ours if result["suite"] == name]))
        passed, failed = total(ours, "passed"), total(ours, "failed")
        lines += [f"| all | | | {len(ours)} | {passed} | {failed} | {total(ours, 'skipped')} | {total(ours, 'not_run')} | {share(passed, failed)} | {total(ours, 'seconds'):.0f} |", ""]
        slow = sorted(ours, key=lambda result: -result["seconds"])[:4]
        lines += ["The slowest programs: " + ", ".join(f"`{result['program']}` ({result['seconds']:.0f} s)" for result in slow) + ".", ""]
        lines += failures(ours, known, order)
        lines += ["### Every program", "", "| suite | program | passed | failed | skipped | not run | why | seconds | MiB |", "|---|---|--:|--:|--:|--:|---|--:|--:|"]
        for result in sorted(ours, key=lambda result: (order.index(result["suite"]), result["program"])):
            lines.append(f"| {result['suite']} | `{result['program']}` | {result['passed']} | {result['failed']} | {result['skipped']} | {result['not_run']} | {cell(result['why'])} | {result['seconds']} | {result['peak_mib']} |")
        lines += ["", "", ""]
    return "\n".join(lines)


def not_run(ours):
    """How many cases; "some" where the program does not say how many it has."""
    return str(total(ours, "not_run")) + (" and some" if any(result["why"] and not result["not_run"] for result in ours) else "")


def suite_row(name, ours):
    package = sorted({f"{result['package']} {result['version']}" for result in ours})
    choice = sorted({result["filter"] for result in ours if result["filter"]})
    passed, failed = total(ours, "passed"), total(ours, "failed")
    return (f"| {name} | {', '.join(package)} | {', '.join(f'`{c}`' for c in choice) or 'all'} | {len(ours)} | {passed} | {failed} | {total(ours, 'skipped')} | {not_run(ours)} | "
            f"{share(passed, failed)} | {total(ours, 'seconds'):.0f} |")


def failures(ours, known, order):
    """A row for each program and reason of its cases that failed, and for each program that did not come to its end."""
    rows = {}
    for result in ours:
        for case in result["cases"]:
            if case["status"] == "failed":
                why = reason_of(known, result["suite"], result["program"], case["name"]) or case["why"] or "it says nothing"
                rows.setdefault((order.index(result["suite"]), result["suite"], result["program"], why), []).append(case["name"])
        if result["not_run"] or result["why"]:
            why = reason_of(known, result["suite"], result["program"], "(the program)") or result["why"] or "the program ended before it came to them"
            rows.setdefault((order.index(result["suite"]), result["suite"], result["program"], why), []).append(f"{result['not_run'] or 'some'} not run")
    if not rows:
        return ["Nothing failed.", ""]
    lines = ["What failed or was not run, with the reason, or, where none was found yet, the program's own words:", "", "| suite | program | cases | why |", "|---|---|---|---|"]
    for (_, suite, program, why), names in sorted(rows.items()):
        shown = ", ".join(f"`{name}`" if " " not in name else name for name in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        lines.append(f"| {suite} | `{program}` | {shown} | {cell(why)} |")
    return lines + [""]
