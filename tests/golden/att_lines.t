# Thread traces by line, by instruction, by wait; and two builds of a kernel.
# example rowsum: att/rowsum
# example after: att/rowsum_prefetch
$ --width 80 att lines rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled             line           source
 68.77 %   99.4 %  ########## pair.h:7       return pair.x +
                                inlined in rowsum.hip:19
 10.41 %    0.0 %  --         rowsum.hip:28  }
  8.66 %   93.2 %  #          pair.h:8       pair.y;
                                inlined in rowsum.hip:20
  2.03 %   94.9 %  #          rowsum.hip:24  tile[lane] = sum;
  1.93 %   94.7 %  #          rowsum.hip:12  const float* row = in;
  1.65 %    0.0 %  -          rowsum.hip:21  sum = mfma(left, right, sum);
  1.65 %   93.8 %  #          rowsum.hip:26  const float all = tile[lane];
  1.62 %  100.0 %  #          rowsum.hip:25  __syncthreads();
  1.23 %    0.0 %  -          rowsum.hip:15  for (int i = 0; i < rows; ++i) {
  0.72 %   42.9 %  -          rowsum.hip:17  const float2 b = ..ow + 128, lane);
  0.62 %   33.3 %  -          rowsum.hip:16  const float2 a = load(row, lane);
  0.41 %    0.0 %  -          rowsum.hip:18  row += 256;
  0.10 %    0.0 %  -          rowsum.hip:13  const int lane = threadIdx.x;
  0.10 %    0.0 %  -          rowsum.hip:14  float sum = 0;
  0.10 %    0.0 %  -          rowsum.hip:27  out[lane] = all;

$ --width 120 att lines rowsum --top 4
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                  line           source
 68.77 %   99.4 %  ############### pair.h:7       return pair.x +
                                     inlined in rowsum.hip:19
 10.41 %    0.0 %  --              rowsum.hip:28  }
  8.66 %   93.2 %  ##              pair.h:8       pair.y;
                                     inlined in rowsum.hip:20
  2.03 %   94.9 %  #               rowsum.hip:24  tile[lane] = sum;
(4 of 15 lines; --top 0 shows all, --file NAME one file in order)

$ --width 200 att lines rowsum --top 4
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                            line           source
 68.77 %   99.4 %  ######################### pair.h:7       return pair.x +
                                               inlined in rowsum.hip:19
 10.41 %    0.0 %  ----                      rowsum.hip:28  }
  8.66 %   93.2 %  ###                       pair.h:8       pair.y;
                                               inlined in rowsum.hip:20
  2.03 %   94.9 %  #                         rowsum.hip:24  tile[lane] = sum;
(4 of 15 lines; --top 0 shows all, --file NAME one file in order)

$ --width 80 att lines rowsum --inlining caller --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled             line           source
 68.77 %   99.4 %  ########## rowsum.hip:19  const float left = add(a);
                                inlines pair.h:7
 10.41 %    0.0 %  --         rowsum.hip:28  }
  8.66 %   93.2 %  #          rowsum.hip:20  const float right = add(b);
                                inlines pair.h:8
(3 of 15 lines; --top 0 shows all, --file NAME one file in order)

$ --width 80 att lines rowsum --file pair.h
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled             line      source
 68.77 %   99.4 %  ########## pair.h:7  return pair.x +
                                inlined in rowsum.hip:19
  8.66 %   93.2 %  #          pair.h:8  pair.y;
                                inlined in rowsum.hip:20

$ att lines rowsum --file nowhere
err: error: no line of a file 'nowhere'; 'att lines --top 0' lists all
? 1

$ --width 80 att insts rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled              executed    each   line  instruction
rowsum:
      ..  (1 instruction, 0.10 %)
  1.83 %  100.0 %  #                  4    71.0      2  s_waitcnt lgkmcnt(0)
      ..  (2 instructions, 0.21 %)
  0.62 %   33.3 %  -                 16     6.0      5  global_load.. v1, s[4:5]
  0.72 %   42.9 %  -                 16     7.0      6  global_load.. offset:512
      ..  (1 instruction, 0.41 %)
 68.35 %  100.0 %  ##########        16   664.8      8  s_waitcnt vmcnt(1)
      ..  (1 instruction, 0.41 %)
  8.25 %   97.8 %  #                 16    80.2     10  s_waitcnt vmcnt(0)
      ..  (1 instruction, 0.41 %)
  1.65 %    0.0 %  -                 16    16.0     12  v_mfma_f32_..3], a[0:15]
      ..  (4 instructions, 1.34 %)
  1.93 %  100.0 %  #                  4    75.0     17  s_waitcnt lgkmcnt(0)
  1.62 %  100.0 %  #                  4    63.0     18  s_barrier
      ..  (1 instruction, 0.10 %)
  1.54 %  100.0 %  #                  4    60.0     20  s_waitcnt lgkmcnt(0)
      ..  (1 instruction, 0.10 %)
 10.41 %    0.0 %  --                 4   405.0     22  s_endpgm
