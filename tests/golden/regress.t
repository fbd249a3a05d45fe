# Two sets of flags on the same kernels: the table, which pass made the difference, a page for who works on the compiler; two code objects; what is refused.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# file sums.hip:
#| // launch: --grid 16384 --workgroup 256 --arg f32:random(1):2113536 --arg f32:zero:16384 --arg i32:16384
#| // launch doubled: --grid 16384 --workgroup 256 --arg f32:random(1):16384 --arg f32:zero:16384 --arg i32:16384
#| #include <hip/hip_runtime.h>
#|
#| extern "C" __global__ void sums(const float* in, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   float sum = 0;
#|   for (int k = 0; k < 129; ++k) sum += in[k * n + i];
#|   out[i] = sum;
#| }
#|
#| extern "C" __global__ void doubled(const float* in, float* out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i < n) out[i] = 2 * in[i];
#| }
# file silent.hip:
#| #include <hip/hip_runtime.h>
#| extern "C" __global__ void empty() {}
# file twice.ll:
#| ; launch: --grid 64 --workgroup 64 --arg f32:iota:64
#| target triple = "amdgcn-amd-amdhsa"
#| define amdgpu_kernel void @twice(ptr addrspace(1) %x) {
#|   %i = call i32 @llvm.amdgcn.workitem.id.x()
#|   %at = getelementptr float, ptr addrspace(1) %x, i32 %i
#|   %v = load float, ptr addrspace(1) %at
#|   %w = fadd float %v, %v
#|   store float %w, ptr addrspace(1) %at
#|   ret void
#| }
#| declare i32 @llvm.amdgcn.workitem.id.x()
$ regress sums.hip --flags-b=-fno-unroll-loops --report pages
sums: B takes 2.743 times as long: pass LoopUnrollPass on sums of the optimizer of A makes it fast there: 59.16 us before it, 21.57 us after it

source    kernel   verdict      results  time_a us  time_b us  ratio x  band %  vgprs_a  vgprs_b
sums.hip  sums     B is slower  equal       21.568     59.159    2.743   26.00       12        8
sums.hip  doubled  same code    equal        2.007      2.007    1.000   26.00        4        4
(2 rows, modelled)

$ regress sums.hip --flags-b=-fno-unroll-loops --json | grep -oE '"(stage|executed_.|vgprs_.|line)": [^,]*|LoopUnroll[^"]*|without -fno[^"]*'
"vgprs_a": 12
"vgprs_b": 8
"executed_a": 235776
"executed_b": 301312
"line": "sums.hip:8"
"stage": "optimizer"
LoopUnrollPass on sums
without -fno-unroll-loops
LoopUnrollPass on sums of the optimizer of A makes it fast there: 59.16 us before it, 21.57 us after it
"vgprs_a": 4
"vgprs_b": 4
"executed_a": 5120
"executed_b": 5120
"line": null
"stage": null

! grep -E '^## |^\| (optimizer|VGPRs|A |B )|^Results|-opt-bisect' pages/sums.sums.md | sed 's/ -x ir.*-opt/ … -opt/'
| VGPRs | 12 | 8 |
Results: equal. Times are modelled, not measured; the band of the ratio is 1.26.
\## Findings that differ
\## Lines that differ
\## Why
| A | A | A | 21.57 us |
| A | A | B | 21.57 us |
| A | B | B | 59.16 us |
| B | B | B | 59.16 us |
/usr/lib/llvm-19/bin/clang … -opt-bisect-limit=403 in.bc -o before-out.bc
/usr/lib/llvm-19/bin/clang … -opt-bisect-limit=404 in.bc -o after-out.bc
\## Again

# A whole folder: the table alone, and what has no launch is left out.
# Debian's own number of the version is that of its release.
$ regress --all . --flags-b=-fno-unroll-loops | sed "s/ (3[^)]*)//"
compiler_a         Debian clang version 19.1.7
flags_a            -
compiler_b         Debian clang version 19.1.7
flags_b            -fno-unroll-loops
kernels            2
same_code          1
within_band        0
a_slower           0
b_slower           1
different_results  0
not_compared       0

