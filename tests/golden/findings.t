# Why kernels take their time: causes with their places, what they are worth, and a gate.
# modelled
# needs example: rpl-hip-example
# example transpose.co: hip/objects/transpose_unpadded.gfx942.co
# example frozen: captures/softmax
# example normalize.co: hip/objects/normalize.gfx942.co
# example normalize.hip: hip/normalize.hip
$ findings
err: error: no kernel has run on the emulated device yet, and no capture is open; kernel run OBJECT --grid … --workgroup … --arg …, or name a capture
? 1

$ kernel run /q transpose.co transpose_unpadded --grid 2048,512 --workgroup 32,8 --arg f32:iota:4194304 --arg f32:zero:4194304 --arg i32:2048 --arg i32:2048
11193.333333333334

$ findings frozen
1   uncoalesced-store            50 to 66 %   global_store_dword v[2:3], v7, off
    neighbouring lanes store to different lines
    32 times as many lines as the bytes of its stores fill
    -> have neighbouring work-items of global_store_dword v[2:3] store neighbouring elements: swap
    the indices, or collect the results in LDS first
2   small-grid                   93 to 100 %  
    the grid leaves most of the device without work
    2 waves
    1,216 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
3   redundant-loads              0 to 2 %     global_load_dword v9, v[4:5], off
    a wave loads again what it had loaded before
    -> keep what global_load_dword v9 loads in a register or in LDS, and load it once
4   narrow-loads                 0 to 2 %     global_load_dword v9, v[4:5], off
    a wave loads one line piece by piece
    -> load 16 bytes at once at global_load_dword v9: float4, or an unrolled loop over aligned data
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

$ -batch -ex 'kernel run /q transpose.co transpose_unpadded --grid 2048,512 --workgroup 32,8 --arg f32:iota:4194304 --arg f32:zero:4194304 --arg i32:2048 --arg i32:2048' -ex findings -ex 'findings run --json' -ex 'classify run' -ex 'headroom run' -ex 'advise run'
11193.333333333334
1   lds-bank-conflicts           12 to 28 %   ds_read_b32 v3, v3
    lanes of an LDS access meet in a bank
    4,063,232 LDS cycles lost to conflicts
    131,072 LDS accesses
    -> pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
{
  "schema": "rpl.findings/1",
  "rows": [
    {"id": "run", "kernel": "transpose_unpadded", "cause": "lds-bank-conflicts", "worth_low": 0.11850250999744745, "worth_high": 0.27850250999744747, "where": "ds_read_b32 v3, v3", "says": "lanes of an LDS access meet in a bank", "remedy": "pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns", "assumes": "no lanes of an LDS access meet in a bank", "places": [{"source": "", "instruction": "ds_read_b32 v3, v3", "address": 6284, "share": 0.25}, {"source": "", "instruction": "ds_read_b32 v5, v5 offset:32", "address": 6360, "share": 0.25}, {"source": "", "instruction": "ds_read_b32 v5, v5 offset:64", "address": 6428, "share": 0.25}], "evidence": [{"what": "LDS cycles lost to conflicts", "value": 4063232.0, "modelled": false}, {"what": "LDS accesses", "value": 131072.0, "modelled": false}], "confidence": "high", "next": "findings run"}
  ],
  "notes": ["the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines"],
  "provenance": "modelled"
}
run transpose_unpadded, modelled
memory-bandwidth bound, confidence high (0.90)

1   lds-bank-conflicts           12 to 28 %   ds_read_b32 v3, v3
    lanes of an LDS access meet in a bank
    4,063,232 LDS cycles lost to conflicts
    131,072 LDS accesses
    -> pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
id   kernel              low %  high %  critical_share %  priority %  cause
run  transpose_unpadded  11.85   27.85                 -           -  lds-bank-conflicts
(1 row; no room for roof_share, waits, step, physical: /v, modelled)
 1  run transpose_unpadded: memory-bandwidth bound
      lds-bank-conflicts, 12 to 28 % of its time: ds_read_b32 v3, v3: pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
      > findings run
      gains the trace 11.9 % to at most 27.9 %
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

