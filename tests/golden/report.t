# Everything about a recording in one file.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
# example rowsum: att/rowsum
$ report html -o report.html --trace small.db
wrote report.html: 69.75 KiB

! python3 -c "import re; t=open('report.html').read(); print(re.findall('<h2>(.*?)</h2>', t)); print(t.count('<svg'), 'pictures', t.count('<table>'), 'tables', len(re.findall('<script|src=|@import', t)), 'loaded')"
['What limits it', 'Why it takes its time', 'What to do next', 'Critical path', 'Kernels', 'What limits each kernel', 'What there is to gain', 'Roofline', 'Memory', 'Occupancy', 'Gaps', 'Remarks about the recording', 'Where the numbers come from']
3 pictures 11 tables 0 loaded

$ report md --rows 2 --title "Small one" --trace small.db
\## Small one

**kernels limit it (77.8 % of the span); gemm_kernel&lt;float, 0> is 34.1 % of the path's work**

\### What limits it

`rpl summary --top 10`

- id: t1
- dispatches: 60
- kernels: 4
- span: 701.044 us
- gpu_time: 712.680 us
- busy: 552.490 us
- busy_share: 78.81 %
- gaps: 36
- longest_gap: 900 ns
- critical_path: 669.403 us
- segments: kernel 545.440 us, copy 123.963 us, launch 31.641 us, host 0 ns, idle 0 ns
- limited_by: kernel
- verdict: kernels limit it (77.8 % of the span); gemm_kernel&lt;float, 0> is 34.1 % of the path's work

| id | kernel | calls | total us | share % | path % | gain_if_2x % |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 38 | 308.960 | 43.35 | 34.11 | 16.29 |
| k858257 | softmax_kernel&lt;float, 0> | 14 | 301.480 | 42.30 | 32.09 | 15.32 |

2 of 4 rows

\### Why it takes its time

`rpl findings`

| id | cause | worth_low % | worth_high % | where | says |
| --- | --- | ---: | ---: | --- | --- |
| ka729f4 | register-spills | - | - | - | registers are kept in scratch memory, which is device memory |
| ka729f4 | small-grid | - | - | - | the grid leaves most of the device without work |

2 of 7 rows

\### What to do next

`rpl advise`

| rank | id | kernel | label | action | gain_low % | gain_high % | command |
| ---: | --- | --- | --- | --- | ---: | ---: | --- |
| 1 | ka729f4 | gemm_kernel&lt;float, 0> | insufficient data | record counters of the roofline | - | - | counters plan roofline |

> times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

> 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

\### Critical path

`rpl critpath`

- model: default
- span: 701.044 us
- critical_path: 669.403 us
- segments: kernel 545.440 us, copy 123.963 us, launch 31.641 us, host 0 ns, idle 0 ns
- operations: 49
- dominant_kernel: void gemm_kernel&lt;float, 0>(float const\*, float\*, int)
- dominance_fraction: 34.11 %
- ceiling_speedup: 1.518 x
- edges: stream_order 31, queue_order 15, event 2

| id | kernel | calls | path_calls | path us | share % | min_slack ns | gain_if_2x % |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 38 | 28 | 228.360 | 34.11 | 0 | 16.29 |
| k858257 | softmax_kernel&lt;float, 0> | 14 | 10 | 214.840 | 32.09 | 0 | 15.32 |

2 of 4 rows

\### Kernels

`rpl info kernels`

| id | kernel | calls | total us | mean us | min us | max us | stddev ns | variation % | share % |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 38 | 308.960 | 8.131 | 7.360 | 8.920 | 466 | 5.73 | 43.35 |
| k858257 | softmax_kernel&lt;float, 0> | 14 | 301.480 | 21.534 | 20.160 | 23.720 | 1199 | 5.57 | 42.30 |

2 of 4 rows

\### What limits each kernel

`rpl classify`

| id | kernel | label | sure | because |
| --- | --- | --- | --- | --- |
| ka729f4 | gemm_kernel&lt;float, 0> | insufficient data | none | maybe register-spills; findings ka729f4 |
| k858257 | softmax_kernel&lt;float, 0> | insufficient data | none | maybe small-grid; findings k858257 |

2 of 4 rows

> times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

> 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

\### What there is to gain

`rpl headroom`

