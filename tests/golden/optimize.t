# An application whose kernels become faster one after the other, each change confirmed with the whole of it.
# modelled
# long
# needs clang: /usr/lib/llvm-19/bin/clang
# example host_examples: hip/host
# file two_sizes.hip:
#| #include <hip/hip_runtime.h>
#| #include <cstdio>
#|
#| __global__ void row_sums(const float* x, float* sums, int rows, int columns) {
#|   for (int row = threadIdx.x; row < rows; row += blockDim.x) {
#|     float sum = 0.0f;
#| #pragma unroll 4
#|     for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
#|     sums[row] = sum;
#|   }
#| }
#|
#| int main() {
#|   float *x = nullptr, *sums = nullptr;
#|   if (hipMalloc(&x, 64 * 1024 * 4) != hipSuccess || hipMalloc(&sums, 1024 * 4) != hipSuccess) return 1;
#|   if (hipMemset(x, 0x3e, 64 * 1024 * 4) != hipSuccess) return 1;
#|   row_sums<<<1, 64>>>(x, sums, 64, 1024);
#|   for (int i = 0; i < 20; ++i) row_sums<<<1, 64>>>(x, sums, 512, 7);
#|   std::printf("%d\n", static_cast<int>(hipDeviceSynchronize()));
#| }
# The first kernel has most of the critical path; once it is faster, the second has.
! mkdir app && cp host_examples/host.h app && cp host_examples/row_features_main.hip app/features.hip; rpl build app/features.hip -o features > built.txt; echo $?
0

(rpl) set optimize scope v1

(rpl) optimize app/features.hip features --rounds 2
application a1   76.24 us of kernels and copies in 339.0 us, 2 kernels
target      a1   row_norms has 54 % of the critical path: without it the path would be 2.19 times as fast, and no change to it can do more
capture     a1   dispatch 1 of 1
profile     o1   baseline built and equal to the capture: 87101 cycles, 10860 wave-instructions
select      o1   row_norms is the only kernel of this capture; a wave waits 68388 cycles for memory and 894 for LDS
propose     o1   4 proposals, p1 to p4
accepted    p1   unroll the loop in line 9 by 2: 1.682 times as fast
accepted    p2   unroll the loop in line 9 by 4: 2.552 times as fast
accepted    p3   unroll the loop in line 9 by 8: 3.218 times as fast
rejected    p4   keep the loop in line 9 rolled: not worth running: the compiler made the same 35 instructions of both sources
confirm     p3   the application 339.0 us -> 309.3 us: 1.096 times as fast
target      a1   retargeted: row_peaks has 55 % of the critical path: without it the path would be 2.23 times as fast, and no change to it can do more; row_norms has 28 %, at the beginning it had 54 %
capture     a1   dispatch 1 of 1
profile     o2   baseline built and equal to the capture: 60189 cycles, 9328 wave-instructions
select      o2   row_peaks is the only kernel of this capture; a wave waits 44568 cycles for memory and 890 for LDS
propose     o2   4 proposals, p5 to p8
accepted    p5   unroll the loop in line 18 by 2: 1.713 times as fast
accepted    p6   unroll the loop in line 18 by 4: 2.576 times as fast
accepted    p7   unroll the loop in line 18 by 8: 3.192 times as fast
rejected    p8   keep the loop in line 18 rolled: not worth running: the compiler made the same 37 instructions of both sources
confirm     p7   the application 309.3 us -> 290.8 us: 1.064 times as fast
result      a1   339.0 us -> 290.8 us (modelled), 2 changes confirmed with the application
approve     p7   writes all of it to app/features.hip
stopped          2 rounds: --rounds raises it

! rpl --json -batch -ex 'set optimize scope v1' -ex 'optimize app/features.hip features --rounds 1' | grep -E '"(schema|application|before_ns|after_ns|stopped)"|^    "p'
  "schema": "rpl.set/1",
  "schema": "rpl.optimize/1",
  "application": "a1",
  "before_ns": 339044,
  "after_ns": 290760,
  "stopped": "1 round: --rounds raises it",

# Nothing was written yet; approving the last change writes both.
! grep -c "pragma unroll" app/features.hip
0
? 1

$ --allow approve approve /q p7 --accept-modelled
approved

! grep "pragma unroll" app/features.hip; rpl build app/features.hip -o faster > built.txt; rpl profile --quiet --output after -- ./faster | grep " x "
  #pragma unroll 8
  #pragma unroll 8
