# The whole job on three kernels for gfx950, products of 8-bit and of 4-bit floats and attention with transposing reads of LDS: profiled, explained, captured, replayed and debugged.
# modelled
# example fp8.co: hip/gfx950/objects/matmul_fp8.gfx950.co
# example fp4.co: hip/gfx950/objects/matmul_fp4.gfx950.co
# example attention.co: hip/gfx950/objects/attention_causal.gfx950.co
# Codes of numbers that are not NaN in either format, and scales of a half, 1 and 2.
! python3 -c "open('numbers', 'wb').write(bytes(i * 40503 // 64 % 96 for i in range(524288))); open('scales', 'wb').write(bytes(126 + i % 3 for i in range(16384)))"

(rpl) kernel run fp8.co --grid 2048,32 --workgroup 64 --arg u8:@numbers --arg u8:@scales --arg u8:@numbers --arg u8:@scales --arg f32:nan:1048576 --arg i32:1024 --arg i32:512 --capture fp8
object                o1
kernel                matmul_fp8
architecture          gfx950
grid                  2048x32x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI350X
cycles                11,724 cycles
time                  5329 ns
time_low              2611 ns
time_high             6875 ns
time_class            l2
simulated_workgroups  4
workgroups            1,024
waves                 1,024
instructions          353,280
by_class              valu 146,432, matrix 8,192, salu 67,584, smem 2,048, vmem 65,536, lds 32,768, branch 11,264, wait 17,408, other 2,048
lane_share            100.00 %
load                  33.0 MiB
store                 4096.0 KiB
transactions          1,245,184
lds_accesses          32,768
lds_conflicts         0 cycles
atomics               0
capture               c1
capture_path          fp8

argument  kind    element      count  size KiB  first                              changed  expected
       1  buffer  u8         524,288     512.0  0, 56, 17, 74, …                   no       -
       2  buffer  u8          16,384      16.0  126, 127, 128, 126, …              no       -
       3  buffer  u8         524,288     512.0  0, 56, 17, 74, …                   no       -
       4  buffer  u8          16,384      16.0  126, 127, 128, 126, …              no       -
       5  buffer  f32      1,048,576    4096.0  54591.07, 4584.0.. 6919.4883, …    yes      -
       6  value   i32              -       0.0  1024                               -        -
       7  value   i32              -       0.0  512                                -        -
(7 rows, modelled)
err: note: the last bits of v_mfma_scale_f32_32x32x64_f8f6f4 may differ from a real device

(rpl) classify run
run matmul_fp8, modelled
memory-bandwidth bound, confidence high (0.90)

1   narrow-loads                 0 to 14 %    global_load_ubyte v19, v[34:35], off
    a wave loads one line piece by piece
    -> load 16 bytes at once at global_load_ubyte v19: float4, or an unrolled loop over aligned data
2   redundant-loads              0 to 8 %     global_load_lds_dwordx4 v[28:29], off
    a wave loads again what it had loaded before
    -> keep what global_load_lds_dwordx4 v[28:29] loads in a register or in LDS, and load it once
3   bandwidth-used-up            not priced   
    a bandwidth is used up by bytes that are needed
    0.0326 of the bandwidth of device memory, modelled
    0.216 of the bandwidth of the Infinity Cache, modelled
    0.645 of the bandwidth of the L2, modelled
    -> move fewer bytes: fuse kernels, use a smaller type

(rpl) advise run
 1  run matmul_fp8: memory-bandwidth bound
      narrow-loads, 0 to 14 % of its time: global_load_ubyte v19, v[34:35], off: load 16 bytes at once at global_load_ubyte v19: float4, or an unrolled loop over aligned data
      > findings run
      gains the trace 0.0 % to at most 14.2 %
 2  run matmul_fp8: memory-bandwidth bound
      redundant-loads, 0 to 8 % of its time: global_load_lds_dwordx4 v[28:29], off: keep what global_load_lds_dwordx4 v[28:29] loads in a register or in LDS, and load it once
      > findings run
      gains the trace 0.0 % to at most 7.6 %
 3  run matmul_fp8: memory-bandwidth bound
      bandwidth-used-up: move fewer bytes: fuse kernels, use a smaller type
      > findings run

