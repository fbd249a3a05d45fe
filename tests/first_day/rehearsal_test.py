"""usage: rehearsal_test.py FIRST-DAY RPL: what scripts/first-day keeps, packs and does not do again."""
import hashlib, json, subprocess, sys, tarfile, tempfile
from pathlib import Path

script, rpl = sys.argv[1:]


def run(folder, *words):
    return subprocess.run([sys.executable, script, "--out", str(folder), "--target", "emu", "--rpl", rpl, *words], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as temporary:
    out = Path(temporary) / "day"
    refused = run(out, "--only", "machine,tomorrow")
    assert refused.returncode == 2 and "tomorrow: no step; the steps are machine" in refused.stderr, refused.stderr
    assert not out.exists()
    assert "would try  machine/doctor" in run(out, "--dry-run", "--only", "machine").stdout and not out.exists()

    first = run(out, "--only", "machine")
    assert first.returncode == 0 and "packed: " in first.stdout, first.stdout + first.stderr
    kept = out / "results.jsonl"
    items = {json.loads(line)["item"]: json.loads(line) for line in kept.read_text().splitlines()}
    assert items["machine/capabilities"]["passed"] and "machine/hipcc" in items, items

    with tarfile.open(out / "first-day.tar.gz") as archive:
        manifest = json.load(archive.extractfile("first-day/first-day.json"))
        assert manifest["schema"] == "rpl.first-day/1" and len(manifest["results"]) == len(items)
        assert "data/info_capabilities.json" in manifest["files"]
        for name, digest in manifest["files"].items():
            assert hashlib.sha256(archive.extractfile("first-day/" + name).read()).hexdigest() == digest, name
        assert all(entry.uid == 0 and entry.uname == "" for entry in archive.getmembers())

    # A machine that went away cut the last line: that item alone is tried again.
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines[:-1]) + lines[-1][:10] + "\n")
    last = json.loads(lines[-1])["item"]
    second = run(out, "--only", "machine")
    tried = [line for line in second.stdout.splitlines() if line.startswith(("done  ", "FAILED"))]
    assert second.returncode == 0 and len(tried) == 1 and last in tried[0], second.stdout + second.stderr

    none = run(Path(temporary) / "late", "--only", "machine", "--minutes", "0")
    assert "minutes are over; 'scripts/first-day --out" in none.stdout and "done  " not in none.stdout, none.stdout
print("ok")
