# Functions that are called: the variables of those that called them, arguments that are written, where `break FUNCTION` stands, offsets of structures.
# modelled
# example calls.hip: ../tests/engine/isa/kernels/calls.hip
# example calls.co: ../tests/engine/isa/kernels/objects/calls.gfx942.co
# example variables.hip: ../tests/engine/isa/kernels/variables.hip
# example unoptimized.co: ../tests/engine/isa/kernels/objects/variables.O0.gfx942.co
# example older.co: ../tests/engine/isa/kernels/objects/calls.gfx90a.co
(rpl) break sum_of
Breakpoint 1 at sum_of

(rpl) kernel run calls.co rows_of --grid 128 --workgroup 64 --arg f32:iota:1024 --arg f32:zero:128 --arg i32:100 --arg i32:6
Breakpoint 1
wave 0 of workgroup 0, lane 0, 74 wave-instructions so far
calls.hip:7:21 in sum_of
7       for (int i = 0; i < count; ++i) sum += row[i] * 2.0f;
=> 0x1904 <sum_of+0x4>  v_cmp_lt_i32_e32 vcc, 0, v2
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v1[0] = 0x00007f00; v2[0] = 0x00000006; v3[0] = 0x00000000; 20 more

(rpl) lane 3
wave 0 of workgroup 0, lane 3, 74 wave-instructions so far
calls.hip:7:21 in sum_of
7       for (int i = 0; i < count; ++i) sum += row[i] * 2.0f;
=> 0x1904 <sum_of+0x4>  v_cmp_lt_i32_e32 vcc, 0, v2
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[3] = 0x00000048; v1[3] = 0x00007f00; v2[3] = 0x00000006; v3[3] = 0x3f400000 (0.75); 20 more

(rpl) continue
Breakpoint 1
wave 0 of workgroup 0, lane 3, 143 wave-instructions so far
calls.hip:7:21 in sum_of
7       for (int i = 0; i < count; ++i) sum += row[i] * 2.0f;
=> 0x1904 <sum_of+0x4>  v_cmp_lt_i32_e32 vcc, 0, v2
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[3] = 0x0000004c; v2[3] = 0x00000005; v3[3] = 0x43760000 (246); v4[3] = 0x41b80000 (23); 3 more

(rpl) backtrace full
\#0  0x1904 in sum_of (row=0x7f000000004c, count=5) at calls.hip:7
        i = 0
        sum = 0
\#1  0x19c8 in blend (row=0x7f0000000048, count=6, scale=<optimized out>) at calls.hip:20
        half = 0.375
        left = 246
        right = <optimized out>
\#2  0x1c18 in rows_of (in=0x7f0000000000, out=0x7f0000011000, rows=100, columns=6) at calls.hip:33
        row = 3
        table = {3, 6, 9, 15}
        weights = {low = 0.75, high = 1.75, kind = 119 'w', wide = <optimized out>}
        weight = 0.75
        pick = 9
        blended = <optimized out>

(rpl) up
\#1  0x19c8 in blend (row=0x7f0000000048, count=6, scale=<optimized out>) at calls.hip:20
20      const float right = sum_of(row + 1, count - 1);

(rpl) info locals
half = 0.375
left = 246
right = <optimized out>

(rpl) info args
row = (const float *) 0x7f0000000048 <argument 1+72>
count = 6
scale = <optimized out>

(rpl) print left * 2
$6 = 492

(rpl) print row[0]@3
$7 = {18, 19, 20}

(rpl) print half /lanes
$8 = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.125, 2.25, 2.375, 2.5, 2.625, 2.75, 2.875, 3, 3.125, 3.25, 3.375, 3.5, 3.625, 3.75, 3.875, 4, 4.125, 4.25, 4.375, 4.5, 4.625, 4.75, 4.875, 5, 5.125, 5.25, 5.375, 5.5, 5.625, 5.75, 5.875, 6, 6.125, 6.25, 6.375, 6.5, 6.625, 6.75, 6.875, 7, 7.125, 7.25, 7.375, 7.5, 7.625, 7.75, 7.875}

(rpl) print $pc
$9 = (void (*)()) 0x19c8 <blend+0x70>

(rpl) info registers s32 pc
wave 0 of workgroup 0, lane 3, frame 1: as they were when it called

register  lane  active  value               integer      float
s32          -  -       0x00000010               16  2.242e-44
pc           -  -       0x00000000000019c8        -          -
(2 rows, modelled)

(rpl) info frame
\#1  0x19c8 in blend (row=0x7f0000000048, count=6, scale=<optimized out>) at calls.hip:20
pc 0x19c8 <blend+0x70>
called by frame 2 (rows_of)
wave 0 of workgroup 0, lane 3; source language HIP

(rpl) up
\#2  0x1c18 in rows_of (in=0x7f0000000000, out=0x7f0000011000, rows=100, columns=6) at calls.hip:33
33      const float blended = blend(in + row * columns, columns, weights.low);

