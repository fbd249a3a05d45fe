# A capture is held against two lazy kernels when it is made: one that does nothing, and one that copies its input. Where one would pass, it is
# marked weak at once, and wherever it is used.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file copy.hip:
#| #include <hip/hip_runtime.h>
#| extern "C" __global__ void copied(const float* from, float* to) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   to[i] = from[i];
#| }
#| extern "C" __global__ void idle(const float* from, float* to) {
#|   if (from[threadIdx.x] < -1e30f) to[threadIdx.x] = 1.0f;
#| }
#| extern "C" __global__ void doubled(const float* from, float* to) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   to[i] = from[i] * 2.0f;
#| }
$ build /q copy.hip --device-only -o copy.co
copy.co

$ kernel run /q copy.co copied --grid 256 --workgroup 64 --arg 'f32:random(1):256' --arg f32:zero:256 --capture copied
1966.6666666666665
err: note: weak capture: argument 2 becomes what argument 1 is: a kernel that copies it would pass

$ kernel run /q copy.co idle --grid 256 --workgroup 64 --arg 'f32:random(1):256' --arg f32:zero:256 --capture idle
1869.047619047619
err: note: weak capture: the dispatch changes no memory: a kernel that does nothing would pass

$ kernel run /q copy.co doubled --grid 256 --workgroup 64 --arg 'f32:random(1):256' --arg f32:zero:256 --capture doubled
1972.3809523809523

$ capture list --json | grep -oE '"(path|self_check)": [a-z"]*'
"path": "copied"
"self_check": "weak"
"path": "doubled"
"self_check": "strong"
"path": "idle"
"self_check": "weak"

$ capture info /q copied
copied
err: note: weak capture: argument 2 becomes what argument 1 is: a kernel that copies it would pass

# The mark goes with the capture. One of another capture is not believed.
$ capture pack /q idle -o idle.tar.zst
idle.tar.zst

$ capture unpack /q idle.tar.zst -o unpacked
unpacked
err: note: weak capture: the dispatch changes no memory: a kernel that does nothing would pass

! cp doubled/self_check.json idle/self_check.json

$ capture list --json | grep unchecked | grep -o '"path": "[a-z]*"'
"path": "idle"

# Verification draws other inputs, on which a copy of something else would show.
$ iterate --source copy.hip --kernel copied --capture copied --to select | tail -n 2
select   o1   copied is the only kernel of this capture; a wave waits 887 cycles for memory and 876 for LDS
next     o1   propose

! sed 's/to\[i\] = from\[i\];/to[i] = from[i] + 0.0f;/' copy.hip > edited.hip

$ propose edit edited.hip | tail -n 3
id  origin  title                 state     verdict  ratio x  decided_at  why
p1  edit    edit from edited.hip  proposed  -              -  -           -
(1 row)

$ verify p1
guard    p1   only the body of copied changed
build    p1   compiled for gfx942
screen   p1   instructions 14 -> 15
verify   p1   256 elements within tolerance on 5 input sets
next     p1   propose
