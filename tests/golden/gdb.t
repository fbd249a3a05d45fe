# What GDB's users type while a kernel is stopped: docs/debugging.md; tests/habits has all of it.
# modelled
# example normalize.co: hip/objects/normalize.gfx942.co
# example normalize.hip: hip/normalize.hip
! python3 -c "import array; array.array('f', [0.0 if row == 131 else row + column * 0.25 for row in range(200) for column in range(6)]).tofile(open('rows.bin', 'wb'))"

(rpl) b nosuch
Breakpoint 1 at nosuch

(rpl) file normalize.co
o1: gfx942, 1 kernel: normalize

(rpl) search sum
err: error: no source file was listed; 'list' shows one, of a kernel that is stopped or a code object that is open

(rpl) b nosuch
err: error: no function 'nosuch' in the open code objects; there is normalize, operator unsigned int, operator(), sum_of; 'file OBJECT' opens another, 'set breakpoint pending on' waits for one

(rpl) b normalize.hip:8 if $lane == 3 && workgroup == 1
Breakpoint 2 at normalize.hip:8, if $lane == 3 && workgroup == 1

(rpl) enable count 2 1

(rpl) enable delete 1

(rpl) kernel run normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 --arg i32:200 --arg i32:6
Breakpoint 2
wave 0 of workgroup 1, lane 3, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes
err: note: breakpoint 1 waits for another kernel: normalize runs, not nosuch; break at a line or an offset of the kernel that runs: break *+0x10

(rpl) print in[0]@8
$2 = {0, 0.25, 0.5, 0.75, 1, 1.25, 1, 1.25}

(rpl) p *in@2
$3 = {0, 0.25}

(rpl) p $pc
$4 = (void (*)()) 0x1968 <normalize+0x68>

(rpl) p/c 65
$5 = 65 'A'

(rpl) p threadIdx.x + blockIdx.x * blockDim.x
$6 = 131

(rpl) p (float)$v6 + 0.5
$7 = 0.5

(rpl) p nosuch
err: error: no variable 'nosuch' here; 'info args', 'info locals', 'info registers' list what there is; $arg1, $v2, lane and threadIdx.x are always there

(rpl) p 1 +
err: error: '1 +' ends too early; something is missing at its end

(rpl) call 6 * 7
$8 = 42

(rpl) whatis in
type = const float *

(rpl) info args
row = <optimized out>
columns = <optimized out>

(rpl) info locals
i = <optimized out>
sum = 0

(rpl) info address rows
Symbol "rows" is at 0x7f0000038010 in the kernarg segment or device memory.

(rpl) info symbol $pc
normalize+0x68 in section .text, normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize

(rpl) set $v2 = 5

(rpl) stepi
wave 0 of workgroup 1, lane 3, 267 wave-instructions so far
normalize.hip:7:21 in sum_of, inlined at normalize.hip:18:21 in normalize
7       for (int i = 0; i < columns; ++i) {
=> 0x1970 <+0x70>  s_add_i32 s0, s0, -1
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v7[3] = 0x00000000
written by you: $v2 = 5 at 266

(rpl) reverse-stepi 2
wave 0 of workgroup 1, lane 3, 265 wave-instructions so far
normalize.hip:0:3 in sum_of, inlined at normalize.hip:18:21 in normalize
18      const float sum = sum_of(x, columns);
=> 0x1964 <+0x64>  s_mov_b32 s0, s5
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v2[3] = 0x00000312; v7[3] = 0x00000000; s0 = 0x00000000

(rpl) p $v2
$14 = 786

(rpl) stepi
wave 0 of workgroup 1, lane 3, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes
changed: s0 = 0x00000006

(rpl) bt
\#0  0x1968 in sum_of (row=<optimized out>, columns=<optimized out>) at normalize.hip:8 (inlined)
\#1  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:18

(rpl) up
\#1  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:18
18      const float sum = sum_of(x, columns);

(rpl) info frame
\#1  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:18
pc 0x1968 <normalize+0x68>
wave 0 of workgroup 1, lane 3; source language HIP

(rpl) info source
Current source file is examples/hip/normalize.hip
Contains 23 lines.
Compiled into normalize.co (o1)
Source language is HIP.

(rpl) frame apply all print $pc
\#0  0x1968 in sum_of (row=<optimized out>, columns=<optimized out>) at normalize.hip:8 (inlined)
$19 = (void (*)()) 0x1968 <normalize+0x68>
\#1  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:18
$20 = (void (*)()) 0x1968 <normalize+0x68>

(rpl) faas print 1
\#0  0x1968 in sum_of (row=<optimized out>, columns=<optimized out>) at normalize.hip:8 (inlined)
$21 = 1
\#1  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:18
$22 = 1

(rpl) info threads
2 of 2 workgroups have begun, 1 have ended

selected  workgroup  wave  state      pc      active_lanes  place
yes               1     0  runs next  0x1968            64  normalize.hip:8:12 in sum_of
no                1     1  ready      0x1900            64  amd_hip_runtime.h:268:12 in operator()
(2 rows, modelled)

(rpl) thread apply all print $pc
Thread 1:0 (wave 0 of workgroup 1):
$24 = (void (*)()) 0x1968 <normalize+0x68>
Thread 1:1 (wave 1 of workgroup 1):
$25 = (void (*)()) 0x1900 <normalize>

(rpl) taas print lane
Thread 1:0 (wave 0 of workgroup 1):
$26 = 3
Thread 1:1 (wave 1 of workgroup 1):
$27 = 3

(rpl) thread 0
wave 0 of workgroup 1, lane 3, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) info functions sum
function  kind     address  copies  object
sum_of    inlined  0x1940        1  o1
(1 row, recorded)

