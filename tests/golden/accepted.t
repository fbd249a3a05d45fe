# What must hold of a gain besides right results on the captured input: others gain as well, and the text says what the build does.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file curve.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void curve(const float* x, float* out, int n, int turns) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   float v = x[i];
#|   for (int k = 0; k < turns; ++k) v = v * 0.5f + v * v * 0.25f;
#|   out[i] = v;
#| }
# file zeros.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void curve(const float* x, float* out, int n, int turns) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   float v = x[i];
#|   if (v == 0.0f) {
#|     out[i] = 0.0f;
#|     return;
#|   }
#|   for (int k = 0; k < turns; ++k) v = v * 0.5f + v * v * 0.25f;
#|   out[i] = v;
#| }
# file sums.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void sums(const float* x, float* out, int rows, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= rows) return;
#|   float sum = 0.0f;
#|   for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
#|   out[row] = sum;
#| }
# file undefined.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void sums(const float* x, float* out, int rows, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= rows) return;
#|   float sum = 0.0f;
#|   int first;
#|   if (columns > 1000000) first = 0;
#|   #pragma unroll 8
#|   for (int c = first; c < columns; ++c) sum += x[row * columns + c];
#|   out[row] = sum;
#| }
# file larger.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void sums(const float* x, float* out, int rows, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= rows) return;
#|   float sum = 0.0f;
#|   #pragma unroll 8
#|   for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
#|   out[row] = sum * 1.0000008f;
#| }
# file plain.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void sums(const float* x, float* out, int rows, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= rows) return;
#|   float sum = 0.0f;
#|   #pragma unroll 8
#|   for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
#|   out[row] = sum;
#| }
# file turns.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void turns(const float* x, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   float v = x[i];
#|   #pragma unroll 1
#|   for (int k = 0; k < 8192; ++k) v = v * 0.5f + v * v * 0.25f;
#|   out[i] = v;
#| }
# file unrolled.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void turns(const float* x, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   float v = x[i];
#|   #pragma unroll 4096
#|   for (int k = 0; k < 8192; ++k) v = v * 0.5f + v * v * 0.25f;
#|   out[i] = v;
#| }
$ build /q curve.hip --device-only --arch gfx942 -o curve.co
curve.co

$ kernel run /q curve.co curve --grid 4096 --workgroup 256 --arg f32:zero:4096 --arg f32:zero:4096 --arg i32:4096 --arg i32:64 --capture frozen
3464.7619047619046
err: note: weak capture: the dispatch changes no memory: a kernel that does nothing would pass

$ iterate --source curve.hip --capture frozen --to select
profile  o1   baseline built and equal to the capture: 7276 cycles, 34304 wave-instructions
select   o1   curve is the only kernel of this capture; a wave waits 887 cycles for memory and 292 for LDS
next     o1   propose

$ propose edit /q zeros.hip
1

$ finish p1
guard    p1   only the body of curve changed
build    p1   compiled for gfx942
screen   p1   instructions 32 -> 37
verify   p1   4096 elements within tolerance on 12 input sets
measure  p1   7276 -> 4276 cycles, 34304 -> 1728 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   improved (modelled): 1.702 times as fast, 1.350 to 2.144 within the model's band, all of it above 1.000; it gains with the captured values alone: 1.702 times as fast there, but 1.028 times as fast (0.816 to 1.296 within the model's band) on inputs drawn again; 'set optimize assume-captured on' takes inputs to be like the captured ones
         p1   rejected: edit from zeros.hip
next     o1   propose
? 4

# A user who knows that the numbers are zeros says so.
(rpl) set optimize assume-captured on

(rpl) propose edit /q zeros.hip
1

(rpl) finish p2 --seed 11
guard    p2   only the body of curve changed
build    p2   compiled for gfx942
screen   p2   instructions 32 -> 37
verify   p2   4096 elements within tolerance on 12 input sets
measure  p2   7276 -> 4276 cycles, 34304 -> 1728 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p2   improved (modelled): 1.702 times as fast, 1.350 to 2.144 within the model's band, all of it above 1.000
         p2   accepted: edit from zeros.hip
next     o1   propose

$ build /q sums.hip --device-only --arch gfx942 -o sums.co
sums.co

$ kernel run /q sums.co sums --grid 256 --workgroup 64 --arg 'f32:random(1):262144' --arg f32:zero:256 --arg i32:256 --arg i32:1024 --capture rows
107943.33333333333