source    kernel   verdict      results  time_a us  time_b us  ratio x  band %  vgprs_a  vgprs_b
sums.hip  sums     B is slower  equal       21.568     59.159    2.743   26.00       12        8
sums.hip  doubled  same code    equal        2.007      2.007    1.000   26.00        4        4
(2 rows, modelled)
err: note: 1 source without a line '// launch: …' left out

# LLVM IR in place of a source.
$ regress twice.ll --flags-b=-O1 --json | grep -oE '"(kernel|verdict|results)": [^,]*'
"kernel": "twice"
"verdict": "same code"
"results": "equal"

# Two code objects, on the inputs of a capture or of --launch.
! for o in O3 O1; do rpl build /q sums.hip -$o --device-only -o sums.$o.co; done
sums.O3.co
sums.O1.co

$ regress sums.O3.co sums.O1.co --kernel sums --launch '--grid 4096 --workgroup 256 --arg f32:random(1):2113536 --arg f32:zero:16384 --arg i32:16384' --json | grep -E '"(compiler_.|verdict|results)"'
  "compiler_a": "sums.O3.co",
  "compiler_b": "sums.O1.co",
    {"source": "sums.O3.co sums.O1.co", "kernel": "sums", "verdict": "B is slower", "results": "equal", "time_a_ns": 21506.666666666668, "time_b_ns": 58992.380952380954, "ratio": 2.742981135417589, "band": 0.26, "vgprs_a": 12, "vgprs_b": 8, "agprs_a": 0, "agprs_b": 0, "sgprs_a": 15, "sgprs_b": 13, "lds_a_bytes": 0, "lds_b_bytes": 0, "scratch_a_bytes": 0, "scratch_b_bytes": 0, "waves_a": 32, "waves_b": 32, "executed_a": 58944, "executed_b": 75328, "mix_a": {"valu": 19, "salu": 7, "smem": 3, "vmem": 4, "branch": 1, "wait": 4, "other": 1}, "mix_b": {"valu": 9, "salu": 5, "smem": 4, "vmem": 2, "branch": 1, "wait": 3, "other": 1}, "findings": ["small-grid"], "line": null, "stage": null, "passes": [], "flags": [], "why": null, "builds": null, "search_s": null, "report": null}

$ regress sums.hip
err: error: both sides are the same compiler with the same flags; --compiler A --compiler B, or --flags-a and --flags-b
? 2

$ regress sums.hip --flags-b=-O1 --compiler clang-19 --compiler clang-19 --compiler clang-19
err: error: two compilers are compared at a time; give --compiler twice
? 2

# Debian's own number of the version is that of its release.
$ regress silent.hip --flags-b=-O1 | sed "s/ (3[^)]*)//"
compiler_a         Debian clang version 19.1.7
flags_a            -
compiler_b         Debian clang version 19.1.7
flags_b            -O1
kernels            1
same_code          0
within_band        0
a_slower           0
b_slower           0
different_results  0
not_compared       1

source      kernel  verdict       results  time_a ns  time_b ns  ratio x  band %  vgprs_a  vgprs_b
silent.hip  empty   not compared  -                -          -        -       -        -        -
(1 row, modelled)
err: note: empty: not compared: nothing says how empty is launched

$ regress sums.hip --flags-b=-fplugin=x.so
err: error: the flag '-fplugin=x.so' is not passed on to the compiler: it may load code, or read or write files; flags of optimization, debug information, warnings, macros and folders of headers are
? 1

$ regress sums.hip --flags-b=-O1 --launch '--grid 64'
err: error: a launch without --grid and --workgroup; give both
? 2

$ regress
err: error: no kernel is named; regress SOURCE …, or --all FOLDER
? 2

# A pipe, and a file without end.
! mkfifo p.hip p.ll && truncate -s 1T big.hip

$ regress p.hip --flags-a=-O1 --flags-b=-O3
err: error: p.hip is a pipe, not a file; name a regular file
? 1

$ regress p.ll --flags-a=-O1 --flags-b=-O3
err: error: p.ll is a pipe, not a file; name a regular file
? 1

$ regress big.hip --flags-a=-O1 --flags-b=-O3
err: error: big.hip has 1.000 TiB: more than the 1.000 GiB that are read at once
? 1