# Down to what was counted; and of the run as it was, whatever GPU is chosen afterwards.
$ -batch -ex 'kernel run /q transpose.co transpose_unpadded --grid 2048,512 --workgroup 32,8 --arg f32:iota:4194304 --arg f32:zero:4194304 --arg i32:2048 --arg i32:2048' -ex 'explain run.label' -ex 'explain run.headroom_high' -ex 'set emu gpu MI300A' -ex 'findings run'
11193.333333333334
confidence = 90 %  [modelled]  findings run
    = the label above the first cause; no measurement confirms it
    (memory-bandwidth bound)
  lds-bank-conflicts = 27.85 %  [modelled]  the cycle model, run again
      = 1 - cycles without the cause / cycles; what a repair saves lies around it
      (assumed: no lanes of an LDS access meet in a bank)
    worth_low = 11.85 %  [modelled]  docs/diagnosis.md
    LDS cycles lost to conflicts = 4063232  [modelled]  counted exactly
    LDS accesses = 131072  [modelled]  counted exactly
    share of ds_read_b32 v3, v3 = 25 %  [modelled]  counted exactly
    share of ds_read_b32 v5, v5 offset:32 = 25 %  [modelled]  counted exactly
    share of ds_read_b32 v5, v5 offset:64 = 25 %  [modelled]  counted exactly
headroom_high = 27.85 %  [modelled]  findings run
    = 1 - cycles without any of the causes / cycles, and what a repair saves beyond
  lds-bank-conflicts = 27.85 %  [modelled]  the cycle model, run again
      = 1 - cycles without the cause / cycles; what a repair saves lies around it
      (assumed: no lanes of an LDS access meet in a bank)
    worth_low = 11.85 %  [modelled]  docs/diagnosis.md
    LDS cycles lost to conflicts = 4063232  [modelled]  counted exactly
    LDS accesses = 131072  [modelled]  counted exactly
    share of ds_read_b32 v3, v3 = 25 %  [modelled]  counted exactly
    share of ds_read_b32 v5, v5 offset:32 = 25 %  [modelled]  counted exactly
    share of ds_read_b32 v5, v5 offset:64 = 25 %  [modelled]  counted exactly

the older tool has in its place
headroom_fraction = unknown  [estimated]  older tool, att_analysis.py
    = 0.8 * stall / (latency + stall + idle)
    (wrong: latency already contains stall, so the fraction can never exceed 0.5; waits that other
    waves hide cost nothing; and no roof is asked, so that a kernel at its roof gets headroom too)
  stall_share = unknown
      (unknown; to be had from a thread trace: rocprofv3 --att --kernel-include-regex KERNEL -- APP)
1   lds-bank-conflicts           12 to 28 %   ds_read_b32 v3, v3
    lanes of an LDS access meet in a bank
    4,063,232 LDS cycles lost to conflicts
    131,072 LDS accesses
    -> pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

# A gate for CI.
$ findings /q frozen --fail-on uncoalesced-load --fail-on 'lds-bank-conflicts>0.5'
uncoalesced-store
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

$ findings /q frozen --fail-on 'lds-bank-conflicts>0.5'
uncoalesced-store
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

$ findings frozen --fail-on slowness
err: error: --fail-on takes a cause and a share of the time, not 'slowness'; as --fail-on 'lds-bank-conflicts>0.1'; the causes are in docs/diagnosis.md
? 2

# Recordings of the emulated device have them for each kernel.
$ profile /q --quiet --output out -- rpl-hip-example
0.003505

$ -batch -ex 'open /q out' -ex findings -ex classify -ex headroom
t1
app the application
1   stream-serialization         9 to 23 %    stream s1
    streams with work of their own take turns though nothing recorded orders them
    0 of the busy time with two streams or more
    3 streams with work
    -> let stream s1 run beside the others: no null stream and no wait between them, streams made
    with hipStreamNonBlocking, events where one needs the other
k5e4c39 vector_add
1   small-grid                   42 to 58 %   
    the grid leaves most of the device without work
    64 waves
    1,216 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
id       kernel      label           sure  because
k5e4c39  vector_add  under-occupied  high  small-grid, 42 to 58 % of its time
(1 row, modelled)
id       kernel      low %  high %  critical_share %  priority %  cause       roof_share %  waits %
k5e4c39  vector_add  41.83   57.83             84.23       48.72  small-grid             -        -
(1 row; no room for step, physical: /v, modelled)

