# A whole application made faster by the clock of a GPU: every run under a stand-in for rocprofv3, captures by the capture tool in AMD's own HIP and HSA runtimes over a stand-in for the kernel
# driver, kernels timed on the double of the HSA runtime.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# needs recorder: rocprofv3
# needs hip: /usr/lib/x86_64-linux-gnu/libamdhip64.so.5
# needs RPL_HSA_RUNTIME: hsa-double/libhsa-runtime64.so.1
# needs RPL_TEST_DRIVER: emulated-driver/libhsakmt.so.1
# needs RPL_TEST_TOOL: capture-tool/librpl_capture.so
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
# file on_gpu:
#| export LD_LIBRARY_PATH=$(dirname $RPL_TEST_DRIVER) RPL_HSA_DOUBLE_ARCH=gfx90a RPL_HSA_DOUBLE_CLOCK_STEP=1000 RPL_HSA_DOUBLE_CLOCK_INSTRUCTION=10
! mkdir app && cp host_examples/host.h app && cp host_examples/row_features_main.hip app/features.hip; rpl build app/features.hip --arch gfx90a --flag=-mcode-object-version=4 -o features > built.txt; echo $?
0

# What a model timed is not gone on with by a clock.
! rpl -batch -ex 'set optimize scope v1' -ex 'optimize app/features.hip features --flag=-mcode-object-version=4 --rounds 1' | grep -E "^(application|confirm|result)"
application a1   101.0 us of kernels and copies in 363.8 us, 2 kernels
confirm     p3   the application 363.8 us -> 322.0 us: 1.130 times as fast
result      a1   363.8 us -> 322.0 us (modelled), 1 change confirmed with the application

! . ./on_gpu; rpl --allow approve -batch -ex 'target /q local' -ex 'set optimize scope v1' -ex 'optimize app/features.hip features --flag=-mcode-object-version=4 --rounds 2 --auto-approve'
local
application a2   101.0 us of kernels and copies in 363.8 us, 2 kernels; against itself it differs by 0.00 %, 9 pairs of runs
target      a2   row_norms has 55 % of the critical path: without it the path would be 2.21 times as fast, and no change to it can do more
capture     a2   dispatch 1 of 1
profile     o2   baseline built and equal to the capture: 93918 cycles, 12404 wave-instructions
select      o2   row_norms is the only kernel of this capture; a wave waits 73968 cycles for memory and 571 for LDS
propose     o2   4 proposals, p5 to p8
accepted    p5   unroll the loop in line 9 by 2: 1.746 times as fast
accepted    p6   unroll the loop in line 9 by 4: 2.794 times as fast
accepted    p7   unroll the loop in line 9 by 8: 3.556 times as fast
rejected    p8   keep the loop in line 9 rolled: not worth running: the compiler made the same 38 instructions of both sources
again       p7   best of several, measured again: improved, 3.556 times as fast; 3.556 at first
confirm     p7   the application 363.8 us -> 322.0 us, 1.130 times as fast (1.130 to 1.130), 5 pairs of runs
target      a2   retargeted: row_peaks has 59 % of the critical path: without it the path would be 2.41 times as fast, and no change to it can do more; row_norms has 28 %, at the beginning it had 55 %
capture     a2   dispatch 1 of 1
profile     o3   baseline built and equal to the capture: 64634 cycles, 10360 wave-instructions
select      o3   row_peaks is the only kernel of this capture; a wave waits 48288 cycles for memory and 567 for LDS
propose     o3   4 proposals, p9 to p12
accepted    p9   unroll the loop in line 18 by 2: 2.403 times as fast
accepted    p10  unroll the loop in line 18 by 4: 4.073 times as fast
accepted    p11  unroll the loop in line 18 by 8: 5.425 times as fast
rejected    p12  keep the loop in line 18 rolled: not worth running: the compiler made the same 40 instructions of both sources
again       p11  best of several, measured again: improved, 5.425 times as fast; 5.425 at first
confirm     p11  the application 322.0 us -> 298.7 us, 1.078 times as fast (1.078 to 1.078), 5 pairs of runs
result      a2   363.8 us -> 298.7 us (measured), 2 changes confirmed with the application
approve     p11  writes all of it to app/features.hip
stopped          2 rounds: --rounds raises it
approved    p11  written to app/features.hip
again       a2   298.7 us (measured), the same output, exit status 0

