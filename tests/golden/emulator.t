# The emulated device: what it counts, what it finds wrong with a kernel, a part of a grid.
# modelled
# example vcopy.co: hip/objects/vcopy.gfx942.co
# example concurrent.co: ../tests/engine/device/execute/kernels/objects/concurrent.gfx942.co
# example faulty.co: ../tests/engine/isa/kernels/objects/lines.gfx942.co
# example softmax: captures/softmax
(rpl) kernel run vcopy.co --grid 65536 --workgroup 256 --arg f64:iota:65536 --arg f64:zero:1 --arg f64:nan:65536 --arg i32:65536 --arg i32:1
object                o1
kernel                vecCopy
architecture          gfx942
grid                  65536x1x1
workgroup             256x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI300X
cycles                4,335 cycles
time                  2064 ns
time_low              1982 ns
time_high             3055 ns
time_class            launch
simulated_workgroups  1
workgroups            256
waves                 1,024
instructions          20,480
by_class              valu 6,144, salu 3,072, smem 4,096, vmem 2,048, branch 1,024, wait 3,072, other 1,024
lane_share            100.00 %
load                  512.0 KiB
store                 512.0 KiB
transactions          16,384
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

argument  kind    element   count  size KiB  first          changed  expected
       1  buffer  f64      65,536     512.0  0, 1, 2, 3, …  no       -
       2  buffer  f64           1       0.0  0              no       -
       3  buffer  f64      65,536     512.0  0, 1, 2, 3, …  yes      -
       4  value   i32           -       0.0  65536          -        -
       5  value   i32           -       0.0  1              -        -
(5 rows, modelled)

(rpl) kernel counters
kernel        vecCopy
run           o1
architecture  gfx942
waves         1,024
instructions  20,480

counter                               value  how       meaning
SQ_WAVES                              1,024  exact     waves
SQ_INSTS                             20,480  exact     all instructions, wait..he program among them
SQ_INSTS_VALU                         6,144  exact     vector ALU, matrix instructions among them
SQ_INSTS_VALU_INT32                   3,072  exact     of them on 32-bit integers
SQ_INSTS_VALU_INT64                   2,048  exact     of them on 64-bit integers
SQ_INSTS_VALU_CVT                         0  exact     of them conversions
SQ_INSTS_VALU_ADD_F16                     0  exact     of them in F16: additions
SQ_INSTS_VALU_MUL_F16                     0  exact     of them in F16: products
SQ_INSTS_VALU_FMA_F16                     0  exact     of them in F16: fused ..separate multiply-add
SQ_INSTS_VALU_TRANS_F16                   0  exact     of them in F16: transcendental
SQ_INSTS_VALU_ADD_F32                     0  exact     of them in F32: additions
SQ_INSTS_VALU_MUL_F32                     0  exact     of them in F32: products
SQ_INSTS_VALU_FMA_F32                     0  exact     of them in F32: fused ..separate multiply-add
SQ_INSTS_VALU_TRANS_F32                   0  exact     of them in F32: transcendental
SQ_INSTS_VALU_ADD_F64                     0  exact     of them in F64: additions
SQ_INSTS_VALU_MUL_F64                     0  exact     of them in F64: products
SQ_INSTS_VALU_FMA_F64                     0  exact     of them in F64: fused ..separate multiply-add
SQ_INSTS_VALU_TRANS_F64                   0  exact     of them in F64: transcendental
SQ_INSTS_MFMA                             0  exact     matrix instructions
SQ_INSTS_SALU                         3,072  exact     scalar ALU
SQ_INSTS_SMEM                         4,096  exact     scalar memory
SQ_INSTS_BRANCH                       1,024  exact     branches
SQ_INSTS_VMEM                         2,048  exact     vector memory
SQ_INSTS_VMEM_RD                      1,024  exact     of them loads
SQ_INSTS_VMEM_WR                      1,024  exact     of them stores
SQ_INSTS_FLAT                         2,048  exact     of them flat, global and scratch instructions
TA_FLAT_ATOMIC_WAVEFRONTS_sum             0  exact     of them atomics
SQ_INSTS_LDS                              0  exact     LDS instructions
SQ_INSTS_VALU_MFMA_MOPS_F16               0  exact     matrix operations in F16, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_BF16              0  exact     matrix operations in BF16, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F32               0  exact     matrix operations in F32, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F64               0  exact     matrix operations in F64, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_I8                0  exact     matrix operations in I8, in units of 512
SQ_INSTS_VALU_MFMA_MOPS_F8                0  exact     matrix operations in F8, in units of 512
SQ_THREAD_CYCLES_VALU               393,216  exact     active lanes over vector ALU instructions
SQ_LDS_BANK_CONFLICT                      0  modelled  extra LDS cycles because of bank conflicts
SQ_LDS_IDX_ACTIVE                         0  modelled  LDS cycles, conflicts among them
TCP_TCC_ATOMIC_WITH_RET_REQ_sum           0  exact     64-byte requests of at..s that return a value
TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum        0  exact     64-byte requests of other atomics
RPL_OPS_VALU_F16                          0  exact     f16 operations of acti..nts each of its parts
RPL_OPS_VALU_F32                          0  exact     f32 operations of acti..nts each of its parts
RPL_OPS_VALU_F64                          0  exact     f64 operations of acti..nts each of its parts
TCP_TCC_READ_REQ_sum                  4,096  modelled  requests of loads from..o the L2, a line each
TCP_TCC_WRITE_REQ_sum                 8,192  modelled  requests of stores to the L2, 64 bytes each
TCC_EA0_RDREQ_sum                     4,108  modelled  read requests of the L..emory, 128 bytes each
GRBM_GUI_ACTIVE                       4,335  modelled  cycles of the dispatch
SQ_WAVE_CYCLES                      419,072  modelled  lifetimes of all waves.. units of four cycles
SQ_WAIT_ANY                         320,768  modelled  of them at s_waitcnt, in units of four cycles
(48 rows, modelled)

