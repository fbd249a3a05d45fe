# Edits of one kernel, judged by their text and by clang's syntax tree.
# needs clang: /usr/lib/llvm-19/bin/clang
# file scale.hip:
#| #include <hip/hip_runtime.h>
#| __device__ int g_flag;
#| __device__ float helper(float x) { return x * 0.5f; }
#| __global__ void scale(const float* in, float* out, int n);
#| __global__ void scale(const float* in, float* out, int n) {
#|   int i = blockIdx.x * blockDim.x + threadIdx.x;  // open {
#|   if (i < n) out[i] = helper(in[i]);
#| }
#| int main() { scale<<<1, 64>>>(nullptr, nullptr, 0); }
# file good.md:
#| The load moves up:
#|
#| ```c++
#| __global__ void scale(const float *in, float *out, int n) {
#|   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#|   if (i >= n) return;
#|   out[i] = helper(in[i]);
#| }
#| ```
# file half.md:
#| ```hip
#| __global__ void scale(const float* in, float* out, int n) {
#|   _Float16 x = in[0];
#|   out[0] = x;
#| }
#| ```
# file bad.md:
#| ```cpp
#| #define scale scale_impl
#| __global__ void scale(const float* in, float* out, int n) {
#|   static int calls;
#|   auto helper = [](float) { return 0.0f; };
#|   if (g_flag) return;
#|   asm volatile(".incbin \"x\"");
#| }
#| static int evil = system("touch x");
#| ```
# file cut.md:
#| ```cpp
#| __global__ void scale(const float* in, float* out, int n) {
#|   out[0] =
# file edited.hip:
#| #include <hip/hip_runtime.h>
#| __device__ int g_flag;
#| __device__ float helper(float x) { return x * 0.5f; }
#| __global__ void scale(const float* in, float* out, int n);
#| __global__ void scale(const float* in, float* out, int n) {
#| }
#| int main() { scale<<<1, 32>>>(nullptr, nullptr, 0); }
$ guard check scale.hip --kernel scale --response good.md
accept: nothing but the body of scale changes, and it obeys every rule
err: note: still to be shown: symbol: symbol, kernel arguments, LDS and resources stay within bounds (code object)
err: note: still to be shown: output: the kernel computes the same (verification)

$ guard check scale.hip --kernel _Z5scalePKfPfi.kd --response half.md
accept: nothing but the body of _Z5scalePKfPfi.kd changes, and it obeys every rule
err: note: still to be shown: symbol: symbol, kernel arguments, LDS and resources stay within bounds (code object)
err: note: still to be shown: output: the kernel computes the same (verification)
err: note: still to be shown: precision: '_Float16' is precise enough (verification)

$ guard check scale.hip --kernel scale --response bad.md
reject: 6 violations

rule          message                                                                           line
directive     '#define scale scale_impl' stands outside the body                                   2
static-local  'static': a variable that keeps its value between launches                           4
shadowing     'helper' gets a new meaning inside the body                                          5
global        'g_flag': a device variable that the original does not use                           6
asm           'asm': inline assembly with more than i..ective, a label, a comment or an escape     7
outside-body  'static' stands outside the kernel's definition                                      9
(6 rows)
? 4

$ guard check scale.hip --kernel scale --response bad.md --json
{
  "schema": "rpl.guard.check/1",
  "verdict": "reject",
  "kernel": "scale",
  "violations": 6,
  "layers": "text",
  "reasons": [{"rule": "directive", "message": "'#define scale scale_impl' stands outside the body", "line": 2}, {"rule": "static-local", "message": "'static': a variable that keeps its value between launches", "line": 4}, {"rule": "shadowing", "message": "'helper' gets a new meaning inside the body", "line": 5}, {"rule": "global", "message": "'g_flag': a device variable that the original does not use", "line": 6}, {"rule": "asm", "message": "'asm': inline assembly with more than instructions: a directive, a label, a comment or an escape", "line": 7}, {"rule": "outside-body", "message": "'static' stands outside the kernel's definition", "line": 9}],
  "rows": [
    {"rule": "directive", "message": "'#define scale scale_impl' stands outside the body", "line": 2},
    {"rule": "static-local", "message": "'static': a variable that keeps its value between launches", "line": 4},
    {"rule": "shadowing", "message": "'helper' gets a new meaning inside the body", "line": 5},
    {"rule": "global", "message": "'g_flag': a device variable that the original does not use", "line": 6},
    {"rule": "asm", "message": "'asm': inline assembly with more than instructions: a directive, a label, a comment or an escape", "line": 7},
    {"rule": "outside-body", "message": "'static' stands outside the kernel's definition", "line": 9}
  ],
  "notes": [],
  "provenance": "none"
}
? 4

$ guard check scale.hip --kernel scale --response cut.md
reject: 1 violation

rule            message                                               line
unclosed-block  the code block is not closed: the answer was cut off     1
(1 row)
? 4

$ guard check scale.hip --kernel "scale(float const*, float*, int)" --edited edited.hip
reject: 1 violation

rule          message                                    line
outside-body  the file differs behind the body of scale     7
(1 row)
? 4

$ guard check/q scale.hip --kernel scale --response good.md
accept
err: note: still to be shown: symbol: symbol, kernel arguments, LDS and resources stay within bounds (code object)
err: note: still to be shown: output: the kernel computes the same (verification)

$ guard check/q scale.hip --kernel scale --edited edited.hip
reject
? 4

# What is wrong with the question is an error, not a rejection.
$ guard check scale.hip --kernel softmax --response good.md
err: error: scale.hip: no kernel 'softmax' in the source; it has scale(const float *, float *, int) in line 5
? 1

$ guard check scale.hip --kernel scale --response missing.md
err: error: missing.md: no such file; check the path
? 1

$ guard check scale.hip --kernel scale
err: error: guard check needs one edit to judge; give --response FILE for an answer with a code block, or --edited FILE for a whole source
? 2

$ guard check scale.hip --response good.md
err: error: 'guard check' needs its kernel: plain or qualified name, signature, or mangled symbol; usage: guard check SOURCE --kernel K [--response FILE] [--edited FILE] [--arch ARCH] [--text-only]
? 2

# What only the syntax tree shows: a barrier behind a macro, and a store where the original reads. Without it both would pass.
# file macro.hip:
#| #include <hip/hip_runtime.h>
#| #define DONE() __syncthreads()
#| __global__ void scale(const float* in, float* out, int n) {
#|   if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
#| }
# file barrier.hip:
#| #include <hip/hip_runtime.h>
#| #define DONE() __syncthreads()
#| __global__ void scale(const float* in, float* out, int n) {
#|   if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x];
#|   DONE();
#|   *(float*)in = 0;
#| }
$ guard check macro.hip --kernel scale --edited barrier.hip
reject: 2 violations

rule        message                                                                             line
new-write   'in': a parameter that the original only reads through is written through              6
const-cast  a cast that drops const that the origina.. hold, counted after macros are expanded     6
(2 rows)
? 4

$ guard check macro.hip --kernel scale --edited barrier.hip --text-only
accept: nothing but the body of scale changes, and it obeys every rule
err: note: the syntax tree was not looked at: --text-only
err: note: still to be shown: names: every name still means what it meant, and no call is new (syntax tree)
err: note: still to be shown: symbol: symbol, kernel arguments, LDS and resources stay within bounds (code object)
err: note: still to be shown: output: the kernel computes the same (verification)