$ -batch -ex 'open /q out' -ex 'findings nosuch'
t1
err: error: no kernel 'nosuch'; 'info kernels' lists them
? 1

# Line by line: what waits are because of, in the source and in the machine code.
(rpl) kernel run /q normalize.co --grid 256 --workgroup 128 --arg f32:random(1):1200 --arg f32:zero:1200 --arg i32:200 --arg i32:6
7150.0
err: note: the last bits of v_rcp_f32 may differ from a real device

(rpl) list
  line      executed stall %
  17               4     0.0   float* y = out + static_cast<long>(row) * columns;
  18                           const float sum = sum_of(x, columns);
  19               4     0.0   const float scale = __builtin_amdgcn_rcpf(sum);
  20              24     0.0   for (int i = 0; i < columns; ++i) {   <- small-grid
  21              24    73.0     y[i] = x[i] * scale;   <- uncoalesced-store
  22                           }
  23               4     0.0 }

(rpl) list
err: error: examples/hip/normalize.hip has 23 lines; 'list 1' begins at the first

(rpl) list 19,22 --columns executed,stall,memory,lanes,transactions,findings
   line  executed  stall % memory %    lanes  x least
   19           4      0.0      0.0     50.0            const float scale = __builtin_amdgcn_rcpf(sum);
   20          24      0.0      0.0     50.0            for (int i = 0; i < columns; ++i) {   <- small-grid, divergence
   21          24     73.0     73.0     50.0      3.0     y[i] = x[i] * scale;   <- uncoalesced-store, small-grid, narrow-loads
   22                                                   }