(rpl) kernel counts
kernel        matmul_fp8
run           o1
architecture  gfx950
waves         1,024
instructions  353,280
by            mnemonic

place                     instruction  executed  share %  lane_share %  global MiB  transactions
v_lshl_add_u64            valu           69,632    19.71        100.00         0.0             0
global_load_lds_dwordx4   vmem           32,768     9.28        100.00        32.0     1,048,576
ds_read_b128              lds            32,768     9.28        100.00         0.0             0
s_movk_i32                salu           24,576     6.96        100.00         0.0             0
v_add_u32                 valu           23,552     6.67        100.00         0.0             0
v_ashrrev_i32             valu           22,528     6.38        100.00         0.0             0
s_waitcnt                 wait           17,408     4.93        100.00         0.0             0
v_mov_b32                 valu           17,408     4.93        100.00         0.0             0
global_load_ubyte         vmem           16,384     4.64        100.00         1.0       131,072
global_store_dword        vmem           16,384     4.64        100.00         4.0        65,536
s_cbranch_scc1            branch          9,216     2.61        100.00         0.0             0
s_mov_b32                 salu            8,192     2.32        100.00         0.0             0
s_add_u32                 salu            8,192     2.32        100.00         0.0             0
s_addc_u32                salu            8,192     2.32        100.00         0.0             0
s_cmp_lt_i32              salu            8,192     2.32        100.00         0.0             0
v_mfma_scal..2x64_f8f6f4  matrix          8,192     2.32        100.00         0.0             0
s_lshl_b32                salu            3,072     0.87        100.00         0.0             0
v_mul_lo_u32              valu            3,072     0.87        100.00         0.0             0
v_and_b32                 valu            2,048     0.58        100.00         0.0             0
s_mov_b64                 salu            2,048     0.58        100.00         0.0             0
v_lshrrev_b32             valu            2,048     0.58        100.00         0.0             0
v_mad_u64_u32             valu            2,048     0.58        100.00         0.0             0
s_load_dwordx4            smem            1,024     0.29        100.00         0.0             0
s_load_dwordx8            smem            1,024     0.29        100.00         0.0             0
s_cmp_gt_i32              salu            1,024     0.29        100.00         0.0             0
s_andn2_b64               salu            1,024     0.29        100.00         0.0             0
s_cbranch_vccnz           branch          1,024     0.29        100.00         0.0             0
v_or_b32                  valu            1,024     0.29        100.00         0.0             0
v_lshlrev_b32             valu            1,024     0.29        100.00         0.0             0
s_lshr_b32                salu            1,024     0.29        100.00         0.0             0
s_branch                  branch          1,024     0.29        100.00         0.0             0
v_lshl_add_u32            valu            1,024     0.29        100.00         0.0             0
s_ashr_i32                salu            1,024     0.29        100.00         0.0             0
s_lshl_b64                salu            1,024     0.29        100.00         0.0             0
s_nop                     other           1,024     0.29        100.00         0.0             0
v_add3_u32                valu            1,024     0.29        100.00         0.0             0
s_endpgm                  other           1,024     0.29        100.00         0.0             0
(37 rows; no room for lds_conflicts, stall_caused, fidelity: /v, modelled)
err: note: the last bits of v_mfma_scale_f32_32x32x64_f8f6f4 may differ from a real device

$ capture verify fp8 | grep -E "post_image|null_kernel|copy_kernel"
post_image        matched
null_kernel       fails
copy_kernel       fails

$ replay fp8 | grep -E "^(post_image|cycles)"
post_image            matched
cycles                11,724 cycles
err: note: the last bits of v_mfma_scale_f32_32x32x64_f8f6f4 may differ from a real device

# Before the first product: what a lane has of a, b and their scales.
(rpl) break *0x18a4
Breakpoint 1 at *0x18a4

