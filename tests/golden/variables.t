# Variables of the source in a stopped kernel: from code that is optimized and code that is not, of two compilers. docs/debugging.md tells of it.
# modelled
# example variables.hip: ../tests/engine/isa/kernels/variables.hip
# example v.co: ../tests/engine/isa/kernels/objects/variables.gfx90a.co
# example unoptimized.co: ../tests/engine/isa/kernels/objects/variables.O0.gfx942.co
# example newer.co: ../tests/engine/isa/kernels/objects/variables.gfx950.co
! python3 -c "import struct; open('pair.bin', 'wb').write(struct.pack('<ffiiiiQ', 1.5, 2.5, 9, 1, 2, 0, 0))"

# Not optimized: everything lies in private memory, and can be shown.
(rpl) break variables.hip:69 if row == 5
Breakpoint 1 at variables.hip:69, if row == 5

(rpl) kernel run unoptimized.co scale --grid 64 --workgroup 64 --arg f32:iota:256 --arg f32:zero:256 --arg i32:60 --arg i32:4 --arg u8:@pair.bin
Breakpoint 1
wave 0 of workgroup 0, lane 5, 7608 wave-instructions so far
variables.hip:69:12 in scale<float, 4>
69      for (int i = 0; i < columns; ++i) {
=> 0xdd7c <+0x197c>  flat_store_dword v[2:3], v1
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[5] = 0x00044000; v2[5] = 0x000000cc; v3[5] = 0x00020000; v4[5] = 0x000000c8; 79 more

(rpl) info locals | cut -c1-100
i = 0
tile = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92,
row = 5
x = (const float *) 0x7f0000000050 <argument 1+80>
point = {x = 7.5, y = 2.5, tag = 5}
kind = Kind::first
bits = {f = 20, u = 1101004800}
flags = {a = 1, b = 2, rest = 5}
mask = 0
grid = {{5, 6, 7, 8}, {5, 7, 9, 11}, {5, 5, 5, 5}}
sum = 1878
wide = 3760
walked = 21

(rpl) info args
in = (const float *) 0x7f0000000000 <argument 1>
out = (float *) 0x7f0000011000 <argument 2>
rows = 60
columns = 4
pair = {<Point> = {x = 1.5, y = 2.5, tag = 9}, n = {1, 2}, other = (const Point *) 0x0}

(rpl) info locals/j | head -c 400
{
  "schema": "rpl.info.locals/1",
  "rows": [
    {"name": "i", "type": "int", "value": "0", "where": "private_lane#0xcc"},
    {"name": "tile", "type": "float [64]", "value": "{0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 148, 152, 156, 160, 164, 168, 172, 176, 180, 184, 188, 192, 196,
\no newline

(rpl) print row + 1
$5 = 6

(rpl) print pair.n[1]
$6 = 2

(rpl) print pair.x
$7 = 1.5

(rpl) print point.tag
$8 = 5

(rpl) print x[0]@4
$9 = {20, 21, 22, 23}

(rpl) print *in@3
$10 = {0, 1, 2}

(rpl) print/x mask + 16
$11 = 0x10

(rpl) print kind
$12 = Kind::first

(rpl) print kind == 3
$13 = true

(rpl) print counter
$14 = 67

(rpl) print tables::steps
$15 = {1, 2, 3, 4}

(rpl) print grid[1][2]
$16 = 9

(rpl) print &grid
$17 = (float (*)[4]) 0x2000000000080

(rpl) x/4fw &grid[1]
private_lane#0x90:  5  7  9  11

(rpl) print row /lanes
$19 = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, -, -, -, -}

(rpl) print tile[threadIdx.x] /lanes
$20 = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 148, 152, 156, 160, 164, 168, 172, 176, 180, 184, 188, 192, 196, 200, 204, 208, 212, 216, 220, 224, 228, 232, 236, -, -, -, -}

(rpl) info lanes/4 point.x
wave 0 of workgroup 0: 60 of 64 lanes are active (#), lane 5 is selected (*)
 0  #####*## ######## ######## ########
32  ######## ######## ######## ####....

lane  active  work_item  value  float
   0  yes     0x0x0      0          0
   1  yes     1x0x0      1.5      1.5
   2  yes     2x0x0      3          3
   3  yes     3x0x0      4.5      4.5
(4 of 64 rows; --limit 0 shows all, modelled)

(rpl) whatis grid
type = float [3][4]

(rpl) ptype pair
type = struct Pair : Point {
    int n[2];
    const Point *other;
}

(rpl) ptype Flags
type = struct Flags {
    unsigned int a : 3;
    unsigned int b : 5;
    int rest;
}

(rpl) ptype kind
type = const enum Kind {none = 0, first = 3, second = 4}

(rpl) whatis x
type = const float *

(rpl) info address row
Symbol "row" is at private_lane#0x48 in the private memory of the lane.

(rpl) info address tile
Symbol "tile" is at local#0x0 in the LDS of the workgroup.

(rpl) print nothing
err: error: no variable 'nothing' here; 'info args', 'info locals', 'info registers' list what there is; $arg1, $v2, lane and threadIdx.x are always there

(rpl) print value
err: error: 'value' is a variable of another place; 'info locals' lists those that are in scope here; 'info scope PLACE' those of another place

(rpl) set var row = 7

(rpl) set var point.y = 0.25

(rpl) print row
$29 = 7

(rpl) print point
$30 = {x = 7.5, y = 0.25, tag = 5}

(rpl) reverse-stepi
wave 0 of workgroup 0, lane 5, 7607 wave-instructions so far
variables.hip:68:15 in scale<float, 4>
68      const float walked = walk(pair.n, columns) + grid[pair.n[0]][row & 3];
=> 0xdd78 <+0x1978>  v_mov_b32_e32 v1, s0
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v1[5] = 0x41a80000 (21)

(rpl) print row
$31 = 5

(rpl) lua print(rpl.debug.value("row"), rpl.debug.value("point.x", 3), rpl.debug.value("pair").n[2])
5	4.5	2

(rpl) print Kind::second
$32 = Kind::second

(rpl) print (Kind)3
$33 = Kind::first

(rpl) print sizeof(Point)
$34 = 12

(rpl) print *(Point*)&point
$35 = {x = 7.5, y = 2.5, tag = 5}

(rpl) print (row) + 1
$36 = 6

# A function that is called and not inlined: who called it, its own variables, and out of it again.
(rpl) break walk
Breakpoint 1 at walk

(rpl) kernel run unoptimized.co scale --grid 64 --workgroup 64 --arg f32:iota:256 --arg f32:zero:256 --arg i32:60 --arg i32:4 --arg u8:@pair.bin
Breakpoint 1
wave 0 of workgroup 0, lane 0, 5208 wave-instructions so far
variables.hip:42:12 in walk
42      for (int i = 0; i < 16; ++i) own[i] = i * where[0];
=> 0x3900 <walk+0x210>  flat_store_dword v[2:3], v1
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[0] = 0x00000000; v2[0] = 0x00000180; v3[0] = 0x00020000; v4[0] = 0x00000130; 79 more

(rpl) backtrace full
\#0  0x3900 in walk (where=0x200000000001c, length=4) at variables.hip:42
        i = 0
        own = {1, 1, 304, 131072, 0 <repeats 12 times>}
        total = 0
\#1  0xdc8c in scale<float, 4> (in=0x7f0000000000, out=0x7f0000011000, rows=60, columns=4, pair=...) at variables.hip:68
        tile = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 148, 152, 156, 160, 164, 168, 172, 176, 180, 184, 188, 192, 196, 200, 204, 208, 212, 216, 220, 224, 228, 232, 236, 0, 0, 0, 0}
        row = 0
        x = (const float *) 0x7f0000000000 <argument 1>
        point = {x = 0, y = 2.5, tag = 0}
        kind = Kind::none
        bits = {f = 0, u = 0}
        flags = {a = 1, b = 2, rest = 0}
        mask = 0
        grid = {{0, 1, 2, 3}, {0, 2, 4, 6}, {0, 0, 0, 0}}
        sum = 18
        wide = 40
        walked = 0

(rpl) up
\#1  0xdc8c in scale<float, 4> (in=0x7f0000000000, out=0x7f0000011000, rows=60, columns=4, pair=...) at variables.hip:68
68      const float walked = walk(pair.n, columns) + grid[pair.n[0]][row & 3];

(rpl) info locals
tile = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 148, 152, 156, 160, 164, 168, 172, 176, 180, 184, 188, 192, 196, 200, 204, 208, 212, 216, 220, 224, 228, 232, 236, 0, 0, 0, 0}
row = 0
x = (const float *) 0x7f0000000000 <argument 1>
point = {x = 0, y = 2.5, tag = 0}
kind = Kind::none
bits = {f = 0, u = 0}
flags = {a = 1, b = 2, rest = 0}
mask = 0
grid = {{0, 1, 2, 3}, {0, 2, 4, 6}, {0, 0, 0, 0}}
sum = 18
wide = 40
walked = 0

(rpl) finish
wave 0 of workgroup 0, lane 0, 7571 wave-instructions so far
variables.hip:68:24 in scale<float, 4>
68      const float walked = walk(pair.n, columns) + grid[pair.n[0]][row & 3];
=> 0xdc8c <+0x188c>  v_accvgpr_read_b32 v7, a34
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[0] = 0x41600000 (14); v1[0] = 0xffffffff (-nan); v2[0] = 0x00000184; v4[0] = 0x00000188; 5 more

(rpl) backtrace 1
\#0  0xdc8c in scale<float, 4> (in=0x7f0000000000, out=0x7f0000011000, rows=60, columns=4, pair=...) at variables.hip:68

(rpl) x/2i $pc
=> 0xdc8c <scale<float, 4>+0x188c>  v_accvgpr_read_b32 v7, a34
   0xdc94 <scale<float, 4>+0x1894>  v_accvgpr_read_b32 v6, a35

(rpl) step
wave 0 of workgroup 0, lane 0, 7608 wave-instructions so far
variables.hip:69:12 in scale<float, 4>
69      for (int i = 0; i < columns; ++i) {
=> 0xdd7c <+0x197c>  flat_store_dword v[2:3], v1
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[0] = 0x00000000; v1[0] = 0x00000000; v2[0] = 0x000000cc; v4[0] = 0x000000c8; 7 more

(rpl) print walked
$7 = 14

# Optimized: what is in no register and no memory is said to be so.
(rpl) delete

(rpl) break variables.hip:59 if row == 5
Breakpoint 1 at variables.hip:59, if row == 5

(rpl) kernel run v.co scale --grid 64 --workgroup 64 --arg f32:iota:256 --arg f32:zero:256 --arg i32:60 --arg i32:4 --arg u8:@pair.bin
Breakpoint 1
wave 0 of workgroup 0, lane 5, 143 wave-instructions so far
variables.hip:59:28 in scale<float, 4>
59      const word mask = bits.u & 0xff;
=> 0x2264 <+0x264>  v_and_b32_e32 v17, 0xff, v1
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[5] = 0x41c00000 (24); v1[5] = 0x41a00000 (20); v3[5] = 0x409d5800 (4.91699); v4[5] = 0x44e7c000 (1854); 14 more

(rpl) info locals | tail -n +2
grid = {{5, 6, 7, 8}, {5, 7, 9, 11}, {5, 5, 5, 5}}
row = 5
point = {x = <optimized out>, y = <optimized out>, tag = 5}
flags = <optimized out>
mask = 0
walked = <optimized out>
x = <optimized out>
kind = <optimized out>
bits = <optimized out>
sum = <optimized out>
wide = <optimized out>

(rpl) print row
$3 = 5

(rpl) print point
$4 = {x = <optimized out>, y = <optimized out>, tag = 5}

(rpl) print point.x + 1
err: error: point.x is optimized out here; at this instruction it is in no register and not in memory; another line or frame, or a build with -O1 -g, may have it

(rpl) print sum
$5 = <optimized out>

(rpl) info address row
Symbol "row" is the register v12.

(rpl) watch row
Watchpoint 2: row of wave 0 of workgroup 0, lane 5

(rpl) display row
1: row = 5

(rpl) set var row = 6

(rpl) print $v12
$8 = 6

(rpl) print row /lanes
$9 = {0, 1, 2, 3, 4, 6, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, -, -, -, -}

(rpl) info scope variables.hip:35 | head -6
name     kind       type           line  function
value    local      const float      34  sum_of<float>
i        local      int              33  sum_of<float>
sum      local      float            32  sum_of<float>
row      parameter  const float *    31  sum_of<float>
columns  parameter  int              31  sum_of<float>

(rpl) condition 1 nothing == 1
err: error: no variable 'nothing' here; 'info args', 'info locals', 'info registers' list what there is; $arg1, $v2, lane and threadIdx.x are always there

(rpl) break variables.hip:35 if value > 20
Breakpoint 3 at variables.hip:35: 0x21d0, if value > 20

(rpl) undisplay 1

(rpl) delete 1 2

(rpl) run
Breakpoint 3
wave 0 of workgroup 0, lane 6, 90 wave-instructions so far
variables.hip:35:9 in sum_of<float>
  inlined at variables.hip:65:17 in scale<float, 4>
35        sum += value * value;
=> 0x21d0 <+0x1d0>  s_waitcnt vmcnt(0)
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v1[6] = 0x41c00000 (24); v2[6] = 0x00000064; v3[6] = 0x00007f00; v5[6] = 0x41c00000 (24); 13 more

(rpl) backtrace
\#0  0x21d0 in sum_of<float> (row=<optimized out>, columns=<optimized out>) at variables.hip:35 (inlined)
\#1  scale<float, 4> (in=0x7f0000000000, out=0x7f0000011000, rows=60, columns=4, pair=...) at variables.hip:65

(rpl) info locals
value = 24
i = <optimized out>
sum = 0

(rpl) print value
$13 = 24

(rpl) up
\#1  scale<float, 4> (in=0x7f0000000000, out=0x7f0000011000, rows=60, columns=4, pair=...) at variables.hip:65
65      const T sum = sum_of(x, columns) + tile[(threadIdx.x + 1) & 63];

(rpl) info args
in = (const float *) 0x7f0000000000 <argument 1>
out = (float *) 0x7f0000011000 <argument 2>
rows = 60
columns = 4
pair = {<Point> = {x = 1.5, y = 2.5, tag = 9}, n = {1, 2}, other = (const Point *) 0x0}

(rpl) print row
$16 = 6

# A newer clang describes less, and in its own way.
(rpl) delete

(rpl) kernel run newer.co scale --grid 64 --workgroup 64 --arg f32:iota:256 --arg f32:zero:256 --arg i32:60 --arg i32:4 --arg u8:@pair.bin --stop
scale<float, 4> stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
coordinates.h:33:56 in rpl_get_x
  inlined at variables.hip:51:41 in scale<float, 4>
51      const int row = blockIdx.x * blockDim.x + threadIdx.x;
=> 0x1f00 <+0x0>  s_load_dword s5, s[2:3], 0x44
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) tbreak variables.hip:59 if row == 5
Temporary breakpoint 1 at variables.hip:59: 0x21dc, if row == 5

(rpl) continue
Breakpoint 1
wave 0 of workgroup 0, lane 5, 145 wave-instructions so far
variables.hip:59:28 in scale<float, 4>
59      const word mask = bits.u & 0xff;
=> 0x21dc <+0x2dc>  v_and_b32_e32 v24, 0xff, v3
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[5] = 0x00000001; v1[5] = 0x00000002; v2[5] = 0x00000004; v3[5] = 0x41a00000 (20); 23 more

(rpl) info locals | head -2
tile = <optimized out>
row = 5

(rpl) info args
in = (const float *) 0x7f0000000000 <argument 1>
out = (float *) 0x7f0000011000 <argument 2>
rows = 60
columns = 4
pair = {<Point> = {x = 1.5, y = 2.5, tag = 9}, n = {1, 2}, other = (const Point *) 0x0}
