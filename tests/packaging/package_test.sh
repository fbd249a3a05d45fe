#!/usr/bin/env bash
# package_test.sh TREE BUILD: packs the build, unpacks the package in a root that has this machine's programs and libraries and nothing else, and does the main job there.
set -euo pipefail
tree=$(realpath "$1") build=$(realpath "$2")

skip() {
  echo "skipped: $1"
  exit 77
}
for program in cpack dpkg-deb dpkg-shlibdeps file unshare; do
  command -v "$program" >/dev/null || skip "there is no $program (scripts/setup --full)"
done
[ "$(id -u)" -eq 0 ] || skip "only root can change its root"
unshare --mount true 2>/dev/null || skip "this machine allows no mounts"

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
(cd "$build" && cpack -G DEB -B "$work/pack") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
deb=$(ls "$work"/pack/*.deb)

fail() {
  echo "failed: $1"
  exit 1
}
depends=$(dpkg-deb -f "$deb" Depends)
for package in libsqlite3-0 libreadline8 libcurl4 liblua5.4-0; do
  [[ $depends == *"$package"* ]] || fail "no dependency on $package: $depends"
done
[[ $(dpkg-deb -f "$deb" Recommends) == *clang-19* ]] || fail "clang-19 is not recommended"
[[ $(dpkg-deb -f "$deb" Recommends) == *libmicrohttpd12* ]] || fail "libmicrohttpd is not recommended"
names=$(dpkg-deb -c "$deb")
for path in bin/rpl bin/rocm-perf lib/rpl/emulated-hip/libamdhip64.so.7 lib/rpl/capture-tool/librpl_capture.so lib/rpl/emulated-hip/include/hip/hip_runtime.h \
  share/rpl/scripts/triage.lua share/rpl/examples/hip/softmax.hip share/rpl/lua-stubs/rpl.lua share/man/man1/rpl.1 \
  share/bash-completion/completions/rpl share/zsh/site-functions/_rpl share/fish/vendor_completions.d/rpl.fish share/doc/rocm-perf-lab/copyright share/doc/rocm-perf-lab/docs/installation.md; do
  [[ $names == *"./usr/$path"* ]] || fail "the package has no /usr/$path"
done

root=$work/root
mkdir -p "$root"/{usr,etc,dev,proc,tmp,var,opt,home}
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
dpkg-deb -x "$deb" "$root/opt/package"
# No path of the tree or the build is in what was packed.
! grep -rlF -e "$tree/" "$root/opt/package" || fail "these name the tree"
! grep -rlF -e "$build" "$root/opt/package" || fail "these name the build folder"

# Half of the time that a program takes to start, were it linked.
! objdump -p "$root/opt/package/usr/bin/rpl" | grep -q 'NEEDED.*libcurl' || fail "rpl waits for libcurl when it starts"
! objdump -p "$root/opt/package/usr/bin/rpl" | grep -q 'NEEDED.*microhttpd' || fail "rpl waits for libmicrohttpd when it starts"

cat >"$root/home/job" <<'JOB'
set -euo pipefail
cd "$(mktemp -d)"
export PATH=/opt/package/usr/bin:$PATH
rpl --version
status=0
rpl doctor || status=$?
if [ ! -x /usr/bin/clang-19 ] || [ ! -x /usr/bin/clang-offload-bundler-19 ]; then
  [ "$status" = 6 ] && exit 77
fi
[ "$status" = 0 ]
rpl -batch -q -ex 'source triage.lua --define' >/dev/null
rocm-perf --version >/dev/null
rpl --allow approve tutorial all >tutorial.log || { tail -20 tutorial.log; exit 1; }
tail -3 tutorial.log
rpl --session .rpl info proposals --csv >proposals.csv  # no pipe: grep -q ends before all is written
grep -q approved proposals.csv
JOB
status=0
unshare --mount --pid --fork bash -euc '
  mount --rbind -o ro /usr "$1/usr"
  mount --rbind /etc "$1/etc"
  mount --rbind /dev "$1/dev"
  mount -t proc proc "$1/proc"
  exec env -i HOME=/home PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 RPL_TARGET=emu chroot "$1" bash /home/job
' _ "$root" </dev/null || status=$?
[ "$status" -ne 77 ] || skip "clang-19 is not here: doctor said so, kernels cannot be built (scripts/setup --kernels)"
exit "$status"
