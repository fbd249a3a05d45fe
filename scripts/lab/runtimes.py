"""AMD's own runtimes, unmodified, over the emulated driver: what is run of them in a root, and whether it did what it should."""
import json, os, shutil, signal, subprocess, sys, tempfile, time
from pathlib import Path
import roots

# What a root needs, by release of Debian, and the library that programs are linked with there.
PACKAGES = {"trixie": ["libhsa-runtime64-1", "libamdhip64-5", "rocminfo"], "forky": ["libhsa-runtime64-1", "libamdhip64-6", "rocminfo"]}
HIP = {"trixie": "libamdhip64.so.5", "forky": "libamdhip64.so.6"}
LIBRARY = "usr/lib/x86_64-linux-gnu"
MACHINE_LIBRARIES = ("libc.so", "libm.so", "ld-linux", "libdl.so", "libpthread.so", "librt.so")
SECONDS = 240


def libraries_of(program, root):
    """The libraries of this machine that `program` needs and the root lacks."""
    present = {path.name for folder in (LIBRARY, "usr/lib") for path in (Path(root) / folder).glob("lib*.so*")}
    found = []
    for line in subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout.splitlines():
        name, _, rest = line.strip().partition(" => ")
        if rest.startswith("/") and name not in present and not name.startswith(MACHINE_LIBRARIES):
            found.append((name, rest.split()[0]))
    return found


def examples(build, arch, folder):
    """Builds the host programs of examples/hip and those of the tests with rpl, for every root, and a kernel for the HSA programs (.vector_add.co)."""
    tree = Path(__file__).resolve().parents[2]
    whole = sorted((tree / "examples/hip/host").glob("*_main.hip")) + sorted((tree / "tests/support/hsakmt/programs").glob("*.hip"))
    builds = [(source, source.stem.removesuffix("_main"), "") for source in whole] + [(tree / "examples/hip/vector_add.hip", ".vector_add.co", " --device-only")]
    for source, name, how in builds:
        done = subprocess.run([build / "rpl", "-batch", "-nx", "-ex", "set build headers own", "-ex", f"build {source}{how} --arch {arch} -o {folder / name}"],
                              capture_output=True, text=True, cwd=folder)
        if not (folder / name).exists():
            raise RuntimeError(f"{source.name} cannot be built for {arch}: {(done.stderr or done.stdout).strip()}")


