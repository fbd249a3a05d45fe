# Code for gfx950 on the emulated device: run, counted, timed, debugged, captured and replayed.
# modelled
# example fp8.co: hip/gfx950/objects/matmul_fp8.gfx950.co
# example fp4.co: hip/gfx950/objects/matmul_fp4.gfx950.co
# example attention.co: hip/gfx950/objects/attention_bf16.gfx950.co
# Rows of a hold 1 with scales of 2^row, columns of b 2 with scales of a half: c is 64 * 2^row.
! python3 -c "open('a', 'wb').write(bytes([0x38] * 32 * 64)); open('as', 'wb').write(bytes(127 + row for row in range(32) for block in range(2))); open('b', 'wb').write(bytes([0x40] * 32 * 64)); open('bs', 'wb').write(bytes([126] * 64))"

$ kernel run fp8.co --grid 64 --workgroup 64 --arg u8:@a --arg u8:@as --arg u8:@b --arg u8:@bs --arg f32:nan:1024 --arg i32:32 --arg i32:64 --dump 5=c
object                o1
kernel                matmul_fp8
architecture          gfx950
grid                  64x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI350X
cycles                4,758 cycles
time                  2163 ns
time_low              2076 ns
time_high             3201 ns
time_class            launch
simulated_workgroups  1
workgroups            1
waves                 1
instructions          128
by_class              valu 73, matrix 1, salu 17, smem 2, vmem 22, lds 4, branch 4, wait 3, other 2
lane_share            100.00 %
load                  4224 B
store                 4096 B
transactions          194
lds_accesses          4
lds_conflicts         0 cycles
atomics               0

argument  kind    element  count  size B  first                  changed  expected
       1  buffer  u8       2,048    2048  56, 56, 56, 56, …      no       -
       2  buffer  u8          64      64  127, 127, 128, 128, …  no       -
       3  buffer  u8       2,048    2048  64, 64, 64, 64, …      no       -
       4  buffer  u8          64      64  126, 126, 126, 126, …  no       -
       5  buffer  f32      1,024    4096  64, 64, 64, 64, …      yes      -
       6  value   i32          -       4  32                     -        -
       7  value   i32          -       4  64                     -        -
(7 rows, modelled)
err: note: the last bits of v_mfma_scale_f32_32x32x64_f8f6f4 may differ from a real device

! python3 -c "import array; c = array.array('f', open('c', 'rb').read()); print(all(c[32 * row + column] == 64 * 2.0 ** row for row in range(32) for column in range(32)))"
True