$ --session sums iterate --source sums.hip --capture rows --to select
profile  o1   baseline built and equal to the capture: 226681 cycles, 28780 wave-instructions
select   o1   sums is the only kernel of this capture; a wave waits 182368 cycles for memory and 894 for LDS
next     o1   propose

$ --session sums propose edit /q undefined.hip
1

$ --session sums finish p1
guard    p1   only the body of sums changed
build    p1   compiled for gfx942
screen   p1   vgprs 6 -> 16, sgprs 12 -> 13, instructions 35 -> 67
verify   p1   256 elements within tolerance on 13 input sets
measure  p1   226681 -> 66569 cycles, 28780 -> 8324 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 6 -> 16 VGPRs: 167 % more, 20 % are allowed
decide   p1   improved (modelled): 3.405 times as fast, 2.703 to 4.291 within the model's band, all of it above 1.000; undecided: built with -O1 -fwrapv -fno-strict-aliasing -fno-finite-loops -ftrivial-auto-var-init=pattern it does something else, so that its results depend on what C++ leaves undefined (a variable without a value, a signed overflow, a type read as another): sums: wave 0 of workgroup 0 at 0x1994, global_load_dword v3, v[4:5], off: lane 0 reads 4 bytes at 0x7efeaaaaaaa8: 5726623064 bytes before argument 1 (1048576 bytes at 0x7f0000000000) (captured input)
         p1   rejected: edit from undefined.hip
next     o1   propose
? 4

$ --session sums propose edit /q larger.hip
1

$ --session sums finish p2
guard    p2   only the body of sums changed
build    p2   compiled for gfx942
screen   p2   vgprs 6 -> 14, sgprs 12 -> 13, instructions 35 -> 68
verify   p2   wrong: argument 2: its 256 elements are too large by 8.3e-07 of their values in the mean: each is within the tolerance, but rounding takes some up and some down (captured input)
         p2   rejected: edit from larger.hip
next     o1   propose
? 5

# More code than the instruction cache holds: what fetching it costs is not modelled.
$ build /q turns.hip --device-only --arch gfx942 -o turns.co
turns.co

$ kernel run /q turns.co turns --grid 2048 --workgroup 256 --arg 'f32:random(1):2048' --arg f32:zero:2048 --arg i32:2048 --capture long
189249.52380952382
err: note: weak capture: the dispatch changes no memory: a kernel that does nothing would pass

$ --session turns iterate --source turns.hip --capture long --to select
profile  o1   baseline built and equal to the capture: 397424 cycles, 2097856 wave-instructions
select   o1   turns is the only kernel of this capture; a wave waits 887 cycles for memory and 296 for LDS
next     o1   propose

$ --session turns propose edit /q unrolled.hip
1

$ --session turns finish p1
guard    p1   only the body of turns changed
build    p1   compiled for gfx942
screen   p1   instructions 30 -> 12314
verify   p1   2048 elements within tolerance on 8 input sets
measure  p1   397424 -> 102576 cycles, 2097856 -> 787392 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   improved (modelled): 3.874 times as fast, 3.429 to 4.378 within the model's band, all of it above 1.000; undecided (modelled): 64.1 KiB of its code ran, and the instruction cache of MI300X (gfx942) holds 64: what fetching it again and again costs is not modelled; a GPU can tell
         p1   rejected: edit from unrolled.hip
next     o1   propose
? 4

# What is left of a gain elsewhere.
$ --session sums propose edit /q plain.hip
1

$ --session sums finish p3
guard    p3   only the body of sums changed
build    p3   compiled for gfx942
screen   p3   vgprs 6 -> 16, sgprs 12 -> 13, instructions 35 -> 67
verify   p3   256 elements within tolerance on 13 input sets
measure  p3   226681 -> 66569 cycles, 28780 -> 8324 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 6 -> 16 VGPRs: 167 % more, 20 % are allowed
decide   p3   improved (modelled): 3.405 times as fast, 2.703 to 4.291 within the model's band, all of it above 1.000
         p3   accepted: edit from plain.hip
next     o1   propose

$ --session sums info proposal p3
p3  accepted  edit from plain.hip
improved (modelled): 3.405 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
the gain: on other inputs, too
resources: 6 -> 16 VGPRs: 167 % more, 20 % are allowed

--- a/sums.hip
+++ b/sums.hip
@@ -5,6 +5,7 @@
   const int row = blockIdx.x * blockDim.x + threadIdx.x;
   if (row >= rows) return;
   float sum = 0.0f;
+  #pragma unroll 8
   for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
   out[row] = sum;
 }