| id | kernel | low % | high % | critical_share % | priority % | cause | roof_share % | waits % | step % | physical % |
| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | - | - | 34.11 | - | - | - | - | - | - |
| k858257 | softmax_kernel&lt;float, 0> | - | - | 32.09 | - | - | - | - | - | - |

2 of 4 rows

> headroom is unknown where no roof is known; counters give the roofs: counters plan roofline

> times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

> 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

\### Roofline

`rpl roofline`

- gpu: MI300X (gfx942)
- ceilings: spec

| at | kernel | calls | level | type | flops | bytes B | time ns | arithmetic_intensity | achieved GFLOP/s | achieved GB/s | peak GFLOP/s | peak GB/s | roof_share % | bound |
| --- | --- | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| A | gemm_kernel&lt;float, 0> | 38 | hbm | all | - | - | 8131 | - | - | - | - | 5324.8 | - | - |
| A | gemm_kernel&lt;float, 0> | 38 | l2 | all | - | - | 8131 | - | - | - | - | 34406.4 | - | - |

2 of 20 rows

> times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

> 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

\### Memory

`rpl counters metrics`

- gpu: MI300X (gfx942)

| id | dispatch | metric | value | unit | formula | missing |
| --- | ---: | --- | ---: | --- | --- | --- |
| ka729f4 | - | flops_valu_f16 | - | FLOP | 64 \* (SQ_INSTS_VALU_ADD_F16 + SQ_INSTS_VALU_MUL_F16 + SQ_INSTS_VALU_TRANS_F16 + 2 \* SQ_INSTS_VALU_FMA_F16) | SQ_INSTS_VALU_ADD_F16, SQ_INSTS_VALU_FMA_F16, SQ_INSTS_VALU_MUL_F16, SQ_INSTS_VALU_TRANS_F16 |
| ka729f4 | - | flops_valu_f32 | - | FLOP | 64 \* (SQ_INSTS_VALU_ADD_F32 + SQ_INSTS_VALU_MUL_F32 + SQ_INSTS_VALU_TRANS_F32 + 2 \* SQ_INSTS_VALU_FMA_F32) | SQ_INSTS_VALU_ADD_F32, SQ_INSTS_VALU_FMA_F32, SQ_INSTS_VALU_MUL_F32, SQ_INSTS_VALU_TRANS_F32 |

2 of 144 rows

> times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

> 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

\### Occupancy

`rpl occupancy`

| id | kernel | waves_per_cu | workgroups_per_cu | occupancy % | grid_cap % | limiter | change | then_waves | vgprs | sgprs | lds B | workgroup |
| --- | --- | ---: | ---: | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 28 | 28 | 87.50 | 0.17 | sgprs | SGPR 112 -> 96 | 29 | 16 | 112 | 0 | 64 |
| k858257 | softmax_kernel&lt;float, 0> | 28 | 14 | 87.50 | 1.56 | sgprs | SGPR 112 -> 96 | 30 | 32 | 112 | 4096 | 128 |

2 of 4 rows

\### Gaps

`rpl gaps`

- gaps: 36
- total: 23.369 us
- busy: 677.675 us
- gap_share: 3.33 %
- by_cause: launch 23.369 us, host 0 ns, idle 0 ns

| at us | length ns | agent | cause | host ns | launch ns | before | after | kernel |
| ---: | ---: | --- | --- | ---: | ---: | --- | --- | --- |
| 621.333 | 900 | a1 | launch | 0 | 900 | d50 | d51 | gemm_kernel&lt;float, 0> |
| 311.241 | 894 | a1 | launch | 0 | 894 | copy2 | d32 | softmax_kernel&lt;float, 0> |

2 of 36 rows

\### Remarks about the recording

`rpl info warnings`


> nothing odd was found in this recording

Made by rpl 0.1.0.

$ report md -o report.md --trace small.db
wrote report.md: 15.70 KiB

! grep -c "^### " report.md
12

$ report md rowsum --rows 3
\## rowsum

\### Where the cycles went: rowsum

`rpl att summary att1`