class Runtimes:
    """What is tried in one root with one device; each try is a row (name, passed, what it said, seconds)."""

    def __init__(self, root, release, arch, build, staged, programs, rocm=None):
        self.root, self.release, self.arch, self.build, self.staged, self.programs, self.rocm = root, release, arch, build, staged, programs, rocm
        self.inside = "/" + str(staged.relative_to(root))

    def stage(self):
        """Copies what runs in there: the driver, programs, and libraries of this machine that the root lacks."""
        tests = self.build / "tests/support/hsakmt"
        for path in [self.build / "emulated-driver/libkfd.so", self.build / "rpl", *(tests / f"rpl-hsa-{name}" for name in ("dispatch", "errors", "two_queues"))]:
            if not path.exists():
                raise RuntimeError(f"{path} is not built; scripts/build does it, with libdrm-dev and libhsa-runtime-dev ('scripts/setup --full')")
            shutil.copy2(path, self.staged / path.name)
        (self.staged / "capture-tool").mkdir()
        shutil.copy2(self.build / "capture-tool/librpl_capture.so", self.staged / "capture-tool")
        (self.staged / "libraries").mkdir()
        for name, path in libraries_of(self.build / "rpl", self.root):
            shutil.copy2(path, self.staged / "libraries" / name)
        # The programs ask for HIP 5's name; what they use is in HIP 6 and 7 under the same names and versions.
        own = sorted(Path(str(self.root) + self.rocm).glob("lib/libamdhip64.so.?")) if self.rocm else []
        (self.staged / "libraries/libamdhip64.so.5").symlink_to(f"{self.rocm}/lib/{own[-1].name}" if own else f"/{LIBRARY}/{HIP[self.release]}")
        if not self.programs.exists():
            self.programs.mkdir()
            examples(self.build, self.arch, self.programs)
        shutil.copy2(self.programs / ".vector_add.co", self.staged / "vector_add.co")
        self.names = sorted(path.name for path in self.programs.iterdir() if path.is_file() and not path.name.startswith("."))
        for name in self.names:
            shutil.copy2(self.programs / name, self.staged / name)

    def attempt(self, *command, **environment):
        words = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "LD_PRELOAD": f"{self.inside}/libkfd.so", "LD_LIBRARY_PATH": ":".join([f"{self.inside}/libraries"] + ([f"{self.rocm}/lib"] if self.rocm else [])),
                 "RPL_EMU_GPU": self.arch, **environment}
        begun = time.monotonic()
        try:
            done = subprocess.run(["chroot", str(self.root), "/usr/bin/env", "-i", "-C", self.inside, *(f"{key}={value}" for key, value in words.items()), *command],
                                  capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=SECONDS)
            return done.returncode, done.stdout, done.stderr, time.monotonic() - begun
        except subprocess.TimeoutExpired:
            return None, "", f"ended after {SECONDS} s", time.monotonic() - begun

    def tries(self):
        """(name, command, environment, what its output must hold)."""
        yield "rocminfo", ["rocminfo"], {}, f"  Name:                    {self.arch} "
        for engines in ("1", "0"):
            yield f"rpl-hsa-dispatch, copy engines {engines}", ["./rpl-hsa-dispatch", "vector_add.co"], {"HSA_ENABLE_SDMA": engines}, "PASSED"
            yield f"rpl-hsa-two_queues, copy engines {engines}", ["./rpl-hsa-two_queues", "vector_add.co"], {"HSA_ENABLE_SDMA": engines}, "PASSED"
        yield "rpl-hsa-dispatch without interrupts", ["./rpl-hsa-dispatch", "vector_add.co"], {"HSA_ENABLE_INTERRUPT": "0"}, "PASSED"
        for what, status in (("dimensions", "INCOMPATIBLE_ARGUMENTS"), ("workgroup", "INVALID_ARGUMENT"), ("lds", "INVALID_ALLOCATION"), ("code", "INVALID_CODE_OBJECT"),
                             ("format", "INVALID_PACKET_FORMAT")):
            yield f"rpl-hsa-errors {what}", ["./rpl-hsa-errors", "vector_add.co", what], {}, "HSA_STATUS_ERROR_" + status
        for name in self.names:
            for engines in ("1", "0"):
                yield f"{name}, copy engines {engines}", [f"./{name}"], {"HSA_ENABLE_SDMA": engines}, "PASSED"
        capture = "rm -rf cap; ./rpl -nx capture run softmax --target local -o cap -- ./softmax && ./rpl -nx replay cap --target local --iterations 3 && ./rpl -nx replay cap --target emu"
        yield "rpl capture run, replay --target local and emu", ["sh", "-c", capture], {}, "post_image   matched"

    def loop(self):
        """What rpl, outside the root, makes of the dispatch that was captured on its runtimes: measured there against what it was."""
        begun, tree, name = time.monotonic(), Path(__file__).resolve().parents[2], "rpl optimize softmax, bench ab"
        with tempfile.TemporaryDirectory() as folder:
            def rpl(*words):
                done = subprocess.run([self.build / "rpl", "-nx", *words, "--json"], capture_output=True, text=True, cwd=folder)
                return json.loads(done.stdout) if done.stdout.startswith("{") else {"error": done.stderr.strip()}

            shutil.copy2(tree / "examples/hip/softmax.hip", folder)
            best = rpl("optimize", "softmax.hip", "--capture", str(self.staged / "cap"), "--rounds", "1")
            found = rpl("info", "proposal", best["best"]) if best.get("best") else {}
            if not found.get("launch"):
                return name, False, best.get("error") or "nothing was accepted", time.monotonic() - begun
            shutil.copy2(Path(folder) / ".rpl/optimizations" / best["optimization"] / "base.co", self.staged)
            shutil.copy2(Path(folder) / ".rpl/proposals" / best["best"] / "candidate.co", self.staged)
        builds, items = ["base.co", "candidate.co"], found["launch"].partition("work-items x ")[2].split(",")[0]
        status, out, error, _ = self.attempt("./rpl", "-nx", "bench", "ab", *builds, "--items", items, "--capture", "cap", "--target", "local", "--processes", "5",
                                             "--max-processes", "5", "--json")
        told = json.loads(out) if out.startswith("{") else {}
        right = status in (0, 3, 4) and told.get("time_source") == "measured"
        return name, right, f"{found['title']}: {told.get('verdict')}, {told.get('ratio')} times as fast by the time that emulating took" if right else f"status {status}: {error.strip() or out.strip()}", time.monotonic() - begun

    def run(self):
        for name, command, environment, wanted in self.tries():
            status, out, error, seconds = self.attempt(*command, **environment)
            passed = status == 0 and wanted in out
            said = (error.strip().splitlines() or out.strip().splitlines() or [""])[-1]
            yield name, passed, "" if passed else f"status {status}: {said}", seconds
        yield self.loop()
        # A fault ends the program, after the driver has said where.
        status, out, error, seconds = self.attempt("./rpl-hsa-errors", "vector_add.co", "fault")
        passed = status not in (0, None) and "lane 0 writes 4 bytes at 0xdead0000" in error and "Memory access fault by GPU node-1" in error
        yield "rpl-hsa-errors fault", passed, "" if passed else f"status {status}", seconds