(rpl) info locals
row = 3
table = {3, 6, 9, 15}
weights = {low = 0.75, high = 1.75, kind = 119 'w', wide = <optimized out>}
weight = 0.75
pick = 9
blended = <optimized out>

(rpl) print table
$14 = {3, 6, 9, 15}

(rpl) print weights.wide
$15 = <optimized out>

(rpl) set var table[1] = 70
err: error: a register of a function that called another is not written while that runs; 'finish' goes back to it; what is in memory is written in every frame

(rpl) print table
$16 = {3, 6, 9, 15}

(rpl) print row
$17 = 3

(rpl) set var row = 4
err: error: a register of a function that called another is not written while that runs; 'finish' goes back to it; what is in memory is written in every frame

(rpl) watch row
err: error: row is in a register of a function that called another; 'finish' goes back to it; what is in memory is watched in every frame

(rpl) info address row
err: error: row was in a register when this function called another; 'print' shows what it held; 'finish' goes back to where it is in one

(rpl) down
\#1  0x19c8 in blend (row=0x7f0000000048, count=6, scale=<optimized out>) at calls.hip:20
20      const float right = sum_of(row + 1, count - 1);

(rpl) info address count
err: error: count was in a register when this function called another; 'print' shows what it held; 'finish' goes back to where it is in one

(rpl) set $v5 = 1
err: error: a register of a function that called another is not written while that runs; 'finish' goes back to it; what is in memory is written in every frame

(rpl) stepi
wave 0 of workgroup 0, lane 3, 144 wave-instructions so far
calls.hip:7:21 in sum_of
7       for (int i = 0; i < count; ++i) sum += row[i] * 2.0f;
=> 0x1908 <sum_of+0x8>  v_mov_b32_e32 v3, 0
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) set $v5 = 2

(rpl) up
\#1  0x19c8 in blend (row=0x7f0000000048, count=6, scale=<optimized out>) at calls.hip:20
20      const float right = sum_of(row + 1, count - 1);

(rpl) info locals
half = 0.375
left = 246
right = <optimized out>

(rpl) print $v5
$21 = <not saved>

(rpl) print half + 1
$22 = 1.375

(rpl) finish
wave 0 of workgroup 0, lane 3, 198 wave-instructions so far
calls.hip:21:30 in blend
21      return left * half + right * scale;
=> 0x19c8 <blend+0x70>  v_mul_f32_e32 v0, v0, v5
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[3] = 0x43520000 (210); v2[3] = 0x00000000; v3[3] = 0x43520000 (210)
written by you: $v5 = 2 at 144

(rpl) info locals
half = 0.375
left = 246
right = 210

(rpl) break blend
Breakpoint 2 at blend: 0x1998

(rpl) break blend+0
Breakpoint 3 at blend+0x0: 0x1958

(rpl) break rows_of
Breakpoint 4 at rows_of: 0x1b00

(rpl) list blend
   13      char kind;
   14      double wide;
   15    };
   16    
   17    __device__ __attribute__((noinline)) float blend(const float* row, int count, float scale) {
   18      const float half = scale * 0.5f;
   19      const float left = sum_of(row, count);
   20      const float right = sum_of(row + 1, count - 1);
=> 21      return left * half + right * scale;
   22    }

(rpl) up
\#1  0x1c18 in rows_of (in=0x7f0000000000, out=0x7f0000011000, rows=100, columns=6) at calls.hip:33
33      const float blended = blend(in + row * columns, columns, weights.low);

(rpl) print table[3]
$26 = 15

(rpl) info line
line  begin   end     instructions  place                     instruction
  21  0x19c8  0x1a00            11  calls.hip:21:30 in blend  v_mul_f32_e32 v0, v0, v5
(1 row, modelled)

(rpl) kill

# Arguments are the launch's own: what is loaded later has them. Offsets and sizes of a structure.
(rpl) kernel run older.co rows_of --grid 128 --workgroup 64 --arg f32:iota:1024 --arg f32:zero:128 --arg i32:100 --arg i32:6 --stop
rows_of stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
calls.hip:26 in rows_of
26    extern "C" __global__ void rows_of(const float* in, float* out, int rows, int columns) {
=> 0x1b00 <+0x0>  s_add_u32 flat_scratch_lo, s8, s11
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) print rows = 2
$2 = 2

(rpl) info args
in = (const float *) 0x7f0000000000 <argument 1>
out = (float *) 0x7f0000011000 <argument 2>
rows = 2
columns = 6

(rpl) print &rows
$4 = (int *) 0x7f0000037010 <the kernarg segment+16>

(rpl) break calls.hip:33
Breakpoint 1 at calls.hip:33: 0x1bf4

(rpl) continue
Breakpoint 1
wave 0 of workgroup 0, lane 0, 50 wave-instructions so far
calls.hip:33:40 in rows_of
33      const float blended = blend(in + row * columns, columns, weights.low);
=> 0x1bf4 <+0xf4>  v_mul_lo_u32 v0, v14, s9
exec 0x0000000000000003, 2 of 64 lanes
changed: v0[0] = 0x00000000; v1[0] = 0x00010000; v2[0] = 0x00000008; v3[0] = 0x00000000; 12 more
written by you: rows = 2 at 0