ran ./faster on 1 x MI300X, emulated: every time below is modelled
  k1e0d77  row_norms                                 1 x    12.89 us   64.3 %
  k987f2e  row_peaks                                 1 x    7.164 us   35.7 %

# A kernel that is faster where it was captured may be slower where the application spends its time: then nothing is kept.
! rpl build two_sizes.hip -o two_sizes > built.txt; echo $?
0

$ -batch -ex 'set optimize scope v1' -ex 'optimize two_sizes.hip two_sizes'
application a2   127.2 us of kernels and copies in 193.2 us, 1 kernel
target      a2   row_sums has 100 % of the critical path
capture     a2   dispatch 1 of 21, the longest
profile     o4   baseline built and equal to the capture: 85525 cycles, 2611 wave-instructions
select      o4   row_sums is the only kernel of this capture; a wave waits 68704 cycles for memory and 914 for LDS
propose     o4   3 proposals, p12 to p14
rejected    p12  unroll the loop in line 8 by 2: regression, 0.645 times as fast
accepted    p13  unroll the loop in line 8 by 8: 1.282 times as fast
rejected    p14  keep the loop in line 8 rolled: regression, 0.377 times as fast
confirm     p13  the kernel is faster, the application is not: 193.2 us -> 214.1 us, 0.902 times as fast
round       a2   nothing more was accepted for row_sums
target      a2   no other kernel has 5 % of the critical path or more
stopped          no other kernel has 5 % of the critical path or more
? 4

(rpl) info proposal p13
p13  rejected  unroll the loop in line 8 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
application-regression: the kernel is faster, the application is not: 193.2 us -> 214.1 us, 0.902 times as fast
improved (modelled): 1.282 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
the gain: on other inputs, too
resources: 10 -> 14 VGPRs: 40 % more, 20 % are allowed

--- a/two_sizes.hip
+++ b/two_sizes.hip
@@ -4,7 +4,7 @@
 __global__ void row_sums(const float* x, float* sums, int rows, int columns) {
   for (int row = threadIdx.x; row < rows; row += blockDim.x) {
     float sum = 0.0f;
-#pragma unroll 4
+#pragma unroll 8
     for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
     sums[row] = sum;
   }

# What the program is built from, and where its kernels come from, must be known.
$ optimize app/features.hip
err: error: nothing says what to run; optimize SOURCE.hip ./app, or optimize SOURCE.hip --capture DIR for one frozen dispatch
? 2

# The source is found through the line table; without a way to build the program nothing is confirmed with it.
! cp host_examples/row_features_main.hip app/features.hip; rpl build app/features.hip --flag=-g -o debuggable > built.txt; rpl -batch -ex 'set optimize scope v1' -ex 'optimize ./debuggable --rounds 1' | grep -E "^(target|profile|confirm|approve)"
target      a3   row_norms has 54 % of the critical path: without it the path would be 2.19 times as fast, and no change to it can do more
profile     o5   baseline built and equal to the capture: 87101 cycles, 10860 wave-instructions
confirm     p17  not confirmed with the application: it is not known how to build it (--main FILE or --build-cmd)
approve     p17  writes all of it to app/features.hip

$ optimize two_sizes
application a4   127.2 us of kernels and copies in 193.2 us, 1 kernel
target      a4   row_sums has 100 % of the critical path
capture     a4   dispatch 1 of 21, the longest
profile     a4   row_sums is left alone: nothing says where row_sums(float const*, float*, int, int) comes from: the program has no line table
target      a4   no other kernel has 5 % of the critical path or more
stopped          no other kernel has 5 % of the critical path or more
? 4

# The build command of a project reads the changed file through an overlay.
! rpl -batch -ex 'set optimize scope v1' -ex 'optimize app/features.hip features --build-cmd "rpl build app/features.hip -o {output}" --rounds 1' | grep -E "^(target|confirm|approve)"
target      a5   row_norms has 54 % of the critical path: without it the path would be 2.19 times as fast, and no change to it can do more
confirm     p21  the application 339.0 us -> 309.3 us: 1.096 times as fast
approve     p21  writes all of it to app/features.hip

! rpl -batch -ex 'set optimize scope v1' -ex 'optimize app/features.hip features --build-cmd "exit 3" --rounds 1'
err: error: the build command failed with status 3: ; exit 3
? 1