(rpl) kernel counts
kernel        vecCopy
run           o1
architecture  gfx942
waves         1,024
instructions  20,480
by            mnemonic

place                 instruction  executed  share %  lane_share %  global KiB  transactions
s_waitcnt             wait            3,072    15.00        100.00         0.0             0
s_load_dword          smem            2,048    10.00        100.00         0.0             0
s_load_dwordx2        smem            2,048    10.00        100.00         0.0             0
v_lshl_add_u64        valu            2,048    10.00        100.00         0.0             0
s_and_b32             salu            1,024     5.00        100.00         0.0             0
s_mul_i32             salu            1,024     5.00        100.00         0.0             0
v_add_u32             valu            1,024     5.00        100.00         0.0             0
v_cmp_gt_i32          valu            1,024     5.00        100.00         0.0             0
s_and_saveexec_b64    salu            1,024     5.00        100.00         0.0             0
s_cbranch_execz       branch          1,024     5.00        100.00         0.0             0
v_ashrrev_i32         valu            1,024     5.00        100.00         0.0             0
v_lshlrev_b64         valu            1,024     5.00        100.00         0.0             0
global_load_dwordx2   vmem            1,024     5.00        100.00       512.0         8,192
global_store_dwordx2  vmem            1,024     5.00        100.00       512.0         8,192
s_endpgm              other           1,024     5.00        100.00         0.0             0
(15 rows; no room for lds_conflicts, stall_caused, fidelity: /v, modelled)

(rpl) kernel counts --by pc
kernel        vecCopy
run           o1
architecture  gfx942
waves         1,024
instructions  20,480
by            pc

