# The loop measuring by the clock of a GPU: here the double of the HSA runtime, where a dispatch takes 1000 ns and 10 for each wave-instruction.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# needs RPL_HSA_RUNTIME: hsa-double/libhsa-runtime64.so.1
# example softmax_example.hip: hip/softmax.hip
# example softmax: captures/softmax
# example best_of.jsonl: cassettes/best_of.jsonl
# file sums.hip:
#| #include <hip/hip_runtime.h>
#| 
#| extern "C" __global__ void row_sums(const float* in, float* out, int columns) {
#|   const int row = blockIdx.x * blockDim.x + threadIdx.x;
#|   float sum = 0.0f;
#|   for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
#|   out[row] = sum;
#| }
$ build /q sums.hip --device-only --arch gfx942 -o sums.co
sums.co

$ kernel run /q sums.co row_sums --grid 256 --workgroup 64 --arg 'f32:random(1):16384' --arg f32:zero:256 --arg i32:64 --capture frozen
8215.714285714286

! export RPL_HSA_DOUBLE_CLOCK_STEP=1000 RPL_HSA_DOUBLE_CLOCK_INSTRUCTION=10; rpl -batch -ex 'target /q local' -ex 'set optimize scope v1' -ex 'iterate --source sums.hip --capture frozen --all'
local
profile  o1   baseline built and equal to the capture: 17253 cycles, 1880 wave-instructions
select   o1   row_sums is the only kernel of this capture; a wave waits 11398 cycles for memory and 872 for LDS
propose  o1   4 proposals, p1 to p4
              p1   unroll the loop in line 6 by 2
              p2   unroll the loop in line 6 by 4
              p3   unroll the loop in line 6 by 8
              p4   keep the loop in line 6 rolled
accepted    p1   unroll the loop in line 6 by 2: 1.607 times as fast
accepted    p2   unroll the loop in line 6 by 4: 2.324 times as fast
accepted    p3   unroll the loop in line 6 by 8: 2.735 times as fast
rejected    p4   keep the loop in line 6 rolled: not worth running: the compiler made the same 30 instructions of both sources
again    p3   best of several, measured again: improved, 2.735 times as fast; 2.735 at first
         p3   accepted: unroll the loop in line 6 by 8
best     p3   2.735 times as fast: unroll the loop in line 6 by 8
next     p3   'approve p3' writes it

# The noise was measured once, and is kept as bench aa keeps it.
$ info measurements /c
id,proposal,baseline_ns,candidate_ns,time_source,verdict,ratio,ci_low,ci_high,floor,model,about
m1,p1,19800.0,12320.0,measured,improved,1.6071428571428572,1.6071428571428572,1.6071428571428572,0.01,,unroll the loop in line 6 by 2
m2,p2,19800.0,8520.0,measured,improved,2.323943661971831,2.323943661971831,2.323943661971831,0.01,,unroll the loop in line 6 by 4
m3,p3,19800.0,7240.0,measured,improved,2.734806629834254,2.734806629834254,2.734806629834254,0.01,,unroll the loop in line 6 by 8
b1,,,,measured,equivalent,1.0,1.0,1.0,0.01,,"aa row_sums on local, measured"

$ info proposal p3
p3  accepted  unroll the loop in line 6 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
improved (measured): 2.735 times as fast on local
measured again, as the best of several: improved, 2.735 times as fast
resources: 6 -> 16 VGPRs: 167 % more, 20 % are allowed

--- a/sums.hip
+++ b/sums.hip
@@ -3,6 +3,7 @@
 extern "C" __global__ void row_sums(const float* in, float* out, int columns) {
   const int row = blockIdx.x * blockDim.x + threadIdx.x;
   float sum = 0.0f;
+  #pragma unroll 8
   for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
   out[row] = sum;
 }

$ export evidence p3 -o p3.tar.zst
wrote p3.tar.zst: the evidence of p3

$ audit /q p3.tar.zst
true

# Measured time needs no second yes.
$ --allow approve approve p3
p3 is in sums.hip; 'revert p3' takes it back

# A clock that is as long for every kernel: nothing is faster, and nothing is chosen.
! export RPL_HSA_DOUBLE_CLOCK_STEP=1000; rpl --session equal -batch -ex 'target /q local' -ex 'set optimize scope v1' -ex 'iterate /q --source sums.hip --capture frozen --to propose' -ex 'finish p1'
local
null
guard    p1   only the body of row_sums changed
build    p1   compiled for gfx942
screen   p1   vgprs 16 -> 8, instructions 61 -> 47
verify   p1   256 elements equal bit by bit on 9 input sets
measure  p1   1.000 us -> 1.000 us, medians of 5 processes × 6 blocks × 8 dispatches on HSA double
decide   p1   equivalent (measured): 1.000 times as fast (1.000 to 1.000), but more than 1.010 is needed
         p1   rejected: unroll the loop in line 7 by 2
next     p2   guard
? 4

# A model's changes, too: the best of several is measured again before anything builds on it.
! cat softmax_example.hip > softmax.hip; export RPL_HSA_DOUBLE_CLOCK_STEP=1000 RPL_HSA_DOUBLE_CLOCK_INSTRUCTION=10; rpl --session model -batch -ex 'target /q local' -ex 'set llm cassette best_of.jsonl' -ex 'set llm cassette-mode replay' -ex 'set optimize scope v1' -ex 'llm-optimize softmax.hip --capture softmax --best-of 3 --max-iters 1'
local
profile     o1   baseline built and equal to the capture: 128630 cycles, 7506 wave-instructions
reply 1          refused: read the row through the read-only path
                 header: the header is not the original one: '__restrict__' where that has 'in'
reply 2     p1   rejected by build: keep several loads of the search for the maximum in flight
                 does-not-compile: use of undeclared identifier 'higest'; did you mean 'highest'?
reply 3     p2   built: unroll both reading loops by 4, so that four loads are in flight
reply 4     p3   built: write the row in blocks of eight: eight loads in flight before the first store
reply 5     p4   built: eight loads at once, two maxima side by side
accepted    p2   unroll both reading loops by 4, so that four loads are in flight: 1.291 times as fast
accepted    p3   write the row in blocks of eight: eight loads in flight before the first store: 1.623 times as fast
rejected    p4   eight loads at once, two maxima side by side: wrong: argument 2: 8192 of 8192 elements differ; the first at 0: expected 0.024451012, found 0.024730334; largest relative difference 0.0402 (captured input)
again       p3   best of several, measured again: improved, 1.623 times as fast; 1.623 at first
best        p3   of 3 proposals, 1.623 times as fast
result      p3   1.623 times as fast as the file (measured): write the row in blocks of eight: eight loads in flight before the first store
accepted    p3   softmax.hip is untouched: 'approve p3' writes it
stopped          1 iteration: --max-iters raises it