(below 0.5 % each left out; --all shows them, --top 10 the hottest)

$ --width 80 att insts rowsum --waits --top 4
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled              executed    each   line  instruction
 68.35 %  100.0 %  ##########        16   664.8      8  s_waitcnt vmcnt(1)  <- 5
 10.41 %    0.0 %  --                 4   405.0     22  s_endpgm
  8.25 %   97.8 %  #                 16    80.2     10  s_waitcnt vmcnt(0)  <- 6
  1.93 %  100.0 %  #                  4    75.0     17  s_waitcnt l..t(0)  <- 16

$ --width 120 att insts rowsum --waits --all
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                   executed    each   line  instruction
rowsum:
  0.10 %    0.0 %  -                       4     4.0      1  s_load_dwordx4 s[4:7], s[0:1], 0x0
  1.83 %  100.0 %  #                       4    71.0      2  s_waitcnt lgkmcnt(0)  <- 1
  0.10 %    0.0 %  -                       4     4.0      3  v_lshlrev_b32_e32 v1, 2, v0
  0.10 %    0.0 %  -                       4     4.0      4  v_mov_b32_e32 v8, 0
  0.62 %   33.3 %  -                      16     6.0      5  global_load_dwordx2 v[2:3], v1, s[4:5]
  0.72 %   42.9 %  -                      16     7.0      6  global_load_dwordx2 v[4:5], v1, s[4:5] offset:512
  0.41 %    0.0 %  -                      16     4.0      7  v_add_u32_e32 v1, 0x400, v1
 68.35 %  100.0 %  ###############        16   664.8      8  s_waitcnt vmcnt(1)  <- 5
  0.41 %    0.0 %  -                      16     4.0      9  v_add_f32_e32 v6, v2, v3
  8.25 %   97.8 %  ##                     16    80.2     10  s_waitcnt vmcnt(0)  <- 6
  0.41 %    0.0 %  -                      16     4.0     11  v_add_f32_e32 v7, v4, v5
  1.65 %    0.0 %  -                      16    16.0     12  v_mfma_f32_32x32x8_f16 a[0:15], v[6:7], v[2:3], a[0:15]
  0.41 %    0.0 %  -                      16     4.0     13  s_add_i32 s8, s8, -1
  0.41 %    0.0 %  -                      16     4.0     14  s_cmp_lg_u32 s8, 0
  0.41 %    0.0 %  -                      16     4.0     15  s_cbranch_scc1 65525
  0.10 %    0.0 %  -                       4     4.0     16  ds_write_b32 v1, v8
  1.93 %  100.0 %  #                       4    75.0     17  s_waitcnt lgkmcnt(0)  <- 16
  1.62 %  100.0 %  #                       4    63.0     18  s_barrier
  0.10 %    0.0 %  -                       4     4.0     19  ds_read_b32 v9, v1
  1.54 %  100.0 %  #                       4    60.0     20  s_waitcnt lgkmcnt(0)  <- 19
  0.10 %    0.0 %  -                       4     4.0     21  global_store_dword v1, v9, s[6:7]
 10.41 %    0.0 %  --                      4   405.0     22  s_endpgm

$ --width 200 att insts rowsum --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                             executed    each   line  instruction
 68.35 %  100.0 %  #########################        16   664.8      8  s_waitcnt vmcnt(1)
 10.41 %    0.0 %  ----                              4   405.0     22  s_endpgm
  8.25 %   97.8 %  ###                              16    80.2     10  s_waitcnt vmcnt(0)

$ --width 80 att waits rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed
waits are 97.46 % of all stall. Mean cycles from the issue of an instruction to the end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 81.51 %     664.8           16     8  s_waitcnt vmcnt(1)   pair.h:7
             681.8           16     5  - global_load_dwordx2 v[2:3], v1, s[4:5]
  9.63 %      78.5           16    10  s_waitcnt vmcnt(0)   pair.h:8
             759.0           16     6  - global_load_dwordx2.. s[4:5] offset:512
  2.30 %      75.0            4    17  s_waitcnt lgkmcnt(0)   rowsum.hip:24
              79.0            4    16  - ds_write_b32 v1, v8
  2.18 %      71.0            4     2  s_waitcnt lgkmcnt(0)   rowsum.hip:12
              75.0            4     1  - s_load_dwordx4 s[4:7], s[0:1], 0x0
  1.84 %      60.0            4    20  s_waitcnt lgkmcnt(0)   rowsum.hip:26
              68.0            4    19  - ds_read_b32 v9, v1