place   instruction                               executed  share %  lane_share %  global KiB
0x1900  s_load_dword s3, s[0:1], 0x2c                1,024     5.00        100.00         0.0
0x1908  s_load_dword s4, s[0:1], 0x18                1,024     5.00        100.00         0.0
0x1910  s_waitcnt lgkmcnt(0)                         1,024     5.00        100.00         0.0
0x1914  s_and_b32 s3, s3, 0xffff                     1,024     5.00        100.00         0.0
0x191c  s_mul_i32 s2, s2, s3                         1,024     5.00        100.00         0.0
0x1920  v_add_u32_e32 v0, s2, v0                     1,024     5.00        100.00         0.0
0x1924  v_cmp_gt_i32_e32 vcc, s4, v0                 1,024     5.00        100.00         0.0
0x1928  s_and_saveexec_b64 s[2:3], vcc               1,024     5.00        100.00         0.0
0x192c  s_cbranch_execz 17                           1,024     5.00        100.00         0.0
0x1930  s_load_dwordx2 s[2:3], s[0:1], 0x0           1,024     5.00        100.00         0.0
0x1938  s_load_dwordx2 s[4:5], s[0:1], 0x10          1,024     5.00        100.00         0.0
0x1940  v_ashrrev_i32_e32 v1, 31, v0                 1,024     5.00        100.00         0.0
0x1944  v_lshlrev_b64 v[0:1], 3, v[0:1]              1,024     5.00        100.00         0.0
0x194c  s_waitcnt lgkmcnt(0)                         1,024     5.00        100.00         0.0
0x1950  v_lshl_add_u64 v[2:3], s[2:3], 0, v[0:1]     1,024     5.00        100.00         0.0
0x1958  global_load_dwordx2 v[2:3], v[2:3], off      1,024     5.00        100.00       512.0
0x1960  v_lshl_add_u64 v[0:1], s[4:5], 0, v[0:1]     1,024     5.00        100.00         0.0
0x1968  s_waitcnt vmcnt(0)                           1,024     5.00        100.00         0.0
0x196c  global_store_dwordx2 v[0:1], v[2:3], off     1,024     5.00        100.00       512.0
0x1974  s_endpgm                                     1,024     5.00        100.00         0.0
(20 rows; no room for transactions, lds_conflicts, stall_caused, fidelity: /v, modelled)

(rpl) kernel caches
kernel        vecCopy
run           o1
architecture  gfx942
waves         1,024
instructions  20,480
by            mnemonic
how           rpl-cycle/0.5 MI300X
lines         12,288
l1_lines      3,840
l2_lines      244
memory_lines  8,204

place                 instruction  lines  l1_lines  l2_lines  memory_lines  l1_share %  global KiB
global_load_dwordx2   vmem         4,096         0         0         4,096        0.00       512.0
global_store_dwordx2  vmem         4,096         0         0         4,096        0.00       512.0
s_load_dword          smem         2,048     1,792       244            12       87.50         0.0
s_load_dwordx2        smem         2,048     2,048         0             0      100.00         0.0
(4 rows; no room for executed: /v, modelled)

(rpl) kernel caches --by pc
kernel        vecCopy
run           o1
architecture  gfx942
waves         1,024
instructions  20,480
by            pc
how           rpl-cycle/0.5 MI300X
lines         12,288
l1_lines      3,840
l2_lines      244
memory_lines  8,204

place   instruction           lines  l1_lines  l2_lines  memory_lines  l1_share %  global KiB
0x1900  s_load_dword          1,024       768       244            12       75.00         0.0
0x1908  s_load_dword          1,024     1,024         0             0      100.00         0.0
0x1930  s_load_dwordx2        1,024     1,024         0             0      100.00         0.0
0x1938  s_load_dwordx2        1,024     1,024         0             0      100.00         0.0
0x1958  global_load_dwordx2   4,096         0         0         4,096        0.00       512.0
0x196c  global_store_dwordx2  4,096         0         0         4,096        0.00       512.0
(6 rows; no room for executed: /v, modelled)

(rpl) kernel counts --by line
err: error: the code object has no line table; build with -gline-tables-only, which leaves the code as it is

(rpl) kernel run vcopy.co --grid 65536 --workgroup 256 --arg f64:iota:65536 --arg f64:zero:1 --arg f64:nan:65536 --arg i32:65536 --arg i32:1 --max-waves 40
object                o1
kernel                vecCopy
architecture          gfx942
grid                  65536x1x1
workgroup             256x1x1
dynamic_lds           0 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            10
waves                 40
instructions          800
by_class              valu 240, salu 120, smem 160, vmem 80, branch 40, wait 120, other 40
lane_share            100.00 %
load                  20.0 KiB
store                 20.0 KiB
transactions          640
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

argument  kind    element   count  size KiB  first          changed  expected
       1  buffer  f64      65,536     512.0  0, 1, 2, 3, …  no       -
       2  buffer  f64           1       0.0  0              no       -
       3  buffer  f64      65,536     512.0  0, 1, 2, 3, …  yes      -
       4  value   i32           -       0.0  65536          -        -
       5  value   i32           -       0.0  1              -        -
(5 rows, modelled)
err: note: sampled: 10 of 256 workgroups ran, evenly spread; buffers and counts are of these alone

