"""What test programs print, as cases: GoogleTest, doctest, Thrust's own framework, and programs that have a status alone."""
import json, re, signal, time
from pathlib import Path

RUN = re.compile(r"\[ RUN      \] (\S.*?)\s*$")
RESULT = re.compile(r"\[(       OK|  FAILED |  SKIPPED) \] (.+?) \((\d+) ms\)\s*$")
COUNT = re.compile(r"^\[==========\] Running (\d+) tests? from")
END = re.compile(r"^\[==========\] (\d+) tests? from .* ran\.")
DOCTEST = re.compile(r"\[doctest\] test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed(?:\s*\|\s*(\d+) skipped)?")
THRUST_COUNT = re.compile(r"^Running (\d+) unit tests?\.")
THRUST_END = re.compile(r"^Totals: (\d+) failures, (\d+) known failures, (\d+) errors, and (\d+) passes\.")
THRUST_CASE = re.compile(r"^(FAILURE|ERROR|UNKNOWN EXCEPTION): (\S+)")
OWN_WORDS = re.compile(r"^(rpl: |.*\bHSA_STATUS|.*[Mm]emory access fault|terminate called|.*what\(\):|.*Assertion .* failed)")
LONGEST = 240


def words_of(status):
    """What a status of a child means: "status 3", "ended by SIGSEGV"."""
    if isinstance(status, str):
        return "ended because a case took too long" if status == "case" else "ended because its time was over"
    number = -status if status < 0 else status - 128 if 128 < status < 160 else 0
    try:
        return "ended by " + signal.Signals(number).name if number else f"status {status}"
    except ValueError:
        return f"status {status}"


class Cases:
    """All cases of one program, over all of its runs."""

    def __init__(self):
        self.cases, self.expected, self.counted = {}, 0, None

    def add(self, name, status, why="", seconds=0.0):
        self.cases[name] = {"name": name, "status": status, "why": why[:LONGEST], "seconds": seconds}

    def names(self):
        return self.cases.keys()

    def summary(self):
        """Counts, and the cases that did not pass. Where a program counts without naming its cases, those that failed are all that has a name."""
        of = lambda status: sum(case["status"] == status for case in self.cases.values())
        passed, failed, skipped = of("passed"), of("failed"), of("skipped")
        if self.counted:
            passed, failed, skipped = (max(a, b) for a, b in zip(self.counted, (passed, failed, skipped)))
        return {"passed": passed, "failed": failed, "skipped": skipped, "not_run": max(0, self.expected - passed - failed - skipped),
                "cases": [case for case in self.cases.values() if case["status"] != "passed"],
                "slowest": [{"name": case["name"], "seconds": case["seconds"]} for case in sorted(self.cases.values(), key=lambda c: -c["seconds"])[:3]]}


class Reader:
    """Reads the lines of one run of a program into `cases`. After end(), `finished` says whether the program came to its own end, `lost` the case that did not."""

    def __init__(self, cases):
        self.cases, self.current, self.text, self.last_words = cases, None, [], ""
        self.current_failure = None  # of Thrust, whose reason follows
        self.finished, self.lost, self.counts, self.progress, self.framework = False, None, 0, 0.0, None

    def feed(self, line):
        if OWN_WORDS.match(line):
            self.last_words = line.strip()
        found = RUN.search(line)
        if found:
            self.current, self.text, self.progress = found[1], [], time.monotonic()
            return
        found = RESULT.search(line)
        if found and self.current:
            status = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[found[1].strip()]
            self.cases.add(self.current, status, "" if status == "passed" else self.reason(), int(found[3]) / 1000)
            self.current, self.counts, self.progress = None, self.counts + 1, time.monotonic()
            return
        found = COUNT.search(line)
        if found:
            self.framework = "gtest"
            self.cases.expected = max(self.cases.expected, int(found[1]))
            return
        if END.search(line):
            self.finished = True
            return
        if self.current is not None and len(self.text) < 60:
            self.text.append(line.strip())
        self.feed_others(line)

    def feed_others(self, line):
        found = DOCTEST.search(line)
        if found:
            passed, failed, skipped = int(found[2]), int(found[3]), int(found[4] or 0)
            self.cases.expected, self.cases.counted, self.finished, self.framework = passed + failed, (passed, failed, skipped), True, "doctest"
        found = THRUST_COUNT.search(line)
        if found:
            self.cases.expected, self.framework, self.progress = int(found[1]), "thrust", time.monotonic()
        found = THRUST_CASE.search(line)
        if found and self.framework == "thrust":
            self.cases.add(found[2], "failed")
            self.current_failure = found[2]
        elif self.current_failure and line.startswith("["):
            self.cases.add(self.current_failure, "failed", line.strip())
            self.current_failure = None
        found = THRUST_END.search(line)
        if found:
            failures, known, errors, passes = (int(found[i]) for i in range(1, 5))
            self.cases.counted, self.finished = (passes, failures + errors, known), True

    def reason(self):
        """Of the text of a case, what says why: the lines after the first "Failure", else the runtime's own words, else the last line."""
        for at, line in enumerate(self.text):
            if line.endswith(": Failure") or line == "Failure":
                return "; ".join(part for part in self.text[at + 1:at + 6] if part)
            if line.endswith("Skipped") or "skip" in line.lower():
                return "; ".join(part for part in [line, *self.text[at + 1:at + 3]] if part)
        return self.last_words or next((line for line in reversed(self.text) if line), "")

    def end(self, status, case_seconds=0):
        """The program ended, with a status, or because it ran into a limit ("case", "program")."""
        if self.framework is None and self.current is None:
            # It has no cases of its own: it is one.
            self.finished = status != "program"
            if status == "program":
                self.cases.expected = 1
            else:
                why = "" if status == 0 else f"no end within {case_seconds} s" if status == "case" else self.last_words or words_of(status)
                self.cases.add("(the program)", "passed" if status == 0 else "failed", why)
        elif self.current and status != "program":
            why = f"no end within {case_seconds} s" if status == "case" else f"{words_of(status)}: {self.last_words or self.reason()}".rstrip(": ")
            self.cases.add(self.current, "failed", why)
            self.lost = self.current
        elif self.framework == "thrust" and not self.finished and status != "program":
            self.cases.add("(the program)", "failed", f"no end within {case_seconds} s" if status == "case" else f"{words_of(status)}: {self.last_words}".rstrip(": "))


def self_test(folder):
    """Each recorded output FOLDER/NAME.out (first line: the status) gives what NAME.json says. Prints what differs, gives the exit status."""
    wrong, seen = 0, 0
    for path in sorted(Path(folder).glob("*.out")):
        status, _, text = path.read_text().partition("\n")
        cases = Cases()
        reader = Reader(cases)
        for line in text.splitlines():
            reader.feed(line)
        reader.end(int(status) if status.lstrip("-").isdigit() else status, 120)
        expected, got = json.loads(path.with_suffix(".json").read_text()), {**cases.summary(), "lost": reader.lost, "finished": reader.finished}
        got["cases"] = [[case["name"], case["status"], case["why"]] for case in got["cases"]]
        seen += 1
        for key, value in expected.items():
            if got[key] != value:
                wrong += 1
                print(f"{path.name}: {key} is {json.dumps(got[key])}, not {json.dumps(value)}")
    print(f"{seen} recorded outputs, {wrong} differences")
    return 1 if wrong or not seen else 0