$ --width 120 att waits rowsum --top 2
att1: rowsum, thread trace, 4 waves, 220 instructions executed
waits are 97.46 % of all stall. Mean cycles from the issue of an instruction to the end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 81.51 %     664.8           16     8  s_waitcnt vmcnt(1)   pair.h:7
             681.8           16     5  - global_load_dwordx2 v[2:3], v1, s[4:5]
  9.63 %      78.5           16    10  s_waitcnt vmcnt(0)   pair.h:8
             759.0           16     6  - global_load_dwordx2 v[4:5], v1, s[4:5] offset:512
(2 of 5 waits; --top 0 shows all)

$ --width 200 att waits rowsum --top 1
att1: rowsum, thread trace, 4 waves, 220 instructions executed
waits are 97.46 % of all stall. Mean cycles from the issue of an instruction to the end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 81.51 %     664.8           16     8  s_waitcnt vmcnt(1)   pair.h:7
             681.8           16     5  - global_load_dwordx2 v[2:3], v1, s[4:5]
(1 of 5 waits; --top 0 shows all)

$ att waits/q rowsum
s_waitcnt vmcnt(1)

$ --width 80 att diff rowsum after
before  att1: rowsum, thread trace, 4 waves, 220 instructions executed
after   att2: rowsum, thread trace, 4 waves, 236 instructions executed
a wave lives 2312 cycles, before 3954: -1642.0 (-41.5 %)
22 instructions matched, 1 added, 0 removed

by cause
  wait vmcnt             -1669.0
  issue                    +23.0
  wait lgkmcnt              +4.0

    before      after     change           line
    2675.0     1096.0    -1579.0  matched  pair.h:7          return pair.x +
     345.0      266.0      -79.0  matched  pair.h:8          pair.y;
       0.0       20.0      +20.0  added    rowsum.hip:22     keep(a);
      56.0       52.0       -4.0  matched  rowsum.hip:15     for (int..; ++i) {
      20.0       16.0       -4.0  matched  rowsum.hip:18     row += 256;
      79.0       83.0       +4.0  matched  rowsum.hip:24     tile[lane] = sum;
     107.0      107.0       +0.0  matched  rowsum.hip:12     const fl..ow = in;
       4.0        4.0       +0.0  matched  rowsum.hip:13     const in..adIdx.x;
       8.0        8.0       +0.0  matched  rowsum.hip:14     float sum = 0;
      24.0       24.0       +0.0  matched  rowsum.hip:16     const fl.., lane);
      32.0       32.0       +0.0  matched  rowsum.hip:17     const fl.., lane);
      64.0       64.0       +0.0  matched  rowsum.hip:21     sum = mf..t, sum);
      63.0       63.0       +0.0  matched  rowsum.hip:25     __syncthreads();
      68.0       68.0       +0.0  matched  rowsum.hip:26     const fl..e[lane];
       4.0        4.0       +0.0  matched  rowsum.hip:27     out[lane] = all;
     405.0      405.0       +0.0  matched  rowsum.hip:28     }

$ --width 120 att diff rowsum after --top 5
before  att1: rowsum, thread trace, 4 waves, 220 instructions executed
after   att2: rowsum, thread trace, 4 waves, 236 instructions executed
a wave lives 2312 cycles, before 3954: -1642.0 (-41.5 %)
22 instructions matched, 1 added, 0 removed