(rpl) kernel counters | tail -4
RPL_OPS_VALU_F16                         0  exact     f16 operations of active lanes on the vector ALU; a packed one counts each of its parts
RPL_OPS_VALU_F32                         0  exact     f32 operations of active lanes on the vector ALU; a packed one counts each of its parts
RPL_OPS_VALU_F64                         0  exact     f64 operations of active lanes on the vector ALU; a packed one counts each of its parts
(42 rows, modelled)
err: note: without the cycle model there are no counters of the caches
err: note: sampled: 10 of 256 workgroups ran, evenly spread; buffers and counts are of these alone

(rpl) kernel run vcopy.co --grid 64 --workgroup 64 --arg f64:one:64 --arg f64:one:1 --arg f64:one:64 --arg i32:64 --arg i32:1 --functional
object                o1
kernel                vecCopy
architecture          gfx942
grid                  64x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            1
waves                 1
instructions          20
by_class              -
lane_share            -
load                  -
store                 -
transactions          -
lds_accesses          -
lds_conflicts         -
atomics               -

argument  kind    element  count  size B  first          changed  expected
       1  buffer  f64         64     512  1, 1, 1, 1, …  no       -
       2  buffer  f64          1       8  1              no       -
       3  buffer  f64         64     512  1, 1, 1, 1, …  no       -
       4  value   i32          -       4  64             -        -
       5  value   i32          -       4  1              -        -
(5 rows, modelled)

(rpl) kernel counts
err: error: the last run was functional and kept no counts; run it again with --counted or --modelled

# A missing barrier.
(rpl) kernel run concurrent.co reversed --grid 1024 --workgroup 256 --arg f32:random:1024 --arg f32:zero:1024 --arg i32:0 --races
object                o1
kernel                reversed
architecture          gfx942
grid                  1024x1x1
workgroup             256x1x1
dynamic_lds           0 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            4
waves                 16
instructions          288
by_class              valu 96, salu 16, smem 32, vmem 32, lds 32, branch 16, wait 48, other 16
lane_share            100.00 %
load                  4096 B
store                 4096 B
transactions          128
lds_accesses          32
lds_conflicts         0 cycles
atomics               0
races                 1

argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  f32      1,024    4096  -0.86687684, -0.508..92, 0.8887184, …    no       -
       2  buffer  f32      1,024    4096  0, 0, 0, 0, …                            yes      -
       3  value   i32          -       4  0                                        -        -
(3 rows, modelled)
err: note: race: wave 2 writes LDS byte 512 at 0x2f3c (concurrent.hip:7:21 in reversed), which wave 1 read at 0x2f54 (concurrent.hip:9:41 in reversed) with no barrier between

(rpl) kernel run concurrent.co reversed --grid 1024 --workgroup 256 --arg f32:random:1024 --arg f32:zero:1024 --arg i32:1 --races
object                o1
kernel                reversed
architecture          gfx942
grid                  1024x1x1
workgroup             256x1x1
dynamic_lds           0 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            4
waves                 16
instructions          320
by_class              valu 96, salu 16, smem 32, vmem 32, lds 32, branch 16, wait 64, barrier 16, other 16
lane_share            100.00 %
load                  4096 B
store                 4096 B
transactions          128
lds_accesses          32
lds_conflicts         0 cycles
atomics               0
races                 0

argument  kind    element  count  size B  first                                    changed  expected
       1  buffer  f32      1,024    4096  -0.86687684, -0.508..92, 0.8887184, …    no       -
       2  buffer  f32      1,024    4096  0.25449365, -0.3001..4, 0.41189426, …    yes      -
       3  value   i32          -       4  1                                        -        -
(3 rows, modelled)

(rpl) kernel counts
kernel        reversed
run           o1
architecture  gfx942
waves         16
instructions  320
by            line

place                     instruction           executed  share %  lane_share %  global B
concurrent.hip:7          reversed                   128    40.00        100.00      4096
concurrent.hip:9          reversed                    80    25.00        100.00      4096
amd_hip_runtime.h:263     operator()                  32    10.00        100.00         0
concurrent.hip:8          reversed                    32    10.00        100.00         0
amd_device_..tions.h:890  __work_group_barrier        16     5.00        100.00         0
amd_device_..tions.h:891  __work_group_barrier        16     5.00        100.00         0
concurrent.hip:10         reversed                    16     5.00        100.00         0
(7 rows; no room for transactions, lds_conflicts, stall_caused, fidelity: /v, modelled)

