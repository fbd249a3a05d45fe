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
! rpl optimize app/features.hip features --flag=-mcode-object-version=4 --rounds 1 | grep -E "^(application|confirm|result)"
err: error: the flag '-ivfsoverlay' is not passed on to the compiler: it may load code, or read or write files; flags of optimization, debug information, warnings, macros and folders of headers are
? 1

! . ./on_gpu; rpl --allow approve -batch -ex 'target /q local' -ex 'optimize app/features.hip features --flag=-mcode-object-version=4 --rounds 2 --auto-approve'
local
err: error: the flag '-ivfsoverlay' is not passed on to the compiler: it may load code, or read or write files; flags of optimization, debug information, warnings, macros and folders of headers are
? 1

# Every run of the application is in the session, and each row says where its times come from.
$ info measurements
id  proposal  baseline us  candidate us  time_source  verdict     ratio x  ci_low x  ci_high x
m1  p1             55.246        32.788  modelled     improved      1.685     1.337      2.123
m2  p2             55.246        21.553  modelled     improved      2.563     2.034      3.230
m3  p3             55.246        16.668  modelled     improved      3.314     2.631      4.176
m5  p5            125.040        71.600  measured     improved      1.746     1.746      1.746
m6  p6            125.040        44.760  measured     improved      2.794     2.794      2.794
m7  p7            125.040        35.160  measured     improved      3.556     3.556      3.556
b1  -                   -             -  measured     equivalent    1.000     1.000      1.000
b2  -                   -             -  measured     equivalent    1.000     1.000      1.000
(8 rows; no room for floor, model, about: /v, recorded)

$ export evidence p7 -o p7.tar.zst
wrote p7.tar.zst: the evidence of p7

! mkdir elsewhere && cp p7.tar.zst elsewhere && cd elsewhere && rpl audit p7.tar.zst | tail -17

what              intact  message
seal              yes     is that of the manifest
base.hip          yes     has the hash of the manifest
candidate.hip     yes     has the hash of the manifest
base.co           yes     has the hash of the manifest
candidate.co      yes     has the hash of the manifest
patch.diff        yes     has the hash of the manifest
measurement.json  yes     has the hash of the manifest
verdict.json      yes     has the hash of the manifest
again.json        yes     has the hash of the manifest
verdict           yes     improved again, ratio 3.5563
again             yes     improved again, ratio 3.5563
floor             yes     35160.0 ns are not faster than the machine can
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(14 rows, recorded)

# One run of the application, and one of the second measurement.
! cd elsewhere && tar --zstd -xf p7.tar.zst && cp -r evidence runs && sed -i 's/"b": \[[0-9.]*/"b": [999.5/' runs/confirm.json runs/again.json && rpl audit runs | grep '  no  '
err: sed: can't read runs/confirm.json: No such file or directory
? 2

! cd elsewhere && cp -r evidence gone && rm gone/again.json && rpl audit gone | grep '  no  '
again.json        no      is missing
again             no      cannot be computed: its samples are missing

! rpl build two_sizes.hip --arch gfx90a --flag=-mcode-object-version=4 -o two_sizes > built.txt; echo $?
0

! . ./on_gpu; rpl -batch -ex 'target /q local' -ex 'optimize two_sizes.hip two_sizes --flag=-mcode-object-version=4'
local
err: error: the flag '-ivfsoverlay' is not passed on to the compiler: it may load code, or read or write files; flags of optimization, debug information, warnings, macros and folders of headers are
? 1

$ -batch -ex 'target /q local' -ex 'optimize app/features.hip features --gpu MI300X'
local
err: error: --gpu and --devices choose emulated devices; a program on hardware takes what is there; leave them out, or --target emu; HIP_VISIBLE_DEVICES=0 chooses GPUs
? 2

! PATH=$(echo "$PATH" | tr : '\n' | grep -v rocm/bin | paste -sd:); rpl -batch -ex 'target /q local' -ex 'optimize app/features.hip features'
local
err: error: there is no rocprofv3, neither in PATH nor in /opt/rocm/bin; sudo apt-get install rocprofiler-sdk; info capabilities; without a GPU: profile --target emu
? 6