# Every run of the application is in the session, and each row says where its times come from.
$ info measurements
id   proposal  baseline us  candidate us  time_source  verdict     ratio x  ci_low x  ci_high x
m1   p1             55.246        32.788  modelled     improved      1.685     1.337      2.123
m2   p2             55.246        21.553  modelled     improved      2.563     2.034      3.230
m3   p3             55.246        16.668  modelled     improved      3.314     2.631      4.176
m5   p5            125.040        71.600  measured     improved      1.746     1.746      1.746
m6   p6            125.040        44.760  measured     improved      2.794     2.794      2.794
m7   p7            125.040        35.160  measured     improved      3.556     3.556      3.556
m9   p9            104.600        43.520  measured     improved      2.403     2.403      2.403
m10  p10           104.600        25.680  measured     improved      4.073     4.073      4.073
m11  p11           104.600        19.280  measured     improved      5.425     5.425      5.425
b1   -                   -             -  measured     equivalent    1.000     1.000      1.000
b2   -                   -             -  measured     equivalent    1.000     1.000      1.000
b3   -                   -             -  measured     improved      1.130     1.130      1.130
b4   -                   -             -  measured     equivalent    1.000     1.000      1.000
b5   -                   -             -  measured     improved      1.078     1.078      1.078
(14 rows; no room for floor, model, about: /v, recorded)

$ export evidence p7 -o p7.tar.zst
wrote p7.tar.zst: the evidence of p7

! mkdir elsewhere && cp p7.tar.zst elsewhere && cd elsewhere && rpl audit p7.tar.zst | tail -17
seal              yes     is that of the manifest
base.hip          yes     has the hash of the manifest
candidate.hip     yes     has the hash of the manifest
base.co           yes     has the hash of the manifest
candidate.co      yes     has the hash of the manifest
patch.diff        yes     has the hash of the manifest
measurement.json  yes     has the hash of the manifest
verdict.json      yes     has the hash of the manifest
again.json        yes     has the hash of the manifest
confirm.json      yes     has the hash of the manifest
verdict           yes     improved again, ratio 3.5563
again             yes     improved again, ratio 3.5563
confirm           yes     improved again, ratio 1.1296
floor             yes     35160.0 ns are not faster than the machine can
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(16 rows, recorded)

# One run of the application, and one of the second measurement.
! cd elsewhere && tar --zstd -xf p7.tar.zst && cp -r evidence runs && sed -i 's/"b": \[[0-9.]*/"b": [999.5/' runs/confirm.json runs/again.json && rpl audit runs | grep '  no  '
again.json                 no      was altered: it has not the hash of the manifest
confirm.json               no      was altered: it has not the hash of the manifest
process 1 of again.json    no      its samples are not those that were recorded
process 1 of confirm.json  no      its samples are not those that were recorded

! cd elsewhere && cp -r evidence gone && rm gone/again.json && rpl audit gone | grep '  no  '
again.json        no      is missing
again             no      cannot be computed: its samples are missing

! rpl build two_sizes.hip --arch gfx90a --flag=-mcode-object-version=4 -o two_sizes > built.txt; echo $?
0

! . ./on_gpu; rpl -batch -ex 'target /q local' -ex 'set optimize scope v1' -ex 'optimize two_sizes.hip two_sizes --flag=-mcode-object-version=4'
local
application a3   185.3 us of kernels and copies in 251.3 us, 1 kernel; against itself it differs by 0.00 %, 9 pairs of runs
target      a3   row_sums has 100 % of the critical path
capture     a3   dispatch 1 of 21, the longest
profile     o4   baseline built and equal to the capture: 93201 cycles, 2873 wave-instructions
select      o4   row_sums is the only kernel of this capture; a wave waits 75136 cycles for memory and 1106 for LDS
propose     o4   3 proposals, p13 to p15
rejected    p13  unroll the loop in line 8 by 2: regression, 0.624 times as fast
accepted    p14  unroll the loop in line 8 by 8: 1.274 times as fast
rejected    p15  keep the loop in line 8 rolled: regression, 0.357 times as fast
confirm     p14  the kernel is faster, the application is not: 251.3 us -> 282.8 us, 0.889 times as fast (0.889 to 0.889), 5 pairs of runs
round       a3   nothing more was accepted for row_sums
target      a3   no other kernel has 5 % of the critical path or more
stopped          no other kernel has 5 % of the critical path or more
? 4

$ -batch -ex 'target /q local' -ex 'set optimize scope v1' -ex 'optimize app/features.hip features --gpu MI300X'
local
err: error: --gpu and --devices choose emulated devices; a program on hardware takes what is there; leave them out, or --target emu; HIP_VISIBLE_DEVICES=0 chooses GPUs
? 2

! PATH=$(echo "$PATH" | tr : '\n' | grep -v rocm/bin | paste -sd:); rpl -batch -ex 'target /q local' -ex 'set optimize scope v1' -ex 'optimize app/features.hip features'
local
err: error: there is no rocprofv3, neither in PATH nor in /opt/rocm/bin; sudo apt-get install rocprofiler-sdk; info capabilities; without a GPU: profile --target emu
? 6