(rpl) kernel caches
kernel        reversed
run           o1
architecture  gfx942
waves         16
instructions  320
by            line
how           counted, without times
lines         96
l1_lines      28
l2_lines      0
memory_lines  68

place                  instruction  lines  l1_lines  l2_lines  memory_lines  l1_share %  global B
concurrent.hip:7       reversed        32         0         0            32        0.00      4096
concurrent.hip:9       reversed        32         0         0            32        0.00      4096
amd_hip_runtime.h:263  operator()      32        28         0             4       87.50         0
(3 rows; no room for executed: /v, modelled)

(rpl) kernel counts softmax --by mnemonic | head -12
kernel        softmax
run           c1
architecture  gfx942
waves         2
instructions  7,506
by            mnemonic

place               instruction     executed  share %  lane_share %  global KiB  transactions  lds_conflicts  stall_caused  fidelity
v_lshl_add_u64      valu                 518     6.90        100.00         0.0             0              0             0  exact
s_waitcnt           wait                 512     6.82        100.00         0.0             0              0           504  exact
v_sub_f32           valu                 512     6.82        100.00         0.0             0              0             0  exact
s_nop               other                512     6.82        100.00         0.0             0              0         3,072  exact
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

# A deadlock, a loop that only repeats itself, a loop that goes on, a write past the end.
$ kernel run concurrent.co lock_order --grid 128 --workgroup 128 --arg i32:zero:3 --arg i32:zero:2 --functional
err: error: lock_order: never ends: wave 0 of workgroup 0 at 0x34d8 (concurrent.hip:60:3 in lock_order), s_or_b64 s[0:1], vcc, s[0:1]: the wave repeats itself, and no wave is left that could change what it reads; 1 more repeat themselves; look at the loop around this place: what should end it?
? 5

$ kernel run concurrent.co waits_for_nobody --grid 64 --workgroup 64 --arg i32:zero:1 --arg i32:zero:64 --counted
err: error: waits_for_nobody: never ends: wave 0 of workgroup 0 at 0x3520 (concurrent.hip:66:3 in waits_for_nobody), s_cbranch_vccnz 65530: the wave repeats itself, and no wave is left that could change what it reads; look at the loop around this place: what should end it?
? 5

$ kernel run concurrent.co counts_on --grid 1 --workgroup 1 --arg u32:zero:1 --counted --budget 1000000 --threads 1
err: error: counts_on: stopped after 1000000 wave-instructions, 0 of 1 workgroups done; wave 0 of workgroup 0 at 0x3614 (concurrent.hip:73:30 in counts_on), v_mov_b32_e32 v1, s2; raise the limit, or look for a loop that does not end
? 1

$ kernel run faulty.co --grid 1024 --workgroup 256 --arg f32:one:997 --arg f32:nan:900 --arg i32:1000
err: error: evaluate: wave 2 of workgroup 3 at 0x1978 (lines.hip:16:10 in evaluate), global_store_dword v[0:1], v2, off: lane 4 writes 4 bytes at 0x7f0000011e10: 0 bytes past the end of argument 2 (3600 bytes at 0x7f0000011000); with --debug it stays stopped there; 'build SOURCE --device-only -g' records lines and variables
? 5

# As many work-items as an index has.
! rpl kernel run vcopy.co --grid 4294967295 --workgroup 256 --arg f64:one:64 --arg f64:one:1 --arg f64:one:64 --arg i32:0 --arg i32:1 --counted --max-waves 4 --json | grep -o 'of [0-9]* workgroups'
of 16777216 workgroups

# What does not go together.
$ kernel run vcopy.co --grid 64 --workgroup 64 --arg f64:one:64 --arg f64:one:1 --arg f64:one:64 --arg i32:64 --arg i32:1 --modelled --races
err: error: --max-waves and --races are not for the cycle model; use --counted
? 2

$ kernel run vcopy.co --grid 64 --workgroup 64 --arg f64:one:64 --arg f64:one:1 --arg f64:one:64 --arg i32:64 --arg i32:1 --max-waves 1 --capture c
err: error: --max-waves leaves most of the results out: it does not go with --capture or --expect; leave one or the other out
? 2