(rpl) print columns
$5 = 6

(rpl) set var columns = 3
err: note: wave 0 of workgroup 0 loaded it already, at 0x1b14 (calls.hip:27:32 in rows_of): what it loaded stays as it was; loads from here on, of waves that begin later, too, give what was written

(rpl) stepi
wave 0 of workgroup 0, lane 0, 51 wave-instructions so far
calls.hip:33:34 in rows_of
33      const float blended = blend(in + row * columns, columns, weights.low);
=> 0x1bfc <+0xfc>  v_ashrrev_i32_e32 v1, 31, v0
exec 0x0000000000000003, 2 of 64 lanes
changed: v0[0] = 0x00000000
written by you: rows = 2 at 0; columns = 3 at 50

(rpl) reverse-stepi 2
wave 0 of workgroup 0, lane 0, 49 wave-instructions so far
calls.hip:32:20 in rows_of
32      const int pick = chosen(table, columns);
=> 0x1bf0 <+0xf0>  v_mov_b32_e32 v13, v0
exec 0x0000000000000003, 2 of 64 lanes
changed: v0[0] = 0x00000000; v13[0] = 0x00000000
written by you: rows = 2 at 0

(rpl) print columns
$6 = 6

(rpl) print rows
$7 = 2

(rpl) ptype weights
type = const struct Weights {
    float low;
    float high;
    char kind;
    double wide;
}

(rpl) ptype/o weights
/* offset      |    size */  type = const struct Weights {
/*      0      |       4 */    float low;
/*      4      |       4 */    float high;
/*      8      |       1 */    char kind;
/* XXX  7-byte hole       */
/*     16      |       8 */    double wide;

                               /* total size:   24 bytes */
                             }

(rpl) ptype/o int
type = int

(rpl) ptype/o table
type = int [4]

# A structure with a base, bits and a union.
! python3 -c "import struct; open('pair.bin', 'wb').write(struct.pack('<ffiiiiQ', 1.5, 2.5, 9, 1, 2, 0, 0))"

(rpl) kernel run unoptimized.co scale --grid 64 --workgroup 64 --arg f32:iota:256 --arg f32:zero:256 --arg i32:60 --arg i32:4 --arg u8:@pair.bin --stop
scale<float, 4> stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
variables.hip:49 in scale<float, 4>
49    __global__ void scale(const T* in, T* out, int rows, int columns, Pair pair) {
=> 0xc400 <+0x0>  s_mov_b32 s33, 0
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) ptype/o Pair
/* offset      |    size */  type = struct Pair : Point {
/*     12      |       8 */    int n[2];
/* XXX  4-byte hole       */
/*     24      |       8 */    const Point *other;

                               /* total size:   32 bytes */
                             }

(rpl) ptype/o Flags
/* offset      |    size */  type = struct Flags {
/*      0: 0   |       4 */    unsigned int a : 3;
/*      0: 3   |       4 */    unsigned int b : 5;
/* XXX  3-byte hole       */
/*      4      |       4 */    int rest;

                               /* total size:    8 bytes */
                             }

(rpl) break walk
Breakpoint 1 at walk: 0x3900

(rpl) continue
Breakpoint 1
wave 0 of workgroup 0, lane 0, 5208 wave-instructions so far
variables.hip:42:12 in walk
42      for (int i = 0; i < 16; ++i) own[i] = i * where[0];
=> 0x3900 <walk+0x210>  flat_store_dword v[2:3], v1
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[0] = 0x00000000; v2[0] = 0x00000180; v3[0] = 0x00020000; v4[0] = 0x00000130; 79 more

(rpl) up
\#1  0xdc8c in scale<float, 4> (in=0x7f0000000000, out=0x7f0000011000, rows=60, columns=4, pair=...) at variables.hip:68
68      const float walked = walk(pair.n, columns) + grid[pair.n[0]][row & 3];

(rpl) info locals | cut -c1-100
tile = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92,
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

(rpl) set var row = 9

(rpl) print row
$6 = 9

(rpl) print flags.b = 3
err: error: only registers, memory and variables can be written; set $v2 = 5, set var NAME[0] = 1, set $x = 5

(rpl) down
\#0  0x3900 in walk (where=0x200000000001c, length=4) at variables.hip:42
42      for (int i = 0; i < 16; ++i) own[i] = i * where[0];

(rpl) finish
wave 0 of workgroup 0, lane 0, 7571 wave-instructions so far
variables.hip:68:24 in scale<float, 4>
68      const float walked = walk(pair.n, columns) + grid[pair.n[0]][row & 3];
=> 0xdc8c <+0x188c>  v_accvgpr_read_b32 v7, a34
exec 0x0fffffffffffffff, 60 of 64 lanes
changed: v0[0] = 0x41600000 (14); v1[0] = 0xffffffff (-nan); v2[0] = 0x00000184; v4[0] = 0x00000188; 5 more
written by you: row = 9 at 5208

(rpl) print row
$8 = 9
