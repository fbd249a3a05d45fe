"""Roots of Debian with AMD's test packages: which there are, making them, entering them."""
import os, re, subprocess
from pathlib import Path

# name, package by release of Debian; kind: how cases are chosen; filter: the cases that run without --gtest-filter;
# waits: why it runs only when it is named.
SUITES = [
    {"name": "rocRAND", "kind": "gtest", "packages": {"trixie": "librocrand1-tests"}},
    {"name": "hipRAND", "kind": "gtest", "packages": {"trixie": "libhiprand1-tests"}},
    {"name": "hipCUB", "kind": "gtest", "packages": {"trixie": "libhipcub-tests", "forky": "libhipcub-tests"}},
    {"name": "rocPRIM", "kind": "gtest", "packages": {"trixie": "librocprim-tests", "forky": "librocprim-tests"}},
    {"name": "rocThrust", "kind": "thrust", "packages": {"trixie": "librocthrust-tests", "forky": "librocthrust-tests"}},
    {"name": "rocSPARSE", "kind": "gtest", "packages": {"trixie": "librocsparse0-tests", "forky": "librocsparse1-tests"}, "filter": "quick*"},
    {"name": "hipSPARSE", "kind": "gtest", "packages": {"trixie": "libhipsparse0-tests"}},
    {"name": "rocBLAS", "kind": "gtest", "packages": {"trixie": "librocblas0-tests", "forky": "librocblas4-tests"}, "filter": "*quick*"},
    {"name": "hipBLAS", "kind": "gtest", "packages": {"trixie": "libhipblas0-tests"}, "filter": "*quick*"},
    {"name": "rocSOLVER", "kind": "gtest", "packages": {"trixie": "librocsolver0-tests", "forky": "librocsolver0-tests"}, "filter": "checkin_lapack*"},
    {"name": "hipSOLVER", "kind": "gtest", "packages": {"trixie": "libhipsolver0-tests"}, "filter": "checkin*"},
    {"name": "rocALUTION", "kind": "gtest", "packages": {"trixie": "librocalution0-tests", "forky": "librocalution0-tests"}},
    {"name": "rocFFT", "kind": "gtest", "waits": "compiles its kernels by hiprtc, for which the root has no compiler", "packages": {"trixie": "librocfft0-tests", "forky": "librocfft0-tests"}},
    {"name": "hipFFT", "kind": "gtest", "waits": "rocFFT's kernels are compiled by hiprtc, for which the root has no compiler", "packages": {"trixie": "libhipfft0-tests"}},
    {"name": "RCCL", "kind": "gtest", "packages": {"trixie": "librccl1-tests"}},
]


def programs(root, package):
    """The executables of a package of tests."""
    folder = Path(root) / "usr/libexec/rocm" / package
    return sorted(path for path in folder.glob("*") if path.is_file() and os.access(path, os.X_OK)) if folder.is_dir() else []


def installed(root, package):
    """(package, version), or None."""
    try:
        text = (Path(root) / "var/lib/dpkg/status").read_text()
    except OSError:
        return None
    for record in text.split("\n\n"):
        if record.startswith(f"Package: {package}\n") and "\nStatus: install ok installed\n" in record:
            return package, re.search(r"^Version: (\S+)", record, re.M)[1]
    return None


def mirror():
    """The archive from which this machine's apt takes its own release; None where there is none."""
    own = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.M)
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        address, _, name = line.partition(" ")
        if own and name == own[1]:
            return address
    return None


def privately(root):
    """Moves this process into a mount namespace of its own, with the root's /proc and /dev mounted there: they vanish with it."""
    if os.environ.get("RPL_LAB_INSIDE") != "1":
        os.environ["RPL_LAB_INSIDE"] = "1"
        import sys
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    for kind, where in (("proc", "proc"), ("tmpfs", "dev")):
        subprocess.run(["mount", "-t", kind, kind, Path(root) / where], check=True)
    for name in ("null", "zero", "full", "random", "urandom"):
        (Path(root) / "dev" / name).touch()
        subprocess.run(["mount", "--bind", f"/dev/{name}", Path(root) / "dev" / name], check=True)
    (Path(root) / "dev/shm").mkdir()
    (Path(root) / "dev/shm").chmod(0o1777)


def apt(root, *words, simulate=False):
    """apt-get in the root. An archive that was not renewed for long is taken as it is."""
    command = ["chroot", str(root), "/usr/bin/env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", "apt-get", "-o", "Acquire::Check-Valid-Until=false",
               "-y", "--no-install-recommends", *words]
    return subprocess.run(command, capture_output=simulate, text=True)


def make(options, suites, say, stop):
    """Makes the root where there is none, and installs the packages of `suites`; goes on where it was ended."""
    root = Path(options.lab) / options.release
    address = mirror()
    if not address:
        stop("apt has no archive of this system's own release, and so no mirror to take others from")
    if not (root / "etc/debian_version").exists() or not (root / "var/lib/rpl-lab-made").exists():
        say(f"{root}: Debian {options.release} from {address}, about 90 MiB to download, 350 MB on disk")
        if options.dry_run:
            say("the sizes of the packages are known when the root is there: " + ", ".join(suite["packages"][options.release] for suite in suites))
            return 0
        root.mkdir(parents=True, exist_ok=True)
        # Releases that this machine's debootstrap does not know are made as unstable is.
        known = Path("/usr/share/debootstrap/scripts") / options.release
        script = [] if known.exists() else ["/usr/share/debootstrap/scripts/sid"]
        if subprocess.run(["debootstrap", "--variant=minbase", options.release, root, address, *script]).returncode != 0:
            stop(f"debootstrap failed; its words are in {root}/debootstrap/debootstrap.log")
        (root / "var/lib/rpl-lab-made").touch()
    if not options.dry_run:
        privately(root)
        (root / "etc/resolv.conf").write_text(Path("/etc/resolv.conf").read_text())
        if apt(root, "-qq", "update").returncode != 0:
            stop("apt-get update failed in the root")
    for suite in suites:
        package = suite["packages"][options.release]
        if installed(root, package):
            say(f"{suite['name']}: {package} is installed")
            continue
        sizes = apt(root, "--assume-no", "install", package, simulate=True).stdout
        needs = [line.strip() for line in sizes.splitlines() if line.startswith(("Need to get", "After this operation"))]
        say(f"{suite['name']}: {package}: {' '.join(needs) or 'not offered there'}")
        if options.dry_run or not needs:
            continue
        if apt(root, "-qq", "install", package).returncode != 0:
            stop(f"{package} could not be installed; apt-get says why above, and 'scripts/amd-lab make {suite['name']}' goes on from here")
        apt(root, "clean")
    return 0
