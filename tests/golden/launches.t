# A changed launch is part of a candidate: workgroup, work-items and dynamic LDS are verified on every input, timed, and written where the file launches the kernel.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax.hip.original: hip/softmax.hip
# file rows.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#| #include <cstdio>
#|
#| // One work-item a row.
#| __global__ void rows(const float* x, float* sums, int n, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= n) return;
#|   float sum = 0.0f;
#|   for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
#|   sums[row] = sum;
#| }
#|
#| int main() {
#|   const int n = 1000, columns = 100;
#|   static float host[n * columns];
#|   for (int i = 0; i < n * columns; ++i) host[i] = static_cast<float>(i % 7);
#|   float *x = nullptr, *sums = nullptr;
#|   if (hipMalloc(&x, sizeof host) != hipSuccess || hipMalloc(&sums, n * 4) != hipSuccess) return 1;
#|   if (hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 1;
#|   const int size = 256;
#|   rows<<<(n + size - 1) / size, size>>>(x, sums, n, columns);
#|   if (hipMemcpy(host, sums, n * 4, hipMemcpyDeviceToHost) != hipSuccess) return 1;
#|   std::printf("%g %g\n", host[0], host[n - 1]);
#| }
$ build /q rows.hip -o rows
rows

$ capture run rows -o frozen -- ./rows
295 301
c1: rows on gfx942, 1024 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 2 regions, 398.4 KiB, post image
captured dispatch 1 of 1 that 'rows' names, in frozen

$ step --source rows.hip --capture frozen
profile  o1   baseline built and equal to the capture: 47652 cycles, 11632 wave-instructions
next     o1   select

# Smaller workgroups: the kernel stays as it is, the launch is written otherwise.
$ propose edit rows.hip --workgroup 64 --bit-exact
optimization  o1
made          1
refused       0

id  origin  title                     state     verdict  ratio x  decided_at  why
p1  edit    launch with workgroup 64  proposed  -              -  -           -
(1 row)

$ finish --seed 3
guard    p1   only the launch of rows changed, in line 22
build    p1   compiled for gfx942
screen   p1   the same code, launched otherwise
verify   p1   1000 elements equal bit by bit on 15 input sets
measure  p1   47652 -> 36835 cycles, 11632 -> 11632 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   improved (modelled): 1.294 times as fast, 1.027 to 1.630 within the model's band, all of it above 1.000
         p1   accepted: launch with workgroup 64
next     o1   select

# Half of the work-items leave half of the rows out.
$ propose edit rows.hip --items 1/2
optimization  o1
made          1
refused       0

id  origin  title                         state     verdict  ratio x  decided_at  why
p2  edit    launch with work-items x 1/2  proposed  -              -  -           -
(1 row)

$ finish --seed 3
guard    p2   only the launch of rows changed, in line 22
build    p2   compiled for gfx942
screen   p2   the same code, launched otherwise
verify   p2   wrong: argument 2: 488 elements that the baseline writes are not written; the first at 512 (captured input)
         p2   rejected: launch with work-items x 1/2
next     o1   select
? 5

# A rule: a wave takes each row.
$ propose rule wave-per-row
optimization  o1
made          1
refused       0

id  title                                                               state     verdict  ratio x
p3  a wave takes each row, and its lanes share out the loop in line 10  proposed  -              -
(1 row; no room for origin, decided_at, why: /v)

$ finish --seed 3
guard    p3   only the body and the launch of rows changed, in line 22
build    p3   compiled for gfx942
screen   p3   vgprs 6 -> 7, sgprs 12 -> 16, instructions 35 -> 91
verify   p3   1000 elements within tolerance on 16 input sets
measure  p3   47652 -> 8752 cycles, 11632 -> 100264 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p3   improved (modelled): 5.445 times as fast, 4.321 to 6.860 within the model's band, all of it above 1.000
         p3   accepted: a wave takes each row, and its lanes share out the loop in line 10
next     o1   select

$ info proposal
p3  accepted  a wave takes each row, and its lanes share out the loop in line 10
lanes that go through rows of their own read far apart, and each row takes as long as all its turns
launch: workgroups of 256 work-items as before, 256 instead of 4 for the captured launch
improved (modelled): 5.445 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
the gain: less with other scalar arguments