by cause
  wait vmcnt             -1669.0
  issue                    +23.0
  wait lgkmcnt              +4.0

    before      after     change           line
    2675.0     1096.0    -1579.0  matched  pair.h:7          return pair.x +
     345.0      266.0      -79.0  matched  pair.h:8          pair.y;
       0.0       20.0      +20.0  added    rowsum.hip:22     keep(a);
      56.0       52.0       -4.0  matched  rowsum.hip:15     for (int i = 0; i < rows; ++i) {
      20.0       16.0       -4.0  matched  rowsum.hip:18     row += 256;
(5 of 16; --top 0 shows all)

$ --width 200 att diff rowsum after --by inst --top 5
before  att1: rowsum, thread trace, 4 waves, 220 instructions executed
after   att2: rowsum, thread trace, 4 waves, 236 instructions executed
a wave lives 2312 cycles, before 3954: -1642.0 (-41.5 %)
22 instructions matched, 1 added, 0 removed

by cause
  wait vmcnt             -1669.0
  issue                    +23.0
  wait lgkmcnt              +4.0

    before      after     change           line
    2659.0     1080.0    -1579.0  matched  pair.h:7          s_waitcnt vmcnt(3)
     325.0      246.0      -79.0  matched  pair.h:8          s_waitcnt vmcnt(2)
       0.0       20.0      +20.0  added    rowsum.hip:22     v_mov_b64_e32 v[10:11], v[2:3]
      20.0       16.0       -4.0  matched  rowsum.hip:18     v_add_u32_e32 v1, 0x400, v1
      20.0       16.0       -4.0  matched  rowsum.hip:15     s_add_i32 s8, s8, -1
(5 of 23; --top 0 shows all)

# The source once, beside both.
# file both.rpl:
#| att open rowsum
#| att open after
#| list --against att1 --lines 14
#| list --against att1 rowsum.hip:20,23 --columns stall
#| list --against att1 rowsum.hip:22,22 --json
#| list --against att2
#| list --against att1 --columns lanes
#| list --against run
$ --width 80 -batch -x both.rpl
id    kernel  kind          waves  path
att1  rowsum  thread trace      4  rowsum
(1 row, recorded)
id    kernel  kind          waves  path
att2  rowsum  thread trace      4  after
(1 row, recorded)
before  att1: rowsum, thread trace, 4 waves, 220 instructions executed
after   att2: rowsum, thread trace, 4 waves, 236 instructions executed
cycles per wave: 3954.0 before, 2312.0 after, -1642.0 (-41.5 %)
/work/kernels/pair.h
  line     before     after    change heat source
  1                                        // Example.
  2                                        #pragma once
  3
  4
  5
  6                                        __device__ inline float add(float2 pair) {
  7        2675.0    1096.0   -1579.0 ####   return pair.x +
  8         345.0     266.0     -79.0 #             pair.y;
  9                                        }
before  att1: rowsum, thread trace, 4 waves, 220 instructions executed
after   att2: rowsum, thread trace, 4 waves, 236 instructions executed
stall, cycles per wave: 3262.0 before, 1597.0 after, -1665.0 (-51.0 %)
/work/kernels/rowsum.hip
  line     before     after    change heat source
  20        314.0     233.0     -81.0 #        const float right = add(b);
  21          0.0       0.0      +0.0          sum = mfma(left, right, sum);
  22          0.0       0.0      +0.0          keep(a);
  23                                         }
{
  "schema": "rpl.list/1",
  "before": "att1",
  "after": "att2",
  "figure": "cycles per wave",
  "file": "/work/kernels/rowsum.hip",
  "rows": [
    {"line": 22, "current": false, "executed": 16, "stall_caused": null, "stall_share": 0.0, "cause": null, "cycles": 64, "stalled": 0, "samples": null, "samples_waited": null, "stall_memory": 0.0, "stall_lds": 0.0, "stall_barrier": 0.0, "stall_math": 0.0, "stall_other": 0.0, "lanes": null, "lines_of_least": null, "lds_conflicts": null, "spills": null, "findings": null, "kind": "both", "before_line": 22, "before": 0.0, "after": 20.0, "change": 20.0, "text": "    keep(a);"}
  ],
  "notes": [],
  "provenance": "recorded"
}
err: error: att2 is the thread trace that is current; the later one is missing; att open AFTER, then list --against att2; from outside: rpl AFTER -ex 'list --against after'
err: note: both.rpl:6: stopped here; later lines were not run
? 2

$ att diff rowsum
err: error: 'att diff' needs second trace; usage: att diff BEFORE AFTER [--by line|inst] [--top TOP]
? 2

# As scripts see it.
# file stalls.lua:
#| local att = rpl.open("rowsum")
#| print(att.id, att.kernel, #att.instructions, att.instructions:sum("stall"), att.stall)
#| for _, row in ipairs(att.instructions{min_latency_pct=5}) do print(row.line, row.text, row.latency) end
#| print(att.waits[1].wait, att.waits[1].text, att.lines[1].text)
#| print(att:diff(rpl.open("after")).change_cycles, rpl.att.id)
#| att:close()
#| print(pcall(function() return att.lines end))
$ -batch -x stalls.lua
att1	rowsum(float const*, float*, int)	22	13048	13048
8	s_waitcnt vmcnt(1)	10636
10	s_waitcnt vmcnt(0)	1284
22	s_endpgm	1620
s_waitcnt vmcnt(1)	global_load_dwordx2 v[2:3], v1, s[4:5]	return pair.x +
-1642.0	att2
false	stalls.lua:7: att1 was closed (open it again: rpl.open(path))

