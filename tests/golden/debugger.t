# A kernel on the emulated device, stopped, looked at, stepped on and back: docs/debugging.md goes through it.
# modelled
# example normalize.co: hip/objects/normalize.gfx942.co
# example normalize.hip: hip/normalize.hip
! python3 -c "import array; array.array('f', [0.0 if row == 131 else row + column * 0.25 for row in range(200) for column in range(6)]).tofile(open('rows.bin', 'wb'))"

# A place and a condition, which is asked for every active lane.
(rpl) break normalize.hip:8 if workgroup == 1 and lane == 3
Breakpoint 1 at normalize.hip:8, if workgroup == 1 and lane == 3

(rpl) info breakpoints
number  type        enabled  what             condition                     hits  addresses
     1  breakpoint  yes      normalize.hip:8  workgroup == 1 and lane == 3     0  
(1 row)

(rpl) kernel run normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 --arg i32:200 --arg i32:6
Breakpoint 1
wave 0 of workgroup 1, lane 3, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) list
   4     
   5     __device__ float sum_of(const float* row, int columns) {
   6       float sum = 0.0f;
   7       for (int i = 0; i < columns; ++i) {
=> 8         sum += row[i];
   9       }
   10      return sum;
   11    }
   12    
   13    extern "C" __global__ void normalize(const float* in, float* out, int rows, int columns) {

(rpl) disassemble
   0x194c  s_waitcnt lgkmcnt(0)                       normalize.hip:16:23
   0x1950  v_lshl_add_u64 v[0:1], v[2:3], 2, s[0:1]   normalize.hip:16:23
   0x1958  v_mov_b32_e32 v6, 0
   0x195c  s_cbranch_scc1 11                          normalize.hip:7:3
   0x1960  v_mov_b64_e32 v[4:5], v[0:1]
   0x1964  s_mov_b32 s0, s5
=> 0x1968  global_load_dword v7, v[4:5], off          normalize.hip:8:12
   0x1970  s_add_i32 s0, s0, -1                       normalize.hip:7:21
   0x1974  v_lshl_add_u64 v[4:5], v[4:5], 0, 4        normalize.hip:7:21
   0x197c  s_cmp_lg_u32 s0, 0                         normalize.hip:7:21
   0x1980  s_waitcnt vmcnt(0)                         normalize.hip:8:9
   0x1984  v_add_f32_e32 v6, v6, v7                   normalize.hip:8:9
   0x1988  s_cbranch_scc1 65527                       normalize.hip:7:3
   0x198c  s_andn2_b64 vcc, exec, s[6:7]              normalize.hip:20:3
   0x1990  s_cbranch_vccnz 18                         normalize.hip:20:3
   0x1994  v_rcp_f32_e32 v4, v6                       normalize.hip:19:23

(rpl) info waves
2 of 2 workgroups have begun, 1 have ended

selected  workgroup  wave  state      pc      active_lanes  place
yes               1     0  runs next  0x1968            64  normalize.hip:8:12 in sum_of
no                1     1  ready      0x1900            64  amd_hip_runtime.h:268:12 in operator()
(2 rows, modelled)

(rpl) info workgroups
selected  workgroup  id     waves  at_barrier  at_grid_barrier  ended  lds B
yes               1  1x0x0      2           0                0      0      0
(1 row, modelled)

(rpl) info registers exec s[4:5] v6 v7 | head -8
wave 0 of workgroup 1, lane 3

register  lane  active  value               integer  float
exec         -  -       0xffffffffffffffff        -      -
s[4:5]       -  -       0x00000006000000c8        -      -
v6           0  yes     0x00000000                0      0
v6           1  yes     0x00000000                0      0
v6           2  yes     0x00000000                0      0

(rpl) info registers /4
wave 0 of workgroup 1, lane 3

register  lane  active  value               integer  float
exec         -  -       0xffffffffffffffff        -      -
vcc          -  -       0xffffffffffffffff        -      -
scc          -  -       0x00000000                0      0
m0           -  -       0x00000000                0      0
(4 of 20 rows; --limit 0 shows all, modelled)

(rpl) info lanes/4 v7
wave 0 of workgroup 1: 64 of 64 lanes are active (#), lane 3 is selected (*)
 0  ###*#### ######## ######## ########
32  ######## ######## ######## ########

lane  active  work_item  value       float
   0  yes     128x0x0    0x00000000      0
   1  yes     129x0x0    0x00000000      0
   2  yes     130x0x0    0x00000000      0
   3  yes     131x0x0    0x00000000      0
(4 of 64 rows; --limit 0 shows all, modelled)

(rpl) lane 5
wave 0 of workgroup 1, lane 5, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) wave 1:1
wave 1 of workgroup 1, lane 5, 266 wave-instructions so far
amd_hip_runtime.h:268:12 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at normalize.hip:14:32 in normalize
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) workgroup 1
wave 0 of workgroup 1, lane 5, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) lane 3
wave 0 of workgroup 1, lane 3, 266 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) print in[0]@8
$10 = {0, 0.25, 0.5, 0.75, 1, 1.25, 1, 1.25}