$ disassemble fp8.co | grep -E "v_mfma|ds_read|lds"
0x1804   -      global_load_lds_dwordx4 v[28:29], off                                         -
0x1820   -      global_load_lds_dwordx4 v[30:31], off                                         -
0x1844   -      global_load_lds_dwordx4 v[28:29], off                                         -
0x1864   -      global_load_lds_dwordx4 v[32:33], off                                         -
0x1870   -      ds_read_b128 v[28:31], v26                                                    -
0x1878   -      ds_read_b128 v[32:35], v26 offset:1024                                        -
0x1880   -      ds_read_b128 v[36:39], v26 offset:2048                                        -
0x1888   -      ds_read_b128 v[40:43], v26 offset:3072                                        -
0x18a4   -      v_mfma_scale_f32_32x32x64_f8f6f4 v[0:.., v[0:15], v19, v21 op_sel_hi:[0,0,0]  -
err: note: no source lines: built without -gline-tables-only, which leaves the code as it is

# Work for a roofline: products of a scaled instruction count by their formats.
$ kernel run fp4.co matmul_fp4 --grid 256,4 --workgroup 64 --arg u8:zero:8192 --arg u8:one:512 --arg u8:zero:8192 --arg u8:one:512 --arg f32:nan:4096 --arg i32:64 --arg i32:256 --counted
object                o1
kernel                matmul_fp4
architecture          gfx950
grid                  256x4x1
workgroup             64x1x1
dynamic_lds           0 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            16
waves                 16
instructions          1,616
by_class              valu 1,088, matrix 32, salu 160, smem 32, vmem 192, branch 48, wait 48, other 16
lane_share            100.00 %
load                  68.0 KiB
store                 16.0 KiB
transactions          1,408
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

argument  kind    element  count  size KiB  first          changed  expected
       1  buffer  u8       8,192       8.0  0, 0, 0, 0, …  no       -
       2  buffer  u8         512       0.5  1, 1, 1, 1, …  no       -
       3  buffer  u8       8,192       8.0  0, 0, 0, 0, …  no       -
       4  buffer  u8         512       0.5  1, 1, 1, 1, …  no       -
       5  buffer  f32      4,096      16.0  0, 0, 0, 0, …  yes      -
       6  value   i32          -       0.0  64             -        -
       7  value   i32          -       0.0  256            -        -
(7 rows, modelled)
err: note: the last bits of v_mfma_scale_f32_16x16x128_f8f6f4 may differ from a real device

$ kernel run fp4.co matmul_fp4 --grid 256,4 --workgroup 64 --arg u8:zero:8192 --arg u8:one:512 --arg u8:zero:8192 --arg u8:one:512 --arg f32:nan:4096 --arg i32:64 --arg i32:256 --counted --capture fp4 | grep capture
capture               c1
capture_path          fp4
err: note: the last bits of v_mfma_scale_f32_16x16x128_f8f6f4 may differ from a real device

$ kernel counters fp4 | grep -E 'MFMA|LDS'
SQ_INSTS_MFMA                           32  exact     matrix instructions
SQ_INSTS_LDS                             0  exact     LDS instructions
SQ_INSTS_VALU_MFMA_MOPS_F16              0  exact     matrix operations in F16, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_BF16             0  exact     matrix operations in BF16, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F32              0  exact     matrix operations in F32, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F64              0  exact     matrix operations in F64, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_I8               0  exact     matrix operations in I8, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F8               0  exact     matrix operations in F8, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F6F4         4,096  exact     matrix operations in F6F4, in units of 512
SQ_LDS_BANK_CONFLICT                     0  modelled  extra LDS cycles because of bank conflicts
SQ_LDS_IDX_ACTIVE                        0  modelled  LDS cycles, conflicts among them

# Queries of zero weigh all keys alike: the mean of the values.
! python3 -c "import struct; open('v', 'wb').write(b''.join(struct.pack('<f', float(key % 4 + column))[2:] for key in range(64) for column in range(32)))"

$ kernel run attention.co --grid 64 --workgroup 64 --arg u8:zero:2048 --arg u8:zero:4096 --arg u8:@v --arg f32:nan:1024 --arg i32:64 --dump 4=out --capture attention
object                o1
kernel                attention_bf16
architecture          gfx950
grid                  64x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI350X
cycles                12,838 cycles
time                  5835 ns
time_low              4668 ns
time_high             8228 ns
time_class            mixed
simulated_workgroups  1
workgroups            1
waves                 1
instructions          508
by_class              valu 385, transcendental 50, matrix 8, salu 7, smem 2, vmem 14, lds 12, branch 4, wait 15, other 11
lane_share            100.00 %
load                  10240 B
store                 4096 B
transactions          448
lds_accesses          12
lds_conflicts         0 cycles
atomics               0
capture               c1
capture_path          attention

argument  kind    element  count  size B  first                  changed  expected
       1  buffer  u8       2,048    2048  0, 0, 0, 0, …          no       -
       2  buffer  u8       4,096    4096  0, 0, 0, 0, …          no       -
       3  buffer  u8       4,096    4096  0, 0, 128, 63, …       no       -
       4  buffer  f32      1,024    4096  1.5, 2.5, 3.5, 4.5, …  yes      -
       5  value   i32          -       4  64                     -        -
(5 rows, modelled)
err: note: the last bits of v_exp_f32, v_mfma_f32_32x32x16_bf16, v_rcp_f32 may differ from a real device

! python3 -c "import array; out = array.array('f', open('out', 'rb').read()); print(list(out[:4]), out[1023])"
[1.5, 2.5, 3.5, 4.5] 32.5

$ capture verify attention
id                c1
path              attention
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ replay attention | grep -E "post_image|model|argument"
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI350X
region      base            size B  post_image  differing B  first_offset
argument 1  0x7f0000000000    2048  matched               -             -
argument 2  0x7f0000011000    4096  matched               -             -
argument 3  0x7f0000022000    4096  matched               -             -
argument 4  0x7f0000033000    4096  matched               -             -
(4 rows, modelled)
err: note: the last bits of v_exp_f32, v_mfma_f32_32x32x16_bf16, v_rcp_f32 may differ from a real device

# A transposing read, stopped at: lane 1 gets column 1 of four keys.
(rpl) break *0x1ac0
Breakpoint 1 at *0x1ac0

(rpl) kernel run attention.co --grid 64 --workgroup 64 --arg u8:zero:2048 --arg u8:zero:4096 --arg u8:@v --arg f32:nan:1024 --arg i32:64
Breakpoint 1
wave 0 of workgroup 0, lane 0, 157 wave-instructions so far
=> 0x1ac0 <+0x3c0>  ds_read_b64_tr_b16 v[62:63], v44
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v16[0] = 0x3f803f80 (1.00194); v17[0] = 0x3f803f80 (1.00194); v18[0] = 0x3f803f80 (1.00194); 38 more

(rpl) info lanes/4 v44
wave 0 of workgroup 0: 64 of 64 lanes are active (#), lane 0 is selected (*)
 0  *####### ######## ######## ########
32  ######## ######## ######## ########

lane  active  work_item  value           float
   0  yes     0x0x0      0x00000000          0
   1  yes     1x0x0      0x00000008  1.121e-44
   2  yes     2x0x0      0x00000010  2.242e-44
   3  yes     3x0x0      0x00000018  3.363e-44
(4 of 64 rows; --limit 0 shows all, modelled)

(rpl) stepi
wave 0 of workgroup 0, lane 0, 158 wave-instructions so far
=> 0x1ac8 <+0x3c8>  ds_read_b64_tr_b16 v[64:65], v44 offset:512
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v62[0] = 0x3f800000 (1); v63[0] = 0x40404000 (3.00391)

(rpl) info lanes/4 v62
wave 0 of workgroup 0: 64 of 64 lanes are active (#), lane 0 is selected (*)
 0  *####### ######## ######## ########
32  ######## ######## ######## ########

lane  active  work_item  value       float
   0  yes     0x0x0      0x3f800000      1
   1  yes     1x0x0      0x40003f80  2.004
   2  yes     2x0x0      0x40404000  3.004
   3  yes     3x0x0      0x40804040  4.008
(4 of 64 rows; --limit 0 shows all, modelled)

(rpl) delete

(rpl) continue
attention_bf16 ran to its end: 508 wave-instructions
  argument 1 u8 x 2048: 0, 0, 0, 0, …
  argument 2 u8 x 4096: 0, 0, 0, 0, …
  argument 3 u8 x 4096: 0, 0, 128, 63, …
  argument 4 f32 x 1024: 1.5, 2.5, 3.5, 4.5, …

$ occupancy --arch MI350X --vgpr 128 --sgpr 32 --lds 65536 --workgroup 256
on MI350X (gfx950)
8 of 32 waves on a CU: 2 workgroups of 256 work-items (4 waves of 64), 25.0 %

resource       asked  allocated  available  workgroups
wave slots         4          4         32           8
vgprs            128        128        512           4
lds            65536      66560     163840           2  limits
sgprs             32         32        800           8
barriers           1          1         16          16

to get more waves in:
  LDS 65536 -> 53760 gives 3 waves per SIMD instead of 2 (37.5 %)
  workgroup 256 -> 512 gives 4 waves per SIMD instead of 2 if its LDS does not grow (50.0 %)

$ info arch MI350X | grep -E "^(lds|peak_matrix)"
lds_bytes                 163840        bytes        file     gfx950.arch:15
lds_workgroup_bytes       163840        bytes        file     gfx950.arch:16
lds_granule               1280          bytes        file     gfx950.arch:17
lds_banks                 64            -            file     gfx950.arch:18
peak_matrix_f64_gflops    72090         GFLOP/s      formula  flops.ma..f64 * comput..
peak_matrix_f32_gflops    144179        GFLOP/s      formula  flops.ma..f32 * comput..
peak_matrix_f16_gflops    2306867       GFLOP/s      formula  flops.ma..f16 * comput..
peak_matrix_bf16_gflops   2306867       GFLOP/s      formula  flops.ma..bf16 * compu..
peak_matrix_f8_gflops     4613734       GFLOP/s      formula  flops.ma..f8 * compute..
peak_matrix_f6_gflops     9227469       GFLOP/s      formula  flops.ma..f6 * compute..
peak_matrix_f4_gflops     9227469       GFLOP/s      formula  flops.ma..f4 * compute..
peak_matrix_i8_gflops     4613734       GOP/s        formula  flops.ma..i8 * compute..
