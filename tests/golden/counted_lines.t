# Source with what a run on the emulated device counted beside it, and the same launch begun again under a breakpoint.
# modelled
# example normalize.co: hip/objects/normalize.gfx942.co
# example normalize.hip: hip/normalize.hip
(rpl) kernel run /q normalize.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg f32:zero:1200 --arg i32:200 --arg i32:6 --counted
null
err: note: the last bits of v_rcp_f32 may differ from a real device

(rpl) list
   line  executed    lanes  x least
   3                                #include <hip/hip_runtime.h>
   4                                
   5                                __device__ float sum_of(const float* row, int columns) {
   6                                  float sum = 0.0f;
   7           24     50.0            for (int i = 0; i < columns; ++i) {
   8           24     50.0      3.0     sum += row[i];
   9                                  }
   10                                 return sum;
   11                               }
   12                               

(rpl) list 20,21 --columns executed,lanes,conflicts,spills
   line  executed    lanes conflicts   spills
   20          24     50.0         0        0   for (int i = 0; i < columns; ++i) {
   21          24     50.0         0        0     y[i] = x[i] * scale;

(rpl) list --columns stall
err: error: a run that was counted and not modelled has no column 'stall'; --columns takes executed, lanes, transactions, conflicts, spills

(rpl) list normalize --lines 3
   line  executed    lanes  x least
   14           4     54.7            const int row = blockIdx.x * blockDim.x + threadIdx.x;
   15           4     64.0            if (row >= rows) return;
   16           4     50.0            const float* x = in + static_cast<long>(row) * columns;

(rpl) tbreak normalize.hip:8
Temporary breakpoint 1 at normalize.hip:8

(rpl) run
Breakpoint 1
wave 0 of workgroup 0, lane 0, 20 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v1[0] = 0x00007f00; v2[0] = 0x00000000; v4[0] = 0x00000000; 4 more

(rpl) ptype sum_of
type = float (const float *, int)

(rpl) backtrace no-filters
\#0  0x1968 in sum_of (row=<optimized out>, columns=<optimized out>) at normalize.hip:8 (inlined)
\#1  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:18

(rpl) frame first
err: error: number takes a whole number, not 'first'; usage: frame [NUMBER]

(rpl) kill

(rpl) run /q
null

! mkdir earlier later && cp normalize.co later/ && sed '10s/.*/  sum += 0.0f;\n  return sum;/; 21d' normalize.hip > later/normalize.hip && mv normalize.co normalize.hip earlier/

# Two runs of one kernel, with rows of other lengths; then another text of it beside a copy of the code.
(rpl) kernel run /q earlier/normalize.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg f32:zero:1200 --arg i32:200 --arg i32:6 --counted
null
err: note: the last bits of v_rcp_f32 may differ from a real device

(rpl) kernel run /q earlier/normalize.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg f32:zero:1200 --arg i32:200 --arg i32:3 --counted
null
err: note: the last bits of v_rcp_f32 may differ from a real device

(rpl) list --against run
before  previous run o1: normalize, 4 waves, counted
after   last run o1: normalize, 4 waves, counted
times executed
examples/hip/normalize.hip
  line     before     after    change heat source
  3                                        #include <hip/hip_runtime.h>
  4
  5                                        __device__ float sum_of(const float* row, int columns) {
  6                                          float sum = 0.0f;
  7          24.0      12.0     -12.0 ####   for (int i = 0; i < columns; ++i) {
  8          24.0      12.0     -12.0 ####     sum += row[i];
  9                                          }
  10                                         return sum;
  11                                       }
  12

(rpl) list 20,21 --against run --columns lanes
before  previous run o1: normalize, 4 waves, counted
after   last run o1: normalize, 4 waves, counted
active lanes
examples/hip/normalize.hip
  line     before     after    change heat source
  20         50.0      50.0      +0.0 ####   for (int i = 0; i < columns; ++i) {
  21         50.0      50.0      +0.0 ####     y[i] = x[i] * scale;

(rpl) list --against run --columns stall
err: error: these two profiles have no column 'stall'; --columns takes one of executed, lanes, transactions, conflicts, spills

(rpl) kernel run /q later/normalize.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg f32:zero:1200 --arg i32:200 --arg i32:6 --counted
null
err: note: the last bits of v_rcp_f32 may differ from a real device

(rpl) list 7,22 --against run
before  previous run o1: normalize, 4 waves, counted
after   last run o2: normalize, 4 waves, counted
times executed
examples/hip/normalize.hip
  line     before     after    change heat source
  7          12.0      24.0     +12.0 ####   for (int i = 0; i < columns; ++i) {
  8          12.0      24.0     +12.0 ####     sum += row[i];
  9                                          }
+ 10                                         sum += 0.0f;
  11                                         return sum;
  12                                       }
  13
  14          0.0       4.0      +4.0 #    extern "C" __global__ void normalize(const float* in, float* out, int rows, int columns) {
  15          4.0       4.0      +0.0 #      const int row = blockIdx.x * blockDim.x + threadIdx.x;
  16          4.0       4.0      +0.0 #      if (row >= rows) return;
  17          4.0       4.0      +0.0 #      const float* x = in + static_cast<long>(row) * columns;
  18          4.0       0.0      -4.0 #      float* y = out + static_cast<long>(row) * columns;
  19          0.0       4.0      +4.0 #      const float sum = sum_of(x, columns);
  20          4.0      24.0     +20.0 ####   const float scale = __builtin_amdgcn_rcpf(sum);
  21         12.0      24.0     +12.0 ####   for (int i = 0; i < columns; ++i) {
- 21         12.0       0.0     -12.0 ##       y[i] = x[i] * scale;
  22                                         }

(rpl) kernel run /q later/normalize.co --grid 256 --workgroup 128 --arg f32:iota:1200 --arg f32:zero:1200 --arg i32:200 --arg i32:6 --stop
null

(rpl) print normalize
$8 = {void (const float *, float *, int, int)} 0x1900 <normalize>

(rpl) print &normalize
$9 = (void (*)(const float *, float *, int, int)) 0x1900 <normalize>

(rpl) print *normalize
$10 = {void (const float *, float *, int, int)} 0x1900 <normalize>

(rpl) print $_lane
$11 = 0