(rpl) info sources | grep normalize
examples/hip/normalize.hip                                    yes    o1

(rpl) info sharedlibrary
loaded_at       object  kernels  architecture  path
0x7f0000024000  o1            1  gfx942        normalize.co
(1 row, recorded)

(rpl) info files
normalize from normalize.co, on the emulated device; code is shown by its address in the file, which lies at 0x7f0000024000

begin           end             size B  writable  name
0x7f0000000000  0x7f00000012c0    4800  yes       argument 1
0x7f0000012000  0x7f00000132c0    4800  yes       argument 2
0x7f0000024000  0x7f0000024880    2176  no        the code object
0x7f0000025900  0x7f0000025e00    1280  no        the code object
0x7f0000026e00  0x7f0000027000     512  yes       the code object
0x7f0000027e70  0x7f0000027e71       1  yes       the code object
0x7f0000038000  0x7f0000038200     512  no        the kernarg segment
0x7f0000049000  0x7f0000049040      64  no        the dispatch packet
(8 rows, modelled)

(rpl) info target
normalize of normalize.co (o1) on the emulated device: stopped, 266 wave-instructions so far

(rpl) info all-registers | head -4
wave 0 of workgroup 1, lane 3

register  lane  active  value               integer  float
exec         -  -       0xffffffffffffffff        -  -

(rpl) info registers/d s4 s5
wave 0 of workgroup 1, lane 3

register  lane  active  value  integer      float
s4           -  -       200        200  2.803e-43
s5           -  -       6            6  8.408e-45
(2 rows, modelled)

(rpl) b sum_of
Breakpoint 3 at sum_of: 0x1940

(rpl) rbreak ^sum
Breakpoint 4 at sum_of: 0x1940

(rpl) condition 2 lane == 4
Breakpoint 2 stops only if lane == 4

(rpl) ignore 2 1
Will ignore next crossing of breakpoint 2.

(rpl) commands 2 --line silent --line 'print lane'

(rpl) info breakpoints
number  type        enabled  what             condition  hits  addresses
     1  temporary   yes      nosuch           -             0  
     2  breakpoint  yes      normalize.hip:8  lane == 4     1  0x1968
     3  breakpoint  yes      sum_of           -             0  0x1940
     4  breakpoint  yes      sum_of           -             0  0x1940
(4 rows)
err: note: breakpoint 2 runs: silent
err: note: breakpoint 2 runs: print lane
err: note: breakpoint 2 ignores its next 1 hits

(rpl) save breakpoints points.rpl
Saved to file 'points.rpl'.

(rpl) clear sum_of
Deleted breakpoint 3 4

(rpl) enable once 1

(rpl) rwatch in[790]
Read watchpoint 5: in[790]

(rpl) awatch out[786]
Access watchpoint 6: out[786]

(rpl) info watchpoints
number  type               enabled  what      condition  hits  addresses
     5  read watchpoint    yes      in[790]   -             0  
     6  access watchpoint  yes      out[786]  -             0  
