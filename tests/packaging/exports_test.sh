#!/usr/bin/env bash
# exports_test.sh TREE BUILD: libraries that are loaded into somebody's program need the C library alone and show nothing but their interface, so that they agree with whatever that program has.
set -euo pipefail
tree=$1 build=$2
command -v objdump >/dev/null || { echo "skipped: there is no objdump"; exit 77; }

failed=0
# check FILE INTERFACE: names that it may export, one a line.
check() {
  local needs shown
  needs=$(objdump -p "$1" | awk '/NEEDED/ {print $2}' | grep -vxE 'lib(c|m|dl|pthread|gcc_s)\.so\.[0-9]+|ld-linux-[^ ]*' || true)
  [ -z "$needs" ] || { echo "failed: $1 needs $needs"; failed=1; }
  shown=$(objdump -T "$1" | awk '$0 !~ /\*UND\*|\*ABS\*/ && NF >= 6 {print $NF}' | sort -u | grep -vxFf "$2" || true)
  [ -z "$shown" ] || { echo "failed: $1 exports $(wc -l <<<"$shown") names that are not its interface: $(head -3 <<<"$shown" | tr '\n' ' ')"; failed=1; }
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -nE 's/^  ([^ ]+)( text)?$/\1/p' "$tree/engine/device/hip/symbols.txt" >"$work/hip"
printf '%s\n' OnLoad OnUnload rocprofiler_configure >"$work/capture"
check "$build/emulated-hip/libamdhip64.so" "$work/hip"
check "$build/capture-tool/librpl_capture.so" "$work/capture"
[ "$(objdump -T "$build/emulated-hip/libamdhip64.so" | grep -cw hipMalloc)" -gt 0 ] || { echo "failed: no hipMalloc"; failed=1; }
exit "$failed"