# Performance counters that were streamed into a trace (the format as described, never recorded).
$ att counters rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed

counter  simds  total  samples  units  per_sample  largest  of_busy %
(0 rows, recorded)
err: note: no performance counters were streamed into this trace; record some: rocprofv3 --att --att-perfcounters "SQ_BUSY_CU_CYCLES SQ_ACTIVE_INST_VALU SQ_INST_LEVEL_VMEM" --att-perfcounter-ctrl 3 (gfx9)

! cp -rL rowsum streamed; chmod -R u+w streamed; sed -i 's/"counter_names":\[\]/"counter_names":["SQ_BUSY_CU_CYCLES","SQ_ACTIVE_INST_VALU","SQ_INST_LEVEL_VMEM","SQ_ACTIVE_INST_LDS:3"]/' streamed/filenames.json; echo done
done

! python3 -c "import json, glob; w = [json.load(open(f))['wave'] for f in glob.glob('streamed/se0_sm*')]; b, e = min(x['begin'] for x in w), max(x['end'] for x in w); json.dump({'data': [[t, 10, t % 7, 6 if t < e else 0, t % 2, 1, 0] for t in range(b, e + 80, 40)]}, open('streamed/se0_perfcounter.json', 'w')); print(e - b)"
4300

$ --width 80 att counters streamed
att1: rowsum, thread trace, 4 waves, 220 instructions executed
a sample every 40 cycles over 4360 cycles
VMEM latency, by instructions in flight: mean 695, p50 724, p95 1560, max 1576

counter              simds  total  samples  units  per_sample  of_busy %
SQ_BUSY_CU_CYCLES    -      1,100      110      1          10          -
SQ_ACTIVE_INST_VALU  -        330      110      1           3      30.00
SQ_INST_LEVEL_VMEM   -        648      110      1       5.891          -
SQ_ACTIVE_INST_LDS   3          0      110      1           0       0.00
(4 rows; no room for largest: /v, recorded)
err: note: streamed counters follow a description of the format: unverified with a recording

$ --width 120 att counters streamed
att1: rowsum, thread trace, 4 waves, 220 instructions executed
a sample every 40 cycles over 4360 cycles
VMEM latency, by instructions in flight: mean 695, p50 724, p95 1560, max 1576

counter              simds  total  samples  units  per_sample  largest  of_busy %
SQ_BUSY_CU_CYCLES    -      1,100      110      1          10       10          -
SQ_ACTIVE_INST_VALU  -        330      110      1           3        6      30.00
SQ_INST_LEVEL_VMEM   -        648      110      1       5.891        6          -
SQ_ACTIVE_INST_LDS   3          0      110      1           0        0       0.00
(4 rows, recorded)
err: note: streamed counters follow a description of the format: unverified with a recording

$ att counters streamed --json
{
  "schema": "rpl.att.counters/1",
  "id": "att1",
  "interval_cycles": 40.0,
  "memory_latency_cycles": {"VMEM": {"n": 36, "mean": 695.2777777777778, "p50": 724, "p95": 1560, "max": 1576}},
  "rows": [
    {"counter": "SQ_BUSY_CU_CYCLES", "simds": null, "total": 1100, "samples": 110, "units": 1, "per_sample": 10.0, "largest": 10, "of_busy_pct": null},
    {"counter": "SQ_ACTIVE_INST_VALU", "simds": null, "total": 330, "samples": 110, "units": 1, "per_sample": 3.0, "largest": 6, "of_busy_pct": 30.0},
    {"counter": "SQ_INST_LEVEL_VMEM", "simds": null, "total": 648, "samples": 110, "units": 1, "per_sample": 5.890909090909091, "largest": 6, "of_busy_pct": null},
    {"counter": "SQ_ACTIVE_INST_LDS", "simds": "3", "total": 0, "samples": 110, "units": 1, "per_sample": 0.0, "largest": 0, "of_busy_pct": 0.0}
  ],
  "notes": ["streamed counters follow a description of the format: unverified with a recording"],
  "provenance": "recorded"
}

# What other waves hid.
$ --width 80 att hidden rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed
             wave-cycles           hidden          exposed    hidden
  stall           13,048                0           13,048    0.00 %
  idle               256                0              256    0.00 %
  issue            2,512                0            2,512    0.00 %