(2 rows)

(rpl) continue
$38 = 4


(rpl) delete

(rpl) advance 20
wave 0 of workgroup 1, lane 4, 308 wave-instructions so far
normalize.hip:20:3 in normalize
20      for (int i = 0; i < columns; ++i) {
=> 0x198c <+0x8c>  s_andn2_b64 vcc, exec, s[6:7]
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v4[4] = 0x00000c78; v6[4] = 0x4446f000 (795.75); v7[4] = 0x43054000 (133.25); s0 = 0x00000000; 1 more

(rpl) step 2
wave 0 of workgroup 1, lane 4, 311 wave-instructions so far
amd_hip_runtime.h:263:69 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at normalize.hip:14:19 in normalize
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1998 <+0x98>  v_mov_b32_e32 v6, s2
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v4[4] = 0x3aa4b70d (0.00125668)

(rpl) reverse-step
wave 0 of workgroup 1, lane 4, 310 wave-instructions so far
normalize.hip:19:23 in normalize
19      const float scale = __builtin_amdgcn_rcpf(sum);
=> 0x1994 <+0x94>  v_rcp_f32_e32 v4, v6
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v4[4] = 0x00000c78

(rpl) reverse-next
wave 0 of workgroup 1, lane 4, 308 wave-instructions so far
normalize.hip:20:3 in normalize
20      for (int i = 0; i < columns; ++i) {
=> 0x198c <+0x8c>  s_andn2_b64 vcc, exec, s[6:7]
exec 0xffffffffffffffff, 64 of 64 lanes
changed: vcc = 0xffffffffffffffff

(rpl) reverse-finish
There is nothing further back
wave 0 of workgroup 1, lane 4, 246 wave-instructions so far
amd_hip_runtime.h:268:12 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at normalize.hip:14:32 in normalize
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[4] = 0x00000004; v1[4] = 0x00000000; v2[4] = 0x00000000; v4[4] = 0x00000000; 6 more

(rpl) jump 20
normalize ran to its end: 372 wave-instructions
  argument 1 f32 x 1200: 0, 0.25, 0.5, 0.75, …
  argument 2 f32 x 1200: 0, 0.06666667, 0.13333334, 0.20000002, …
err: note: wave 0 of workgroup 1 went on at 0x198c

(rpl) display/i $pc
1: /i $pc
?
err: note: 1: wave 0 of workgroup 1 is not in flight

(rpl) disable display

(rpl) enable display 1

(rpl) kill

(rpl) start
normalize stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
amd_hip_runtime.h:268:12 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at normalize.hip:14:32 in normalize
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes
1: /i $pc
=> 0x1900 <normalize>  s_load_dword s3, s[0:1], 0x24

(rpl) frame function normalize
\#2  normalize (in=0x7f0000000000, out=0x7f0000012000, rows=200, columns=6) at normalize.hip:14
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;

(rpl) search rows
15      if (row >= rows) return;

(rpl) reverse-search columns
13    extern "C" __global__ void normalize(const float* in, float* out, int rows, int columns) {

(rpl) with width 60 -- show width
setting  value  default  description
width       60        0  columns of ..he terminal
(1 row; no room for takes: /v)

(rpl) list 5,7
   5     __device__ float sum_of(const float* row, int columns) {
   6       float sum = 0.0f;
   7       for (int i = 0; i < columns; ++i) {

(rpl) list -
   1     // SPDX-License-Identifier: MIT
   2     // Every row divided by its sum, one work-item for each row. A row of zeros is divided by zero: docs/debugging.md finds out where.
   3     #include <hip/hip_runtime.h>
   4     

(rpl) disassemble/s 0x1968,+8
normalize.hip:8      sum += row[i];
   0x1968  global_load_dword v7, v[4:5], off

(rpl) pipe print rows | cat
$47 = 200

(rpl) attach 12
err: error: no process is debugged here: kernels run on the emulated device; 'capture live' freezes a dispatch of a running program, 'replay CAPTURE --stop' debugs it

(rpl) info proc
err: error: the kernel is no process; 'info waves', 'info target'

(rpl) set print pretty on
err: error: values are printed in one way; 'print/x', '/d', '/f', '/c', '/t' choose another; 'print NAME[0]@8' shows elements