(rpl) x/6f $arg1+131*24
0x7f0000000c48 <argument 1+3144>:  0  0  0  0
0x7f0000000c58 <argument 1+3160>:  0  0

(rpl) x
0x7f0000000c60 <argument 1+3168>:  132

(rpl) x/4xb $arg1
0x7f0000000000 <argument 1>:  0x00  0x00  0x00  0x00

(rpl) x/2i $pc
=> 0x1968 <normalize+0x68>  global_load_dword v7, v[4:5], off
   0x1970 <normalize+0x70>  s_add_i32 s0, s0, -1

(rpl) print $v5
$15 = 32512

(rpl) print $v7_f32
$16 = 0

(rpl) print string.format("%x", $s[0:1])
$17 = 7f0000000006

(rpl) x/4f 16
err: error: cannot read 4 bytes at 0x10; 139637976727536 bytes before argument 1 (4800 bytes at 0x7f0000000000)

(rpl) display $v7_f32
1: $v7_f32 = 0

(rpl) stepi
wave 0 of workgroup 1, lane 3, 267 wave-instructions so far
normalize.hip:7:21 in sum_of, inlined at normalize.hip:18:21 in normalize
7       for (int i = 0; i < columns; ++i) {
=> 0x1970 <+0x70>  s_add_i32 s0, s0, -1
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v7[3] = 0x00000000
1: $v7_f32 = 0

(rpl) nexti 2
wave 0 of workgroup 1, lane 3, 269 wave-instructions so far
normalize.hip:7:21 in sum_of, inlined at normalize.hip:18:21 in normalize
7       for (int i = 0; i < columns; ++i) {
=> 0x197c <+0x7c>  s_cmp_lg_u32 s0, 0
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v4[3] = 0x00000c4c; s0 = 0x00000005
1: $v7_f32 = 0

(rpl) undisplay

(rpl) step
wave 0 of workgroup 1, lane 3, 270 wave-instructions so far
normalize.hip:8:9 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1980 <+0x80>  s_waitcnt vmcnt(0)
exec 0xffffffffffffffff, 64 of 64 lanes
changed: scc = 1

(rpl) delete 1

(rpl) until normalize.hip:19
wave 0 of workgroup 1, lane 3, 310 wave-instructions so far
normalize.hip:19:23 in normalize
19      const float scale = __builtin_amdgcn_rcpf(sum);
=> 0x1994 <+0x94>  v_rcp_f32_e32 v4, v6
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v4[3] = 0x00000c60; v6[3] = 0x00000000; v7[3] = 0x00000000; s0 = 0x00000000; 2 more

(rpl) next
wave 0 of workgroup 1, lane 3, 313 wave-instructions so far
normalize.hip:17:18 in normalize
17      float* y = out + static_cast<long>(row) * columns;
=> 0x19a0 <+0xa0>  v_lshl_add_u64 v[2:3], v[2:3], 2, v[6:7]
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v4[3] = 0x7f800000; v6[3] = 0x00012000; v7[3] = 0x00007f00

(rpl) break
Breakpoint 2 at *0x19a0: 0x19a0

(rpl) watch arg2[10x]
err: error: 'arg2[10x]' is not an element; arg2[10] is the eleventh of the second argument

(rpl) watch arg2[786]
Watchpoint 3: arg2[786]

(rpl) watch $v5 --lane 3
Watchpoint 4: $v5 of wave 0 of workgroup 1, lane 3

(rpl) disable 2

(rpl) continue
Watchpoint 4: $v5 of wave 0 of workgroup 1, lane 3
  0x00007f00 -> 0x00000000
wave 0 of workgroup 1, lane 3, 315 wave-instructions so far
normalize.hip:20:21 in normalize
20      for (int i = 0; i < columns; ++i) {
=> 0x19b0 <+0xb0>  s_add_i32 s5, s5, -1
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v2[3] = 0x00012c48; v3[3] = 0x00007f00; v5[3] = 0x00000000

(rpl) info lanes/4 v5
wave 0 of workgroup 1: 64 of 64 lanes are active (#), lane 3 is selected (*)
 0  ###*#### ######## ######## ########
32  ######## ######## ######## ########

lane  active  work_item  value       float
   0  yes     128x0x0    0x43000000    128
   1  yes     129x0x0    0x43010000    129
   2  yes     130x0x0    0x43020000    130
   3  yes     131x0x0    0x00000000      0
(4 of 64 rows; --limit 0 shows all, modelled)

(rpl) reverse-stepi
wave 0 of workgroup 1, lane 3, 314 wave-instructions so far
normalize.hip:21:12 in normalize
21        y[i] = x[i] * scale;
=> 0x19a8 <+0xa8>  global_load_dword v5, v[0:1], off
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v5[3] = 0x00007f00

(rpl) stepi
Watchpoint 4: $v5 of wave 0 of workgroup 1, lane 3
  0x00007f00 -> 0x00000000
wave 0 of workgroup 1, lane 3, 315 wave-instructions so far
normalize.hip:20:21 in normalize
20      for (int i = 0; i < columns; ++i) {
=> 0x19b0 <+0xb0>  s_add_i32 s5, s5, -1
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v5[3] = 0x00000000

(rpl) delete 4

(rpl) continue
Watchpoint 3: arg2[786]
  0x00000000 -> 0x7fc00000 (nan)
wave 0 of workgroup 1, lane 3, 321 wave-instructions so far
normalize.hip:20:21 in normalize
20      for (int i = 0; i < columns; ++i) {
=> 0x19d0 <+0xd0>  v_lshl_add_u64 v[2:3], v[2:3], 0, 4
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[3] = 0x00000c4c; v5[3] = 0x7fc00000 (nan); s5 = 0x00000005; scc = 1

(rpl) reverse-continue
Watchpoint 3: arg2[786]
  0x00000000 -> 0x7fc00000 (nan)
wave 0 of workgroup 1, lane 3, 320 wave-instructions so far
normalize.hip:21:10 in normalize
21        y[i] = x[i] * scale;
=> 0x19c8 <+0xc8>  global_store_dword v[2:3], v5, off
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) enable 2

(rpl) reverse-continue
Breakpoint 2
wave 0 of workgroup 1, lane 3, 313 wave-instructions so far
normalize.hip:17:18 in normalize
17      float* y = out + static_cast<long>(row) * columns;
=> 0x19a0 <+0xa0>  v_lshl_add_u64 v[2:3], v[2:3], 2, v[6:7]
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[3] = 0x00000c48; v2[3] = 0x00000312; v3[3] = 0x00000000; v5[3] = 0x00007f00; 2 more

(rpl) delete

(rpl) finish
wave 0 of workgroup 1 has ended
wave 1 of workgroup 1, lane 3, 369 wave-instructions so far
amd_hip_runtime.h:268:12 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at normalize.hip:14:32 in normalize
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) continue
normalize ran to its end: 492 wave-instructions
  argument 1 f32 x 1200: 0, 0.25, 0.5, 0.75, …
  argument 2 f32 x 1200: 0, 0.06666667, 0.13333334, 0.20000002, …

(rpl) reverse-stepi 2
wave 1 of workgroup 1, lane 3, 490 wave-instructions so far
normalize.hip:20:3 in normalize
20      for (int i = 0; i < columns; ++i) {
=> 0x19d8 <+0xd8>  s_cbranch_scc1 65523
exec 0x00000000000000ff, 8 of 64 lanes

(rpl) kill

(rpl) tbreak normalize
Temporary breakpoint 5 at normalize

(rpl) stepi
err: error: the program is not being run: no kernel is stopped; 'break KERNEL' and 'kernel run OBJECT KERNEL …' or 'replay CAPTURE', or either with --stop

# One shot, as a document.
$ kernel run normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 --arg i32:200 --arg i32:6 --stop --json
{
  "schema": "rpl.kernel.run/1",
  "stop": "entry",
  "points": [],
  "kernel": "normalize",
  "executed": 0,
  "fault": null,
  "workgroup": [128, 1, 1],
  "wave": 0,
  "lane": 0,
  "pc": "0x1900",
  "place": "amd_hip_runtime.h:268:12 in operator(), inlined at amd_hip_runtime.h:299:64 in operator unsigned int, inlined at normalize.hip:14:32 in normalize",
  "instruction": "s_load_dword s3, s[0:1], 0x24",
  "exec": "0xffffffffffffffff",
  "active_lanes": 64,
  "changed": [],
  "object": "o1",
  "stopped_workgroup": 0,
  "grid": [256, 1, 1],
  "rows": [],
  "notes": [],
  "provenance": "modelled"
}

# Numbers in GDB's formats, what a line became, and the launch from its beginning.
(rpl) break normalize.hip:21 if lane == 3 and workgroup == 1
Breakpoint 1 at normalize.hip:21, if lane == 3 and workgroup == 1

(rpl) kernel run/q normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 --arg i32:200 --arg i32:6
null

(rpl) print/x $pc
$2 = 0x19a8

(rpl) print/x $v4
$3 = 0x7f800000

(rpl) print/f $v4
$4 = inf

(rpl) print/d $v4
$5 = 2139095040

(rpl) print/t $s5
$6 = 110

(rpl) output/z {$s4, -1, 0.5 * 4}
     value
0x000000c8
0xffffffff
0x00000002
(3 rows)

(rpl) print/x $v7_f32 + 0.5
$7 = 0x0

(rpl) print/y 1
err: error: 'y' is not a format of print; x d u o t a z f c s, as in GDB: print/x $pc

(rpl) info line
line  begin   end     instructions  place                             instruction
  21  0x19a8  0x19b0             1  normalize.hip:21:12 in normalize  global_load_dw..5, v[0:1], off
(1 row, modelled)

(rpl) info line normalize.hip:8
line  begin   end     instructions  place                         instruction
   8  0x1968  0x1970             1  normalize.hip:8:12 in sum_of  global_load_dword v7, v[4:5], off
(1 row, modelled)

(rpl) info line 9
line  begin   end     instructions  place                             instruction
  14  0x191c  0x1924             2  normalize.hip:14:30 in normalize  s_mul_i32 s2, s2, s3
(1 row, modelled)
err: note: line 9 has no code of its own; the next one that has is line 14

(rpl) delete

(rpl) continue
normalize ran to its end: 492 wave-instructions
  argument 1 f32 x 1200: 0, 0.25, 0.5, 0.75, …
  argument 2 f32 x 1200: 0, 0.06666667, 0.13333334, 0.20000002, …

(rpl) run --stop
normalize stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
amd_hip_runtime.h:268:12 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at normalize.hip:14:32 in normalize
14      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1900 <+0x0>  s_load_dword s3, s[0:1], 0x24
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) tbreak normalize.hip:8
Temporary breakpoint 2 at normalize.hip:8: 0x1968

(rpl) run
Breakpoint 2
wave 0 of workgroup 0, lane 0, 20 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v1[0] = 0x00007f00; v2[0] = 0x00000000; v4[0] = 0x00000000; 4 more

(rpl) kill

(rpl) run
normalize ran to its end: 492 wave-instructions
  argument 1 f32 x 1200: 0, 0.25, 0.5, 0.75, …
  argument 2 f32 x 1200: 0, 0.06666667, 0.13333334, 0.20000002, …

(rpl) info line
err: error: wave 0 of workgroup 0 is not in flight; 'info waves' lists those that are

# In a file of commands a stop prints, and the next command goes on. A fault leaves the kernel where it happened.
! printf 'tbreak normalize.hip:8\nkernel run normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:900 --arg i32:200 --arg i32:6\ncontinue\nx/2f $arg2+3592\n' > session.rpl

$ -batch -x session.rpl
Temporary breakpoint 1 at normalize.hip:8
Breakpoint 1
wave 0 of workgroup 0, lane 0, 20 wave-instructions so far
normalize.hip:8:12 in sum_of, inlined at normalize.hip:18:21 in normalize
8         sum += row[i];
=> 0x1968 <+0x68>  global_load_dword v7, v[4:5], off
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v1[0] = 0x00007f00; v2[0] = 0x00000000; v4[0] = 0x00000000; 4 more
Fault: normalize: wave 0 of workgroup 1 at 0x19c8 (normalize.hip:21:10 in normalize), global_store_dword v[2:3], v5, off: lane 22 writes 4 bytes at 0x7f0000012e10: 0 bytes past the end of argument 2 (3600 bytes at 0x7f0000012000)
wave 0 of workgroup 1, lane 0, 320 wave-instructions so far
normalize.hip:21:10 in normalize
21        y[i] = x[i] * scale;
=> 0x19c8 <+0xc8>  global_store_dword v[2:3], v5, off
exec 0xffffffffffffffff, 64 of 64 lanes
0x7f0000012e08 <argument 2+3592>:  0  0

# The first wave that holds a NaN.
$ -batch -x find_nan.lua -- v5 normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 --arg i32:200 --arg i32:6
found        yes
instruction  v_mul_f32_e32 v5, v4, v5
lane         3
place        normalize.hip:21:10 in normalize
wave         0
workgroup    1
writes       4

$ -batch -x find_nan.lua -- v6 normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 --arg i32:200 --arg i32:6
found   no
writes  3

# Mistakes.
$ break a b
err: error: 'a b' is not a place in a program; a kernel or another function, KERNEL+0x40, FILE:LINE, LINE, *0xADDRESS or *+0xOFFSET
? 2

$ break vector_add if lane ==
err: error: 'lane ==' ends too early; something is missing at its end
? 2

$ break
err: error: the program is not being run: no kernel is stopped; 'break KERNEL' and 'kernel run OBJECT KERNEL …' or 'replay CAPTURE', or either with --stop
? 1

# Breakpoints that this kernel does not have.
$ -batch -ex 'break nofile.hip:8' -ex 'break vector_add' -ex 'kernel run normalize.co --grid 256 --workgroup 128 --arg f32:zero:1200 --arg f32:zero:1200 --arg i32:200 --arg i32:6'
Breakpoint 1 at nofile.hip:8
Breakpoint 2 at vector_add
normalize ran to its end: 492 wave-instructions
  argument 1 f32 x 1200: 0, 0, 0, 0, …
  argument 2 f32 x 1200: nan, nan, nan, nan, …
err: note: breakpoint 1 waits for another kernel: no code of line 8 of nofile.hip; 'disassemble' shows which lines have code
err: note: breakpoint 2 waits for another kernel: normalize runs, not vector_add; break at a line or an offset of the kernel that runs: break *+0x10