(rpl) replay fp8
Breakpoint 1
wave 0 of workgroup 0, lane 0, 76 wave-instructions so far
=> 0x18a4 <+0x1a4>  v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[28:35], v[36:43], v[0:15], v19, v21 op_sel_hi:[0,0,0]
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v16[0] = 0x00000000; v17[0] = 0x00000000; v18[0] = 0x00000002; 29 more

(rpl) print/x $v28
$2 = 0x4a113800

(rpl) print/x $v19
$3 = 0x7e

(rpl) stepi
wave 0 of workgroup 0, lane 0, 77 wave-instructions so far
=> 0x18b4 <+0x1b4>  s_cbranch_scc1 65486
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x4529371d (2707.44); v1[0] = 0x442fd7b8 (703.371); v2[0] = 0x42aa33b8 (85.101); v3[0] = 0x43ab9bf3 (343.218); 12 more

(rpl) print $v0
$4 = 1160328989

(rpl) delete

(rpl) continue
matmul_fp8 ran to its end: 353280 wave-instructions
  argument 1 u8 x 524288: 0, 56, 17, 74, …
  argument 2 u8 x 16384: 126, 127, 128, 126, …
  argument 3 u8 x 524288: 0, 56, 17, 74, …
  argument 4 u8 x 16384: 126, 127, 128, 126, …
  argument 5 f32 x 1048576: 54591.07, 4584.024, 1152.7852, 6919.4883, …
post image matched

(rpl) kernel run fp4.co matmul_fp4 --grid 4096,64 --workgroup 64 --arg u8:@numbers --arg u8:@scales --arg u8:@numbers --arg u8:@scales --arg f32:nan:1048576 --arg i32:1024 --arg i32:512 --capture fp4
object                o1
kernel                matmul_fp4
architecture          gfx950
grid                  4096x64x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI350X
cycles                7,170 cycles
time                  3259 ns
time_low              1597 ns
time_high             4204 ns
time_class            l2
simulated_workgroups  16
workgroups            4,096
waves                 4,096
instructions          684,032
by_class              valu 475,136, matrix 16,384, salu 57,344, smem 8,192, vmem 81,920, branch 20,480, wait 20,480, other 4,096
lane_share            100.00 %
load                  34.0 MiB
store                 4096.0 KiB
transactions          720,896
lds_accesses          0
lds_conflicts         0 cycles
atomics               0
capture               c2
capture_path          fp4

argument  kind    element      count  size KiB  first                              changed  expected
       1  buffer  u8         524,288     512.0  0, 56, 17, 74, …                   no       -
       2  buffer  u8          16,384      16.0  126, 127, 128, 126, …              no       -
       3  buffer  u8         524,288     512.0  0, 56, 17, 74, …                   no       -
       4  buffer  u8          16,384      16.0  126, 127, 128, 126, …              no       -
       5  buffer  f32      1,048,576    4096.0  4859.125, 408.87..5, 881.875, …    yes      -
       6  value   i32              -       0.0  1024                               -        -
       7  value   i32              -       0.0  512                                -        -
(7 rows, modelled)
err: note: the last bits of v_mfma_scale_f32_16x16x128_f8f6f4 may differ from a real device

(rpl) classify run
run matmul_fp4, modelled
under-occupied, confidence high (0.90)

1   small-workgroups             0 to 13 %    
    so many small workgroups that handing them out takes longer than they do
    4,096 workgroups
    1 waves of a workgroup
    -> use workgroups of 256 work-items, or let each of them do more
2   redundant-loads              0 to 5 %     global_load_dwordx4 v[18:21], v[10:11], off
    a wave loads again what it had loaded before
    -> keep what global_load_dwordx4 v[18:21] loads in a register or in LDS, and load it once
3   misaligned-access            0 to 2 %     global_load_ubyte v7, v[10:11], off
    accesses begin beside the boundaries of lines, and each touches a line more
    96 accesses of the waves that were followed touch a line more than they fill
    320 loads and stores of these waves
    -> have the first work-item of a wave begin at the boundary of a line at global_load_ubyte v7:
    align rows, or shift the indices