- id: att1
- path: rowsum
- kernel: rowsum(float const\*, float\*, int)
- kind: thread trace
- gfx_clock: 2100.0 MHz
- hits: 220
- latency: 15,560 cycles
- stall: 13,048 cycles
- idle: 256 cycles
- wave_cycles: 15,816 cycles
- stall: 82.50 %
- idle: 1.62 %
- issue: 15.88 %
- drain: 10.24 %
- issue_without_drain: 5.64 %
- stall_of_latency: 83.86 %
- cycles_by_cause: wait vmcnt 75.19 %, drain 10.24 %, issue 5.64 %, wait lgkmcnt 5.21 %, idle 1.62 %, wait barrier 1.59 %, stall FLAT 0.51 %
- wave_state: IDLE 0.81 %, EXEC 6.45 %, WAIT 92.24 %, STALL 0.51 %
- wave_state_source: wstates files
- valu_util: 1.42 %
- mfma_util: 1.62 %
- ipc: 0.05116
- waves: 4
- wave_lifetime: 15,816 cycles
- coverage: waves_traced 4, waves_launched 8, waves_pct 50, units 1, device_units -, shader_engines 1, shader_engines_recorded 1, device_shader_engines -, simds 4

mix

|  | hits | latency | stall | hits_pct | latency_pct |
| --- | ---: | ---: | ---: | ---: | ---: |
| SMEM | 4 | 16 | 0 | 1.818 | 0.1028 |
| SALU | 32 | 128 | 0 | 14.55 | 0.8226 |
| FLAT | 36 | 224 | 80 | 16.36 | 1.44 |
| LDS | 8 | 32 | 0 | 3.636 | 0.2057 |
| VALU | 56 | 224 | 0 | 25.45 | 1.44 |
| IMMED | 48 | 12996 | 12968 | 21.82 | 83.52 |
| MESSAGE | 4 | 1620 | 0 | 1.818 | 10.41 |
| MATRIX | 16 | 256 | 0 | 7.273 | 1.645 |
| BRANCH | 16 | 64 | 0 | 7.273 | 0.4113 |

occupancy

|  | events | cus | peak_waves | avg_waves | final_active | span |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| se0 | 16 | 2 | 8 | 7.343 | 0 | 4308 |

| unit | waves | busy_cycles | instructions | ipc | avg_waves |
| --- | ---: | ---: | ---: | ---: | ---: |
| se0/cu1 | 4 | 4,300 | 220 | 0.05116 | 3.678 |

\### Source lines by cycles: rowsum

`rpl att lines att1`

- id: att1
- lines: 15

| file | line | hits | latency | stall | idle | latency % | stall % | instructions | samples | samples_issued % | main_reason | text | chains |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |
| /work/kernels/pair.h | 7 | 32 | 10,700 | 10,636 | 0 | 68.77 | 99.40 | 2 | - | - | - | return pair.x + | /work/kernels/pair.h:7 -> /work/kernels/rowsum.hip:19 |
| /work/kernels/rowsum.hip | 28 | 4 | 1,620 | 0 | 0 | 10.41 | 0.00 | 1 | - | - | - | } |  |
| /work/kernels/pair.h | 8 | 32 | 1,348 | 1,256 | 32 | 8.66 | 93.18 | 2 | - | - | - | pair.y; | /work/kernels/pair.h:8 -> /work/kernels/rowsum.hip:20 |

3 of 15 rows

\### What the waits waited for: rowsum

`rpl att waits att1`

- id: att1
- waits: 5
- stall: 97.46 %

| wait_line | wait | source | hits | stall | stall % | line | text | times | latency_cycles | exposed |
| ---: | --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |
| 8 | s_waitcnt vmcnt(1) | /work/kernels/pair.h:7 -> /work/kernels/rowsum.hip:19 | 16 | 10,636 | 81.51 | 5 | global_load_dwordx2 v[2:3], v1, s[4:5] | 16 | 681.8 | 10,636 |
| 10 | s_waitcnt vmcnt(0) | /work/kernels/pair.h:8 -> /work/kernels/rowsum.hip:20 | 16 | 1,256 | 9.63 | 6 | global_load_dwordx2 v[4:5], v1, s[4:5] offset:512 | 16 | 759 | 1,256 |
| 17 | s_waitcnt lgkmcnt(0) | /work/kernels/rowsum.hip:24 | 4 | 300 | 2.30 | 16 | ds_write_b32 v1, v8 | 4 | 79 | 300 |

3 of 5 rows

Made by rpl 0.1.0.
