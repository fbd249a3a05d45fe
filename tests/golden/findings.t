# Why kernels take their time: causes with their places, what they are worth, and a gate.
# modelled
# needs example: rpl-hip-example
# example transpose.co: hip/objects/transpose_unpadded.gfx942.co
# example frozen: captures/softmax
$ findings
err: error: no kernel has run on the emulated device yet, and no capture is open; kernel run OBJECT --grid … --workgroup … --arg …, or name a capture
? 1

$ kernel run /q transpose.co transpose_unpadded --grid 2048,512 --workgroup 32,8 --arg f32:iota:4194304 --arg f32:zero:4194304 --arg i32:2048 --arg i32:2048
11193.333333333334

$ findings frozen
1   small-grid                   86 to 100 %  
    the grid leaves most of the device without work
    2 waves
    1,216 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
2   uncoalesced-store            46 to 70 %   global_store_dword v[2:3], v7, off
    neighbouring lanes store to different lines
    32 times as many lines as the bytes of its stores fill
    -> have neighbouring work-items of global_store_dword v[2:3] store neighbouring elements: swap
    the indices, or collect the results in LDS first
3   redundant-loads              0 to 19 %    global_load_dword v9, v[4:5], off
    a wave loads again what it had loaded before
    -> keep what global_load_dword v9 loads in a register or in LDS, and load it once
4   narrow-loads                 0 to 17 %    global_load_dword v9, v[4:5], off
    a wave loads one line piece by piece
    -> load 16 bytes at once at global_load_dword v9: float4, or an unrolled loop over aligned data
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

$ -batch -ex 'kernel run /q transpose.co transpose_unpadded --grid 2048,512 --workgroup 32,8 --arg f32:iota:4194304 --arg f32:zero:4194304 --arg i32:2048 --arg i32:2048' -ex findings -ex 'findings run --json' -ex 'classify run' -ex 'headroom run' -ex 'advise run'
11193.333333333334
1   lds-bank-conflicts           8 to 32 %    ds_read_b32 v3, v3
    lanes of an LDS access meet in a bank
    4,063,232 LDS cycles lost to conflicts
    131,072 LDS accesses
    -> pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
{
  "schema": "rpl.findings/1",
  "rows": [
    {"id": "run", "kernel": "transpose_unpadded", "cause": "lds-bank-conflicts", "worth_low": 0.07850250999744746, "worth_high": 0.31850250999744745, "where": "ds_read_b32 v3, v3", "says": "lanes of an LDS access meet in a bank", "remedy": "pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns", "assumes": "no lanes of an LDS access meet in a bank", "places": [{"source": "", "instruction": "ds_read_b32 v3, v3", "address": 6284, "share": 0.25}, {"source": "", "instruction": "ds_read_b32 v5, v5 offset:32", "address": 6360, "share": 0.25}, {"source": "", "instruction": "ds_read_b32 v5, v5 offset:64", "address": 6428, "share": 0.25}], "evidence": [{"what": "LDS cycles lost to conflicts", "value": 4063232.0, "modelled": false}, {"what": "LDS accesses", "value": 131072.0, "modelled": false}]}
  ],
  "notes": ["the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines"],
  "provenance": "modelled"
}
run transpose_unpadded, modelled
memory-bandwidth bound, confidence high (0.90)

1   lds-bank-conflicts           8 to 32 %    ds_read_b32 v3, v3
    lanes of an LDS access meet in a bank
    4,063,232 LDS cycles lost to conflicts
    131,072 LDS accesses
    -> pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
id   kernel              low %  high %  critical_share %  priority %  cause
run  transpose_unpadded   7.85   31.85                 -           -  lds-bank-conflicts
(1 row; no room for roof_share, waits, step, physical: /v, modelled)
 1  run transpose_unpadded: memory-bandwidth bound
      lds-bank-conflicts, 8 to 32 % of its time: ds_read_b32 v3, v3: pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
      > findings run
      gains the trace 7.9 % to at most 31.9 %
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

# Down to what was counted; and of the run as it was, whatever GPU is chosen afterwards.
$ -batch -ex 'kernel run /q transpose.co transpose_unpadded --grid 2048,512 --workgroup 32,8 --arg f32:iota:4194304 --arg f32:zero:4194304 --arg i32:2048 --arg i32:2048' -ex 'explain run.label' -ex 'explain run.headroom_high' -ex 'set emu gpu MI300A' -ex 'findings run'
11193.333333333334
confidence = 90 %  [modelled]  findings run
    = the label above the first cause; no measurement confirms it
    (memory-bandwidth bound)
  lds-bank-conflicts = 31.85 %  [modelled]  the cycle model, run again
      = 1 - cycles without the cause / cycles; what a repair saves lies around it
      (assumed: no lanes of an LDS access meet in a bank)
    worth_low = 7.85 %  [modelled]  docs/diagnosis.md
    LDS cycles lost to conflicts = 4063232  [modelled]  counted exactly
    LDS accesses = 131072  [modelled]  counted exactly
    share of ds_read_b32 v3, v3 = 25 %  [modelled]  counted exactly
    share of ds_read_b32 v5, v5 offset:32 = 25 %  [modelled]  counted exactly
    share of ds_read_b32 v5, v5 offset:64 = 25 %  [modelled]  counted exactly
headroom_high = 31.85 %  [modelled]  findings run
    = 1 - cycles without any of the causes / cycles, and what a repair saves beyond
  lds-bank-conflicts = 31.85 %  [modelled]  the cycle model, run again
      = 1 - cycles without the cause / cycles; what a repair saves lies around it
      (assumed: no lanes of an LDS access meet in a bank)
    worth_low = 7.85 %  [modelled]  docs/diagnosis.md
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
1   lds-bank-conflicts           8 to 32 %    ds_read_b32 v3, v3
    lanes of an LDS access meet in a bank
    4,063,232 LDS cycles lost to conflicts
    131,072 LDS accesses
    -> pad the rows of the LDS array of ds_read_b32 v3 by an element, or swizzle its columns
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

# A gate for CI.
$ findings /q frozen --fail-on uncoalesced-load --fail-on 'lds-bank-conflicts>0.5'
small-grid
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

$ findings /q frozen --fail-on 'lds-bank-conflicts>0.5'
small-grid
err: note: the code has no line table, so places are instructions; build it with --flag=-gline-tables-only for lines

$ findings frozen --fail-on slowness
err: error: --fail-on takes a cause and a share of the time, not 'slowness'; as --fail-on 'lds-bank-conflicts>0.1'; the causes are in docs/diagnosis.md
? 2

# Recordings of the emulated device have them for each kernel.
$ profile /q --quiet --output out -- rpl-hip-example
0.003505

$ -batch -ex 'open /q out' -ex findings -ex classify -ex headroom
t1
k5e4c39 vector_add
1   small-grid                   38 to 62 %   
    the grid leaves most of the device without work
    64 waves
    1,216 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
id       kernel      label           sure  because
k5e4c39  vector_add  under-occupied  high  small-grid, 38 to 62 % of its time
(1 row, modelled)
id       kernel      low %  high %  critical_share %  priority %  cause       roof_share %  waits %
k5e4c39  vector_add  37.83   61.83             84.23       52.09  small-grid             -        -
(1 row; no room for step, physical: /v, modelled)

$ -batch -ex 'open /q out' -ex 'findings nosuch'
t1
err: error: no kernel 'nosuch'; 'info kernels' lists them
? 1