(rpl) advise run
 1  run matmul_fp4: under-occupied
      small-workgroups, 0 to 13 % of its time: use workgroups of 256 work-items, or let each of them do more
      > findings run
      gains the trace 0.0 % to at most 13.0 %
 2  run matmul_fp4: under-occupied
      redundant-loads, 0 to 5 % of its time: global_load_dwordx4 v[18:21], v[10:11], off: keep what global_load_dwordx4 v[18:21] loads in a register or in LDS, and load it once
      > findings run
      gains the trace 0.0 % to at most 5.1 %
 3  run matmul_fp4: under-occupied
      misaligned-access, 0 to 2 % of its time: global_load_ubyte v7, v[10:11], off: have the first work-item of a wave begin at the boundary of a line at global_load_ubyte v7: align rows, or shift the indices
      > findings run
      gains the trace 0.0 % to at most 2.0 %

$ capture verify fp4 | grep -E "post_image|null_kernel|copy_kernel"
post_image        matched
null_kernel       fails
copy_kernel       fails

$ replay fp4 | grep -E "^(post_image|cycles)"
post_image            matched
cycles                7,170 cycles
err: note: the last bits of v_mfma_scale_f32_16x16x128_f8f6f4 may differ from a real device

(rpl) break *0x211c
Breakpoint 1 at *0x211c

(rpl) replay fp4
Breakpoint 1
wave 0 of workgroup 0, lane 0, 50 wave-instructions so far
=> 0x211c <+0x11c>  v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[18:21], v[22:25], v[0:3], v7, v9 op_sel_hi:[0,0,0] cbsz:4 blgp:4
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v4[0] = 0x00000000; v5[0] = 0x00000000; v6[0] = 0x00000000; 19 more

(rpl) stepi
wave 0 of workgroup 0, lane 0, 51 wave-instructions so far
=> 0x212c <+0x12c>  s_cbranch_scc0 65492
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x44863800 (1073.75); v1[0] = 0x42c78000 (99.75); v2[0] = 0xc3e22000 (-452.25); v3[0] = 0x431b5000 (155.312)

(rpl) delete

(rpl) continue
matmul_fp4 ran to its end: 684032 wave-instructions
  argument 1 u8 x 524288: 0, 56, 17, 74, …
  argument 2 u8 x 16384: 126, 127, 128, 126, …
  argument 3 u8 x 524288: 0, 56, 17, 74, …
  argument 4 u8 x 16384: 126, 127, 128, 126, …
  argument 5 f32 x 1048576: 4859.125, 408.875, -2035.625, 881.875, …
post image matched

(rpl) kernel run attention.co --grid 256,64 --workgroup 256 --arg bf16:random(1):1048576 --arg bf16:random(2):3145728 --arg bf16:random(3):3145728 --arg bf16:nan:1048576 --arg i32:128 --arg i32:256 --arg i32:64 --capture attention
object                o1
kernel                attention_causal
architecture          gfx950
grid                  256x64x1
workgroup             256x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI350X
cycles                49,601 cycles
time                  22.546 us
time_low              21.193 us
time_high             25.026 us
time_class            compute
simulated_workgroups  1
workgroups            64
waves                 256
instructions          1,211,904
by_class              valu 837,632, transcendental 52,736, matrix 49,152, salu 24,576, smem 512, vmem 18,432, lds 86,016, branch 9,728, wait 52,992, barrier 6,144, other 73,984
lane_share            100.00 %
load                  14336.0 KiB
store                 2048.0 KiB
transactions          393,216
lds_accesses          86,016
lds_conflicts         196,608 cycles
atomics               0
capture               c2
capture_path          attention

argument  kind    element      count  size KiB  first                              changed  expected
       1  buffer  bf16     1,048,576    2048.0  -0.8671875, -0.5.., 0.890625, …    no       -
       2  buffer  bf16     3,145,728    6144.0  -0.81640625, -0..., -0.46875, …    no       -
       3  buffer  bf16     3,145,728    6144.0  0.2265625, -0.59..0.14550781, …    no       -
       4  buffer  bf16     1,048,576    2048.0  -0.044677734, 0...0063476562, …    yes      -
       5  value   i32              -       0.0  128                                -        -
       6  value   i32              -       0.0  256                                -        -
       7  value   i32              -       0.0  64                                 -        -