def versions(root, release, rocm=None):
    """"ROCr 6.1.2, HIP 5.7.1", as the packages say; of a ROCm in a folder what its libraries are called."""
    found = {name: roots.installed(root, name) for name in PACKAGES[release]}
    short = {name: entry[1].split("+")[0].split("-")[0] for name, entry in found.items() if entry}
    packaged = {title: short[name] for name, title in zip(PACKAGES[release][:2], ("ROCr", "HIP")) if name in short}
    for title, library in (("ROCr", "libhsa-runtime64.so"), ("HIP", "libamdhip64.so")) if rocm else ():
        named = sorted(Path(str(root) + rocm).glob(f"lib/{library}.*"), key=lambda path: len(path.name))
        if named:
            packaged[title] = f"{named[-1].name} of {rocm}"
    return ", ".join(f"{title} {version}" for title, version in packaged.items())


def missing(root, release):
    return [name for name in PACKAGES[release] if not roots.installed(root, name)]


def all_of(options, say, stop):
    """Every root that there is, or the one that was asked for, with each device; 1 when something failed."""
    releases = [options.release] if options.release_given else [name for name in PACKAGES if (Path(options.lab) / name / "etc/debian_version").exists()]
    if not releases:
        stop(f"{options.lab}: no root yet; scripts/amd-lab make --release forky runtimes")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was copied into a root is taken away
    failed, built = 0, tempfile.TemporaryDirectory()
    for release in releases:
        root = Path(options.lab) / release
        if release not in PACKAGES or not (root / "etc/debian_version").exists():
            stop(f"{root}: no root of {release}; scripts/amd-lab make --release {release} runtimes")
        if options.dry_run:
            say(f"{release}: {versions(root, release, options.rocm)}{'; would be installed first: ' + ' '.join(missing(root, release)) if missing(root, release) else ''}")
            continue
        if options.rocm and not list(Path(str(root) + options.rocm).glob("lib/libhsa-runtime64.so.1")):
            stop(f"{root}{options.rocm}: no lib/libhsa-runtime64.so.1 in there; --rocm takes a folder as the root has it, such as /opt/rocm")
        roots.privately(root)
        if missing(root, release) and roots.apt(root, "-qq", "install", *missing(root, release)).returncode != 0:
            stop("apt-get says above why it could not install " + " ".join(missing(root, release)))
        say(f"{release}: {versions(root, release, options.rocm)}")
        for arch in ([options.arch] if options.arch_given else ["gfx90a", "gfx942"]):
            staged = root / "opt" / f"rpl-lab-{os.getpid()}-{arch}"
            staged.mkdir(parents=True)
            try:
                one = Runtimes(root, release, arch, Path(options.build), staged, Path(built.name) / arch, options.rocm)
                one.stage()
                rows = wrong = 0
                for name, passed, why, seconds in one.run():
                    rows, wrong = rows + 1, wrong + (not passed)
                    if not passed or options.verbose:
                        say(f"  {'passed' if passed else 'FAILED'}  {arch}  {name}  {seconds:.1f} s{'  ' + why if why else ''}")
                failed += wrong
                say(f"  {arch}: {rows - wrong} of {rows} passed")
            except RuntimeError as problem:
                stop(str(problem))
            finally:
                shutil.rmtree(staged, ignore_errors=True)
    return 1 if failed else 0