(rpl) list 20,21 --columns lds,barrier --columns math,other,conflicts,spills
   line     LDS % barrier %   math %  other % conflicts   spills
   20         0.0       0.0      0.0      0.0         0        0   for (int i = 0; i < columns; ++i) {
   21         0.0       0.0      0.0      0.0         0        0     y[i] = x[i] * scale;

(rpl) list 21,21 --columns cycles
err: error: a run on the emulated device has no column 'cycles'; --columns takes executed, stall, memory, lds, barrier, math, other, lanes, transactions, conflicts, spills, findings

(rpl) list 21,21 --columns nothing
err: error: --columns takes one of executed, samples, cycles, stall, stalled, memory, lds, barrier, math, other, lanes, transactions, conflicts, spills, findings, not 'nothing'; help list

(rpl) complete list --columns executed,l
line
list --columns executed,lanes
list --columns executed,lds
(2 rows)

(rpl) list normalize.hip:3
  line      executed stall %
  1                          // SPDX-License-Identifier: MIT
  2                          // Every row divided by its sum, one work-item for each row. A row of zeros is divided by zero: docs/debugging.md finds out where.
  3                          #include <hip/hip_runtime.h>
  4                          
  5                          __device__ float sum_of(const float* row, int columns) {
  6                            float sum = 0.0f;
  7                            for (int i = 0; i < columns; ++i) {
  8                              sum += row[i];
  9                            }
  10                           return sum;

(rpl) disassemble normalize.co
kernel        normalize
object        o1
architecture  gfx942
instructions  43

address  label  instruction                               target  executed  stall_share %
0x1900   -      s_load_dword s3, s[0:1], 0x24             -              4           4.79
0x1908   -      s_load_dwordx2 s[4:5], s[0:1], 0x10       -              4           0.25
0x1910   -      s_waitcnt lgkmcnt(0)                      -              4           0.00
0x1914   -      s_and_b32 s3, s3, 0xffff                  -              4           0.00
0x191c   -      s_mul_i32 s2, s2, s3                      -              4           0.00
0x1920   -      v_add_u32_e32 v0, s2, v0                  -              4           0.00
0x1924   -      v_cmp_gt_i32_e32 vcc, s4, v0              -              4           0.00
0x1928   -      s_and_saveexec_b64 s[2:3], vcc            -              4           0.00
0x192c   -      s_cbranch_execz 43                        L4             4           0.00
0x1930   -      s_load_dwordx4 s[0:3], s[0:1], 0x0        -              4           0.20
0x1938   -      v_mad_i64_i32 v[2:3], s[6:7], v0, s5, 0   -              4           0.00
0x1940   -      s_cmp_gt_i32 s5, 0                        -              4           0.00
0x1944   -      s_cselect_b64 s[6:7], -1, 0               -              4           0.00
0x1948   -      s_cmp_lt_i32 s5, 1                        -              4           0.00
0x194c   -      s_waitcnt lgkmcnt(0)                      -              4           0.00
0x1950   -      v_lshl_add_u64 v[0:1], v[2:3], 2, s[0:1]  -              4           0.00
0x1958   -      v_mov_b32_e32 v6, 0                       -              4           0.00
0x195c   -      s_cbranch_scc1 11                         L2             4           0.00
0x1960   -      v_mov_b64_e32 v[4:5], v[0:1]              -              4           0.00
0x1964   -      s_mov_b32 s0, s5                          -              4           0.00
0x1968   L1     global_load_dword v7, v[4:5], off         -             24          21.76
0x1970   -      s_add_i32 s0, s0, -1                      -             24           0.00
0x1974   -      v_lshl_add_u64 v[4:5], v[4:5], 0, 4       -             24           0.00
0x197c   -      s_cmp_lg_u32 s0, 0                        -             24           0.00
0x1980   -      s_waitcnt vmcnt(0)                        -             24           0.00
0x1984   -      v_add_f32_e32 v6, v6, v7                  -             24           0.00
0x1988   -      s_cbranch_scc1 65527                      L1            24           0.00
0x198c   L2     s_andn2_b64 vcc, exec, s[6:7]             -              4           0.00
0x1990   -      s_cbranch_vccnz 18                        L4             4           0.00
0x1994   -      v_rcp_f32_e32 v4, v6                      -              4           0.00
0x1998   -      v_mov_b32_e32 v6, s2                      -              4           0.00
0x199c   -      v_mov_b32_e32 v7, s3                      -              4           0.00
0x19a0   -      v_lshl_add_u64 v[2:3], v[2:3], 2, v[6:7]  -              4           0.00
0x19a8   L3     global_load_dword v5, v[0:1], off         -             24           7.59
0x19b0   -      s_add_i32 s5, s5, -1                      -             24           0.00
0x19b4   -      v_lshl_add_u64 v[0:1], v[0:1], 0, 4       -             24           0.00
0x19bc   -      s_cmp_lg_u32 s5, 0                        -             24           0.00
0x19c0   -      s_waitcnt vmcnt(0)                        -             24           0.00
0x19c4   -      v_mul_f32_e32 v5, v4, v5                  -             24           0.00
0x19c8   -      global_store_dword v[2:3], v5, off        -             24          65.40
0x19d0   -      v_lshl_add_u64 v[2:3], v[2:3], 0, 4       -             24           0.00
0x19d8   -      s_cbranch_scc1 65523                      L3            24           0.00
0x19dc   L4     s_endpgm                                  -              4           0.00
(43 rows; no room for cause, source: /v, modelled)

(rpl) kernel counts --by line
kernel        normalize
run           o1
architecture  gfx942
waves         4
instructions  492
by            line

place                  instruction  executed  share %  lane_share %  global B  transactions
normalize.hip:20       normalize         128    26.02         78.12         0             0
normalize.hip:7        sum_of            112    22.76         78.12         0             0
normalize.hip:21       normalize          96    19.51         78.12      9600           900
normalize.hip:8        sum_of             72    14.63         78.12      4800           450
amd_hip_runtime.h:263  operator()         16     3.25         83.59         0             0
amd_hip_runtime.h:268  operator()         12     2.44        100.00         0             0
normalize.hip:15       normalize          12     2.44         92.71         0             0
normalize.hip:16       normalize          12     2.44         78.12         0             0
normalize.hip:0        normalize          12     2.44         78.12         0             0
normalize.hip:14       normalize           8     1.63        100.00         0             0
normalize.hip:19       normalize           4     0.81         78.12         0             0
normalize.hip:17       normalize           4     0.81         78.12         0             0
normalize.hip:23       normalize           4     0.81         78.12         0             0
(13 rows; no room for lds_conflicts, stall_caused, fidelity: /v, modelled)
err: note: the last bits of v_rcp_f32 may differ from a real device

(rpl) list softmax
err: error: the last run was of normalize; list FILE:LINE, list LINE, or list alone for its worst line