(7 rows, modelled)
err: note: the last bits of v_exp_f32, v_mfma_f32_32x32x16_bf16, v_rcp_f32, v_rcp_iflag_f32 may differ from a real device

(rpl) classify run
run attention_causal, modelled
under-occupied, confidence high (0.90)

1   small-grid                   64 to 80 %   
    the grid leaves most of the device without work
    256 waves
    1,024 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
2   uncoalesced-store            5 to 21 %    global_store_dwordx2 v[64:65], v[48:49], off
    neighbouring lanes store to different lines
    8 times as many lines as the bytes of its stores fill
    -> have neighbouring work-items of global_store_dwordx2 v[64:65] store neighbouring elements:
    swap the indices, or collect the results in LDS first
3   compute-used-up              not priced   
    the arithmetic units are busy with what must be computed
    -> compute less, in a smaller type, or on the matrix units

(rpl) advise run
 1  run attention_causal: under-occupied
      small-grid, 64 to 80 % of its time: launch more waves: divide the work of the kernel among more work-items
      > findings run
      gains the trace 64.0 % to at most 80.0 %
 2  run attention_causal: under-occupied
      uncoalesced-store, 5 to 21 % of its time: global_store_dwordx2 v[64:65], v[48:49], off: have neighbouring work-items of global_store_dwordx2 v[64:65] store neighbouring elements: swap the indices, or collect the results in LDS first
      > findings run
      gains the trace 5.3 % to at most 21.3 %
 3  run attention_causal: under-occupied
      compute-used-up: compute less, in a smaller type, or on the matrix units
      > findings run

$ capture verify attention | grep -E "post_image|null_kernel|copy_kernel"
post_image        matched
null_kernel       fails
copy_kernel       fails

$ replay attention | grep -E "^(post_image|cycles)"
post_image            matched
cycles                49,601 cycles
err: note: the last bits of v_exp_f32, v_mfma_f32_32x32x16_bf16, v_rcp_f32, v_rcp_iflag_f32 may differ from a real device

(rpl) break *0x1a50
Breakpoint 1 at *0x1a50

(rpl) replay attention
Breakpoint 1
wave 0 of workgroup 0, lane 0, 724 wave-instructions so far
=> 0x1a50 <+0x350>  ds_read_b64_tr_b16 v[154:155], v87
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v0[0] = 0x00000000; v64[0] = 0x00823000; v65[0] = 0x00007f00; v66[0] = 0x00213000; 73 more

(rpl) stepi
wave 0 of workgroup 0, lane 0, 725 wave-instructions so far
=> 0x1a58 <+0x358>  ds_read_b64_tr_b16 v[156:157], v87 offset:2176
exec 0xffffffffffffffff, 64 of 64 lanes
changed: v154[0] = 0x3f7a3e68 (0.977515); v155[0] = 0xbf78be9a (-0.971658)

(rpl) info lanes/4 v154
wave 0 of workgroup 0: 64 of 64 lanes are active (#), lane 0 is selected (*)
 0  *####### ######## ######## ########
32  ######## ######## ######## ########

lane  active  work_item  value         float
   0  yes     0x0x0      0x3f7a3e68   0.9775
   1  yes     1x0x0      0xbf33bf19  -0.7021
   2  yes     2x0x0      0xbf75bf46  -0.9599
   3  yes     3x0x0      0xbe853e15  -0.2602
(4 of 64 rows; --limit 0 shows all, modelled)

(rpl) delete

(rpl) continue
attention_causal ran to its end: 1211904 wave-instructions
  argument 1 bf16 x 1048576: -0.8671875, -0.5078125, -0.05810547, 0.890625, …
  argument 2 bf16 x 3145728: -0.81640625, -0.5, -0.80859375, -0.46875, …
  argument 3 bf16 x 3145728: 0.2265625, -0.59765625, -0.7734375, 0.14550781, …
  argument 4 bf16 x 1048576: -0.044677734, 0.057373047, -0.0031433105, -0.0063476562, …
post image matched
