# What a kernel is called with, as its user declares it: an edit that needs columns by four is right within that, and wrong without it.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
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
# file four.hip:
#| // SPDX-License-Identifier: MIT
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void sums(const float* x, float* out, int rows, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (row >= rows) return;
#|   const float4* from = reinterpret_cast<const float4*>(x + row * columns);
#|   float sum = 0.0f;
#|   for (int c = 0; c < columns / 4; ++c) {
#|     const float4 v = from[c];
#|     sum += v.x;
#|     sum += v.y;
#|     sum += v.z;
#|     sum += v.w;
#|   }
#|   out[row] = sum;
#| }
$ build /q sums.hip --device-only --arch gfx942 -o sums.co
sums.co

$ kernel run /q sums.co sums --grid 256 --workgroup 64 --arg 'f32:random(1):65536' --arg f32:zero:256 --arg i32:256 --arg i32:256 --capture rows
28183.333333333332

$ iterate --source sums.hip --capture rows --to select
profile  o1   baseline built and equal to the capture: 59185 cycles, 7276 wave-instructions
select   o1   sums is the only kernel of this capture; a wave waits 45592 cycles for memory and 894 for LDS
next     o1   propose

$ propose edit /q four.hip
1

$ finish p1 --seed 3
guard    p1   only the body of sums changed
build    p1   compiled for gfx942
screen   p1   vgprs 6 -> 10, instructions 35 -> 42
verify   p1   wrong: argument 2: 253 of 256 elements differ; the first at 0: expected 9.583729, found 10.824973; largest relative difference 35.4 (other scalar arguments)
         p1   rejected: edit from four.hip
next     o1   propose
? 5

$ contract show
optimization  o1
kernel        sums
file          sums.contract
rules         0

argument  type           captured        rule  found
x         buffer of f32  65536 elements  -     values only
out       buffer of f32  256 elements    -     values only
rows      i32            256             -     runs with 255, 56
columns   i32            256             -     runs with 255, 48
(4 rows)

# A rule leaves something out, which is a person's decision.
$ contract set 'columns in 4..256 step 4'
err: error: 'contract set 'columns in 4..256 step 4'' writes into your sources, and nobody sits at a terminal to say yes; type it at a terminal, or start with: rpl --allow approve contract set 'columns in 4..256 step 4'
? 1

$ --allow approve contract set 'columns in 4..256 step 4'
columns in 4..256 step 4

$ --allow approve contract set 'x in -100..100'
columns in 4..256 step 4
x in -100..100

$ --allow approve contract set 'rows in 256..128'
err: error: line 3 of the contract: 'rows in 256..128' is no rule; lines are 'n in 1..4096', 'n in 64..4096 step 64', 'mode one of 0 1 3', 'x as captured', 'launch as captured', 'kernel NAME'
? 1

$ --allow approve contract set 'pitch in 1..128'
err: error: line 3 of the contract: the kernel has no parameter 'pitch'; it has x, out, rows, columns; a position from 1 names one, too
? 1

$ contract show
optimization  o1
kernel        sums
file          sums.contract
rules         2

argument  type           captured        rule              found
x         buffer of f32  65536 elements  in -100..100      values only
out       buffer of f32  256 elements    -                 values only
rows      i32            256             -                 runs with 255, 56
columns   i32            256             in 4..256 step 4  runs with 4, 164
(4 rows)

$ contract check
optimization  o1
kernel        sums
file          sums.contract
rules         2

rule                      holds  found
x in -100..100            yes    all captured elements keep it
columns in 4..256 step 4  yes    the baseline runs with 256, 4
(2 rows)

$ propose edit /q four.hip
1

$ finish p2 --seed 3
guard    p2   only the body of sums changed
build    p2   compiled for gfx942
screen   p2   vgprs 6 -> 10, instructions 35 -> 42
verify   p2   256 elements within tolerance on 12 input sets within the contract
measure  p2   59185 -> 23845 cycles, 7276 -> 2688 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 6 -> 10 VGPRs: 67 % more, 20 % are allowed
decide   p2   improved (modelled): 2.482 times as fast, 1.970 to 3.127 within the model's band, all of it above 1.000
         p2   accepted: edit from four.hip
next     o1   propose

# A rule that the captured call breaks was not meant.
$ --allow approve contract set 'columns in 4..128 step 4'
columns in 4..128 step 4
x in -100..100

$ contract check
err: error: the captured call breaks 'columns in 4..128 step 4': the captured 256 is outside; 'contract set' changes the rule; a capture of a call that keeps it serves, too
? 5

$ --allow approve contract drop columns
x in -100..100

$ --allow approve contract drop columns
err: error: the contract has no rule of 'columns'; 'contract show' lists them
? 1

$ contract edit
err: error: 'contract edit' writes into your sources, and nobody sits at a terminal to say yes; type it at a terminal, or start with: rpl --allow approve contract edit
? 1

$ lua "local file = io.open('sums.contract'); print(file:read('a')); file:close()"
x in -100..100

