# A NaN is found in a templated kernel, with the source's variables, a condition, a watchpoint and going back. docs/debugging.md goes through it.
# modelled
# example standardize.co: hip/objects/standardize.gfx942.co
# example standardize.hip: hip/standardize.hip
! python3 -c "import array; array.array('f', [7.0 if row == 131 else row + column * 0.25 for row in range(200) for column in range(4)]).tofile(open('rows.bin', 'wb'))"

(rpl) kernel run standardize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:800 --arg i32:200 --arg i32:4 --stop
standardize<float, 128> stands before its first instruction
wave 0 of workgroup 0, lane 0, 0 wave-instructions so far
amd_hip_runtime.h:263:69 in operator()
  inlined at amd_hip_runtime.h:299:64 in operator unsigned int
  inlined at standardize.hip:25:19 in standardize<float, 128>
25      const int row = blockIdx.x * kRows + threadIdx.x;
=> 0x1b00 <+0x0>  s_load_dwordx2 s[4:5], s[0:1], 0x10
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) watch out[524] if out[524] != out[524]
Watchpoint 1: out[524], if out[524] != out[524]

(rpl) continue
Watchpoint 1: out[524]
  0x00000000 -> 0x7fc00000 (nan)
wave 0 of workgroup 1, lane 0, 375 wave-instructions so far
standardize.hip:32:21 in standardize<float, 128>
32      for (int i = 0; i < columns; ++i) {
=> 0x1c24 <+0x124>  v_lshl_add_u64 v[2:3], v[2:3], 0, 4
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) lane 3
wave 0 of workgroup 1, lane 3, 375 wave-instructions so far
standardize.hip:32:21 in standardize<float, 128>
32      for (int i = 0; i < columns; ++i) {
=> 0x1c24 <+0x124>  v_lshl_add_u64 v[2:3], v[2:3], 0, 4
exec 0xffffffffffffffff, 64 of 64 lanes

(rpl) print threadIdx.x + 128 * blockIdx.x
$2 = 131

(rpl) print in[524]@4
$3 = {7, 7, 7, 7}

(rpl) info locals
i = <optimized out>
row = <optimized out>
mean = 7
x = <optimized out>
share = <optimized out>
variance = <optimized out>
scale = <optimized out>

(rpl) delete 1

(rpl) break standardize.hip:18 if mean == 7
Breakpoint 2 at standardize.hip:18: 0x1bd0, if mean == 7

(rpl) reverse-continue
Breakpoint 2
wave 0 of workgroup 1, lane 3, 358 wave-instructions so far
standardize.hip:18:13 in variance_of<float>
  inlined at standardize.hip:30:22 in standardize<float, 128>
18        squares += distance * distance;
=> 0x1bd0 <+0xd0>  v_fmac_f32_e32 v8, v9, v9
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[3] = 0x00000830; v2[3] = 0x0000020c; v3[3] = 0x00000000; v4[3] = 0x00000840; 5 more

(rpl) backtrace
\#0  0x1bd0 in variance_of<float> (row=<optimized out>, columns=<optimized out>, share=0.25, mean=7) at standardize.hip:18 (inlined)
\#1  standardize<float, 128> (in=0x7f0000000000, out=0x7f0000011000, rows=200, columns=4) at standardize.hip:30

(rpl) info locals
distance = 0
i = <optimized out>
squares = 0

(rpl) print distance
$7 = 0

(rpl) print distance /lanes
$8 = {0.375, 0.375, 0.375, 0, 0.375 <repeats 60 times>}

(rpl) info lanes/5 squares
wave 0 of workgroup 1: 64 of 64 lanes are active (#), lane 3 is selected (*)
 0  ###*#### ######## ######## ########
32  ######## ######## ######## ########

lane  active  work_item  value      float
   0  yes     128x0x0    0.171875  0.1719
   1  yes     129x0x0    0.171875  0.1719
   2  yes     130x0x0    0.171875  0.1719
   3  yes     131x0x0    0              0
   4  yes     132x0x0    0.171875  0.1719
(5 of 64 rows; --limit 0 shows all, modelled)

(rpl) up
\#1  standardize<float, 128> (in=0x7f0000000000, out=0x7f0000011000, rows=200, columns=4) at standardize.hip:30
30      const T variance = variance_of(x, columns, share, mean);

(rpl) info locals
row = <optimized out>
mean = 7
x = <optimized out>
share = <optimized out>
variance = <optimized out>
scale = <optimized out>

(rpl) info args
in = (const float *) 0x7f0000000000 <argument 1>
out = (float *) 0x7f0000011000 <argument 2>
rows = 200
columns = 4

(rpl) down
\#0  0x1bd0 in variance_of<float> (row=<optimized out>, columns=<optimized out>, share=0.25, mean=7) at standardize.hip:18 (inlined)
18        squares += distance * distance;

(rpl) set var squares = 4

(rpl) delete

(rpl) continue
standardize<float, 128> ran to its end: 544 wave-instructions
  argument 1 f32 x 800: 0, 0.25, 0.5, 0.75, …
  argument 2 f32 x 800: -1.3416407, -0.4472136, 0.4472136, 1.3416407, …

(rpl) print out[524]@4
$14 = {0, 0, 0, 0}

(rpl) x/4f &out[524]
0x7f0000011830 <argument 2+2096>:  0  0  0  0