stall and idle that nothing hid, by instruction
 exposed    hidden        cycles   line  instruction
 79.95 %    0.00 %        10,636      8  s_waitcnt vmcnt(1)
  9.56 %    0.00 %         1,272     10  s_waitcnt vmcnt(0)
  2.25 %    0.00 %           300     17  s_waitcnt lgkmcnt(0)
  2.13 %    0.00 %           284      2  s_waitcnt lgkmcnt(0)
  1.92 %    0.00 %           256     20  s_waitcnt lgkmcnt(0)
  1.89 %    0.00 %           252     18  s_barrier
  0.96 %    0.00 %           128      1  s_load_dwordx4 s[4:7], s[0:1], 0x0
  0.48 %    0.00 %            64      6  global_load_dwordx2.. s[4:5] offset:512
  0.24 %    0.00 %            32      5  global_load_dwordx2 v[2:3], v1, s[4:5]
  0.12 %    0.00 %            16      4  v_mov_b32_e32 v8, 0
(10 of 14; --top 0 shows all)
err: note: on gfx9 a pipe counts as busy while instructions issue, not while they execute: what is hidden is a lower bound

$ --width 120 att hidden rowsum --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
             wave-cycles           hidden          exposed    hidden
  stall           13,048                0           13,048    0.00 %
  idle               256                0              256    0.00 %
  issue            2,512                0            2,512    0.00 %

stall and idle that nothing hid, by instruction
 exposed    hidden        cycles   line  instruction
 79.95 %    0.00 %        10,636      8  s_waitcnt vmcnt(1)
  9.56 %    0.00 %         1,272     10  s_waitcnt vmcnt(0)
  2.25 %    0.00 %           300     17  s_waitcnt lgkmcnt(0)
(3 of 14; --top 0 shows all)
err: note: on gfx9 a pipe counts as busy while instructions issue, not while they execute: what is hidden is a lower bound

$ --width 200 att hidden rowsum --top 3
att1: rowsum, thread trace, 4 waves, 220 instructions executed
             wave-cycles           hidden          exposed    hidden
  stall           13,048                0           13,048    0.00 %
  idle               256                0              256    0.00 %
  issue            2,512                0            2,512    0.00 %

stall and idle that nothing hid, by instruction
 exposed    hidden        cycles   line  instruction
 79.95 %    0.00 %        10,636      8  s_waitcnt vmcnt(1)
  9.56 %    0.00 %         1,272     10  s_waitcnt vmcnt(0)
  2.25 %    0.00 %           300     17  s_waitcnt lgkmcnt(0)
(3 of 14; --top 0 shows all)
err: note: on gfx9 a pipe counts as busy while instructions issue, not while they execute: what is hidden is a lower bound

# In the order of the file.
(rpl) open rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed

(rpl) list
  line    executed cycles % stalled %
  15            48      1.2       0.0   for (int i = 0; i < rows; ++i) {
  16            16      0.6      33.3     const float2 a = load(row, lane);
  17            16      0.7      42.9     const float2 b = load(row + 128, lane);
  18            16      0.4       0.0     row += 256;
  19            32     68.8      99.4     const float left = add(a);   <- s_waitcnt vmcnt(1): 81.5 % of all stall
  20            32      8.7      93.2     const float right = add(b);   <- s_waitcnt vmcnt(0): 9.6 % of all stall
  21            16      1.6       0.0     sum = mfma(left, right, sum);
  22                                      keep(a);
  23                                    }
  24             8      2.0      94.9   tile[lane] = sum;   <- s_waitcnt lgkmcnt(0): 2.3 % of all stall

(rpl) list 18,21 --columns executed,cycles,stalled,memory,lds,barrier,findings
   line  executed cycles % stalled % memory %    LDS % barrier %
   18          16      0.4       0.0      0.0      0.0       0.0     row += 256;
   19          32     68.8      99.4     81.5      0.0       0.0     const float left = add(a);   <- s_waitcnt vmcnt(1): 81.5 % of all stall
   20          32      8.7      93.2      9.6      0.0       0.0     const float right = add(b);   <- s_waitcnt vmcnt(0): 9.6 % of all stall
   21          16      1.6       0.0      0.0      0.0       0.0     sum = mfma(left, right, sum);

(rpl) list 18,21 --columns transactions
err: error: a thread trace has no column 'transactions'; --columns takes executed, cycles, stall, stalled, memory, lds, barrier, math, other, findings