--- a/rows.hip
+++ b/rows.hip
@@ -4,11 +4,15 @@
 
 // One work-item a row.
 __global__ void rows(const float* x, float* sums, int n, int columns) {
-  const int row = blockIdx.x * blockDim.x + threadIdx.x;
+  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
+  const int lane = threadIdx.x % 64;
   if (row >= n) return;
   float sum = 0.0f;
-  for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
-  sums[row] = sum;
+  decltype(sum) sum_part = 0;
+  for (int i = lane; i < columns; i += 64) sum_part += x[row * columns + i];
+  for (int mask = 32; mask > 0; mask /= 2) sum_part += __shfl_xor(sum_part, mask);
+  sum += sum_part;
+  if (lane == 0) sums[row] = sum;
 }
 
 int main() {
@@ -19,7 +23,7 @@
   if (hipMalloc(&x, sizeof host) != hipSuccess || hipMalloc(&sums, n * 4) != hipSuccess) return 1;
   if (hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 1;
   const int size = 256;
-  rows<<<(n + size - 1) / size, size>>>(x, sums, n, columns);
+  rows<<<((n + size - 1) / size) * 64, size>>>(x, sums, n, columns);
   if (hipMemcpy(host, sums, n * 4, hipMemcpyDeviceToHost) != hipSuccess) return 1;
   std::printf("%g %g\n", host[0], host[n - 1]);
 }

# The launch in the file changes with it; the program builds and prints what it printed.
$ --allow approve approve p3 --accept-modelled
p3 is in rows.hip; 'revert p3' takes it back

! grep -n '<<<' rows.hip
26:  rows<<<((n + size - 1) / size) * 64, size>>>(x, sums, n, columns);

$ build /q rows.hip -o faster
faster

$ capture run rows -o after -- ./faster
295 301
c1: rows on gfx942, 65536 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 2 regions, 398.4 KiB, post image
captured dispatch 1 of 1 that 'rows' names, in after

$ --allow approve revert p3
rows.hip is as it was before p3

! grep -n '<<<' rows.hip
22:  rows<<<(n + size - 1) / size, size>>>(x, sums, n, columns);

# Evidence says how it was launched.
$ export evidence p3 -o p3.tar.zst
wrote p3.tar.zst: the evidence of p3

! rpl audit p3.tar.zst /q
true

! zstd -dc p3.tar.zst | tar -xO evidence/manifest.json | grep -o '"launch": "[^"]*"'
"launch": "workgroup 256, work-items x 64"

# A change that builds on one with another launch: a wave takes each row, in the smaller workgroups.
$ step --source rows.hip --capture frozen --from p1
profile  o2   baseline built and equal to the capture: 36835 cycles, 11632 wave-instructions
next     o2   select

$ propose rule wave-per-row
optimization  o2
made          1
refused       0

id  title                                                               state     verdict  ratio x
p4  a wave takes each row, and its lanes share out the loop in line 10  proposed  -              -
(1 row; no room for origin, decided_at, why: /v)

$ finish --seed 3
guard    p4   only the body and the launch of rows changed, in line 22
build    p4   compiled for gfx942
screen   p4   vgprs 6 -> 7, sgprs 12 -> 16, instructions 35 -> 91
verify   p4   1000 elements within tolerance on 16 input sets
measure  p4   36835 -> 5837 cycles, 11632 -> 100264 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p4   improved (modelled): 6.311 times as fast, 5.008 to 7.951 within the model's band, all of it above 1.000
         p4   accepted: a wave takes each row, and its lanes share out the loop in line 10
next     o2   select

! rpl info proposal | grep -E '^launch|<<<'
launch: workgroups of 64 work-items as before, 1024 instead of 16 for the captured launch
-  rows<<<((n + size - 1) / size) * 4, 64>>>(x, sums, n, columns);
+  rows<<<(((n + size - 1) / size) * 4) * 64, 64>>>(x, sums, n, columns);

# Where the file has no launch, a person has to say that it was changed elsewhere.
! cp -L softmax.hip.original softmax.hip

$ --session other build /q softmax.hip --device-only --arch gfx942 -o softmax.co
softmax.co

$ --session other kernel run /q softmax.co softmax --grid 256 --workgroup 64 --arg 'f32:random(1):16640' --arg f32:zero:16640 --arg i32:256 --arg i32:65 --capture plain
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ --session other step --source softmax.hip --capture plain
profile  o1   baseline built and equal to the capture: 155906 cycles, 15244 wave-instructions
next     o1   select

$ --session other propose rule wave-per-row
optimization  o1
made          1
refused       0

id  title                                                                 state     verdict  ratio x
p1  a wave takes each row, and its la.. the loops in lines 11, 13 and 15  proposed  -              -
(1 row; no room for origin, decided_at, why: /v)

$ --session other finish --seed 3
guard    p1   only the body of softmax changed; its launch does too, and cannot be written: this file does not launch softmax
build    p1   compiled for gfx942
screen   p1   vgprs 13 -> 20, sgprs 15 -> 22, instructions 109 -> 212
verify   p1   16640 elements within tolerance on 18 input sets
measure  p1   155906 -> 6498 cycles, 15244 -> 67584 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 20 VGPRs: 54 % more, 20 % are allowed
decide   p1   improved (modelled): 23.993 times as fast, 19.042 to 30.231 within the model's band, all of it above 1.000
         p1   accepted: a wave takes each row, and its lanes share out the loops in lines 11, 13 and 15
next     o1   select

$ --session other --allow approve approve p1 --accept-modelled
err: error: p1 is right with another launch alone (workgroups of 64 work-items as before, 256 instead of 4 for the captured launch), which is not written in DIR/softmax.hip: this file does not launch softmax; change the launch where it is, and type 'approve p1 --launch-elsewhere'
? 1

$ --session other --allow approve approve p1 --accept-modelled --launch-elsewhere
p1 is in softmax.hip; 'revert p1' takes it back
err: note: softmax has to be launched with workgroups of 64 work-items as before, 256 instead of 4 for the captured launch: that is not in softmax.hip

# Replays and measurements of builds take the same options.
$ --session other build /q softmax.hip --device-only --arch gfx942 -o wave.co
wave.co

$ replay plain --hsaco wave.co --items 64 /q
3094.285714285714
err: note: the variant leaves other bytes than the captured kernel did
err: note: argument 2: 0 of 16640 numbers differ by more than their type's tolerance; largest relative difference 4.4e-07
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ bench ab softmax.co wave.co --capture plain --items 64
id           b1
capture      c1
kernel       softmax
target       emu
time_source  modelled
candidate    wave.co
verdict      improved
ratio        23.993 x
ci_low       19.042 x
ci_high      30.231 x
floor        0.00 %
samples      2
design       1 process × 1 block × 1 dispatch, modelled
looks        1
confidence   95.00 %

candidate  measurement  verdict   ratio x  ci_low x  ci_high x  floor %  samples
wave.co    first        improved   23.993    19.042     30.231     0.00        2
(1 row; no room for design, looks, confidence: /v, modelled)

$ bench ab softmax.co wave.co --capture plain --items 0
err: error: '0' is no number of work-items; --items 64 for 64 instead of each one, --items 1/4 for one instead of four, --items 1,1/4 for that along y
? 2