(rpl) list 5,12
  line    executed cycles % stalled %
  5                                   
  6                                   
  7                                   
  8                                   
  9                                   
  10                                  __global__ void rowsum(const float* in, float* out, int rows) {
  11                                    __shared__ float tile[256];
  12             8      1.9      94.7   const float* row = in;   <- s_waitcnt lgkmcnt(0): 2.2 % of all stall

(rpl) list pair.h:7
  line    executed cycles % stalled %
  3                                   
  4                                   
  5                                   
  6                                   __device__ inline float add(float2 pair) {
  7             32     68.8      99.4   return pair.x +   <- s_waitcnt vmcnt(1): 81.5 % of all stall
  8             32      8.7      93.2          pair.y;   <- s_waitcnt vmcnt(0): 9.6 % of all stall
  9                                   }

(rpl) list nosuch.hip:1
err: error: nosuch.hip cannot be found; put it into the current folder, or beside the code object

(rpl) list/j 26,27
{
  "schema": "rpl.list/1",
  "file": "/work/kernels/rowsum.hip",
  "rows": [
    {"line": 26, "current": false, "executed": 8, "stall_caused": null, "stall_share": 0.018393623543838136, "cause": null, "cycles": 256, "stalled": 240, "samples": null, "samples_waited": null, "stall_memory": 0.0, "stall_lds": 0.018393623543838136, "stall_barrier": 0.0, "stall_math": 0.0, "stall_other": 0.0, "lanes": null, "lines_of_least": null, "lds_conflicts": null, "spills": null, "findings": null, "kind": null, "before_line": null, "before": null, "after": null, "change": null, "text": "  const float all = tile[lane];"},
    {"line": 27, "current": false, "executed": 4, "stall_caused": null, "stall_share": 0.0, "cause": null, "cycles": 16, "stalled": 0, "samples": null, "samples_waited": null, "stall_memory": 0.0, "stall_lds": 0.0, "stall_barrier": 0.0, "stall_math": 0.0, "stall_other": 0.0, "lanes": null, "lines_of_least": null, "lds_conflicts": null, "spills": null, "findings": null, "kind": null, "before_line": null, "before": null, "after": null, "change": null, "text": "  out[lane] = all;"}
  ],
  "notes": [],
  "provenance": "recorded"
}

# PC samples alone, beside the source that stands in the working folder.
! python3 -c "import json; one = lambda i, mask, issued, reason, n: [{'record': {'pc': {'code_object_id': 2, 'code_object_offset': 8 * i}, 'exec_mask': mask, 'wave_issued': issued, 'wave_cnt': 4, 'snapshot': {'stall_reason': reason}}, 'inst_index': i}] * n; all = 2**64 - 1; rows = one(0, all, 1, 0, 4) + one(1, all, 0, 3, 12) + one(2, 15, 1, 0, 2) + one(2, 15, 0, 2, 2) + one(3, all, 0, 5, 4); json.dump({'rocprofiler-sdk-tool': [{'strings': {'pc_sample_instructions': ['global_load_dword v1, v[2:3], off', 's_waitcnt vmcnt(0)', 'v_add_f32_e32 v1, v1, v1', 's_barrier'], 'pc_sample_comments': ['a.hip:2', 'a.hip:3', 'a.hip:3', 'a.hip:4']}, 'buffer_records': {'pc_sample_stochastic': rows}}]}, open('results.json', 'w'))"

! printf '__global__ void twice(float* x) {\n  float v = x[threadIdx.x];\n  v = v + v;\n  __syncthreads();\n  x[threadIdx.x] = v;\n}\n' > a.hip

(rpl) att open results.json
id    kernel  kind        waves  path
att1          PC samples      0  results.json
(1 row, recorded)

(rpl) list 1,5
  line     samples of all %  waited %
  1                                   __global__ void twice(float* x) {
  2              4     16.7       0.0   float v = x[threadIdx.x];
  3             16     66.7      87.5   v = v + v;   <- s_waitcnt vmcnt(0): 66.7 % of all stall
  4              4     16.7     100.0   __syncthreads();   <- s_barrier: 22.2 % of all stall
  5                                     x[threadIdx.x] = v;

(rpl) list 1,5 --columns samples,stall,memory,barrier,math,lanes,findings
   line   samples  stall % memory % barrier %   math %    lanes
   1                                                            __global__ void twice(float* x) {
   2            4      0.0      0.0       0.0      0.0     64.0   float v = x[threadIdx.x];
   3           16     77.8     66.7       0.0     11.1     49.0   v = v + v;   <- s_waitcnt vmcnt(0): 66.7 % of all stall
   4            4     22.2      0.0      22.2      0.0     64.0   __syncthreads();   <- s_barrier: 22.2 % of all stall
   5                                                              x[threadIdx.x] = v;

(rpl) list 1,5 --columns cycles
err: error: PC samples have no column 'cycles'; --columns takes samples, stall, stalled, memory, lds, barrier, math, other, lanes, findings

# Two files of PC samples beside that source: more lanes and fewer waits later.
! python3 -c "import json; one = lambda i, mask, issued, reason, n: [{'record': {'pc': {'code_object_id': 2, 'code_object_offset': 8 * i}, 'exec_mask': mask, 'wave_issued': issued, 'wave_cnt': 4, 'snapshot': {'stall_reason': reason}}, 'inst_index': i}] * n; all = 2**64 - 1; rows = one(0, all, 1, 0, 8) + one(1, all, 0, 3, 4) + one(2, all, 1, 0, 4) + one(3, all, 0, 5, 4); json.dump({'rocprofiler-sdk-tool': [{'strings': {'pc_sample_instructions': ['global_load_dword v1, v[2:3], off', 's_waitcnt vmcnt(0)', 'v_add_f32_e32 v1, v1, v1', 's_barrier'], 'pc_sample_comments': ['a.hip:2', 'a.hip:3', 'a.hip:3', 'a.hip:4']}, 'buffer_records': {'pc_sample_stochastic': rows}}]}, open('later.json', 'w'))"

(rpl) att open results.json
id    kernel  kind        waves  path
att1          PC samples      0  results.json
(1 row, recorded)

(rpl) att open later.json
id    kernel  kind        waves  path
att2          PC samples      0  later.json
(1 row, recorded)

(rpl) list 1,5 --against att1
before  att1: no kernel, PC samples, 24 samples
after   att2: no kernel, PC samples, 20 samples
samples, % of all
a.hip
  line     before     after    change heat source
  1                                        __global__ void twice(float* x) {
  2          16.7      40.0     +23.3 ###    float v = x[threadIdx.x];
  3          66.7      40.0     -26.7 ####   v = v + v;
  4          16.7      20.0      +3.3 ##     __syncthreads();
  5                                          x[threadIdx.x] = v;

(rpl) list 2,4 --against att1 --columns lanes
before  att1: no kernel, PC samples, 24 samples
after   att2: no kernel, PC samples, 20 samples
active lanes
a.hip
  line     before     after    change heat source
  2          64.0      64.0      +0.0 ####   float v = x[threadIdx.x];
  3          49.0      64.0     +15.0 ####   v = v + v;
  4          64.0      64.0      +0.0 ####   __syncthreads();

(rpl) list 3,3 --against att1 --json
{
  "schema": "rpl.list/1",
  "before": "att1",
  "after": "att2",
  "figure": "samples, % of all",
  "file": "a.hip",
  "rows": [
    {"line": 3, "current": false, "executed": null, "stall_caused": null, "stall_share": 0.5, "cause": "s_waitcnt vmcnt(0): 50.0 % of all stall", "cycles": null, "stalled": null, "samples": 8, "samples_waited": 4, "stall_memory": 0.5, "stall_lds": 0.0, "stall_barrier": 0.0, "stall_math": 0.0, "stall_other": 0.0, "lanes": 64.0, "lines_of_least": null, "lds_conflicts": null, "spills": null, "findings": "s_waitcnt vmcnt(0): 50.0 % of all stall", "kind": "both", "before_line": 3, "before": 66.66666666666667, "after": 40.0, "change": -26.66666666666667, "text": "  v = v + v;"}
  ],
  "notes": [],
  "provenance": "recorded"
}

(rpl) list --against att1 --columns cycles
err: error: these two profiles have no column 'cycles'; --columns takes one of samples, lanes

(rpl) list --against p1
err: error: p1 is a proposal, and no profile by line is kept of it; build BASELINE.hip and .rpl/proposals/p1/candidate.hip with --device-only --flag=-gline-tables-only, kernel run both, then list --against run

# A line and its instructions, of the trace.
$ att insts rowsum --line rowsum.hip:19
att1: rowsum, thread trace, 4 waves, 220 instructions executed
  cycles  stalled                executed    each   line  instruction
 68.35 %  100.0 %  ############        16   664.8      8  s_waitcnt vmcnt(1)
  0.41 %    0.0 %  -                   16     4.0      9  v_add_f32_e32 v6, v2, v3

$ att insts rowsum --line pair.h:999
err: error: no instruction comes from pair.h:999; 'att lines' lists the lines that have some
? 1

$ -batch -ex "att open rowsum" -ex "info line rowsum.hip:19"
id    kernel  kind          waves  path
att1  rowsum  thread trace      4  rowsum
(1 row, recorded)
err: error: the program is not being run: no kernel is stopped; of the thread trace: att insts --line rowsum.hip:19
? 2
