# Everything about a recording in one file.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
# fixture before.db: --dispatches 80 --queues 2 --streams 3 --kernels 5 --api --seed 8 --event-share 0.1 --copy-share 0.1
# example rowsum: att/rowsum
$ report html -o report.html --trace small.db
wrote report.html: 65.42 KiB

! python3 -c "import re; t=open('report.html').read(); print(re.findall('<h2>(.*?)</h2>', t)); print(t.count('<svg'), 'pictures', t.count('<table>'), 'tables', len(re.findall('src=|@import|url[(]', t)), 'loaded', t.count('<script'), 'script')"
['What to do first', 'Timeline', 'In numbers', 'Why it takes its time', 'What to do, kernel by kernel', 'Critical path', 'Kernels', 'Metrics from counters', 'Occupancy', 'Gaps', 'Remarks about the recording', 'Not in this report', 'Where the numbers come from']
1 pictures 7 tables 0 loaded 1 script

# Pieces of text stand in the order in which a reader wants them.
! python3 -c "t=open('report.html').read(); at=[t.index(x) for x in ('class=\"lead\"', 'class=\"things\"', '<svg', '<table', 'id=\"absent\"', 'id=\"files\"')]; print(at == sorted(at))"
True

# What changed since another recording; who, when and why; where the files lie only when asked.
$ report html -o change.html --baseline before.db --author "A. Person" --date 2026-03-01 --comment "After the loads were widened." --title "Wider loads" --trace small.db
wrote change.html: 70.57 KiB

! python3 -c "import re; t=open('change.html').read(); print(re.sub('<[^>]*>', '', t[t.index('<main>'):t.index('What to do')]).strip())"
Wider loads
A. Person · 2026-03-01
After the loads were widened.
60 dispatches of 4 kernels were recorded in 701.0 us on gfx942 x1 (rocpd 3). Kernels limit it (77.8 % of the span); gemm_kernel&lt;float, 0&gt; is 34.1 % of the path&#39;s work. The GPU was busy for 78.8 % of the time. Against before.db, the span went from 1.256 ms to 701.0 us (44.2 % less). The kernels&#39; time went from 1.141 ms to 712.7 us (37.6 % less).

! grep -c "$PWD" change.html
0
? 1

! rpl report html -o paths.html --paths --trace "$PWD/small.db" >/dev/null; grep -c "$PWD/small.db" paths.html; rpl report html -o names.html --trace "$PWD/small.db" >/dev/null; grep -c "$PWD" names.html
1
0
? 1

$ report md --baseline nosuch.db --trace small.db
err: error: nosuch.db: no such file; --baseline takes the recording of before
? 1

$ report md --rows 2 --title "Small one" --trace small.db
\## Small one

**60 dispatches of 4 kernels were recorded in 701.0 us on gfx942 x1 (rocpd 3). Kernels limit it (77.8 % of the span); gemm_kernel&lt;float, 0> is 34.1 % of the path's work. The GPU was busy for 78.8 % of the time.**

1. Register spills. Need fewer registers in the kernel: smaller private arrays with constant indices, less unrolling, a wider \_\_launch_bounds\_\_. (not priced) ka729f4 gemm_kernel&lt;float, 0> `counters plan roofline`
2. Small grid. Launch more waves: divide the work of the kernel among more work-items. (not priced) k858257 softmax_kernel&lt;float, 0> `counters plan roofline`
3. Small grid. Launch more waves: divide the work of the kernel among more work-items. (not priced) kb41d91 layer_norm_kernel&lt;float, 0> `counters plan roofline`

\### In numbers

`rpl summary`

- dispatches: 60
- kernels: 4
- span: 701.044 us
- gpu time: 712.680 us
- busy: 552.490 us
- busy share: 78.81 %
- gaps: 36
- longest gap: 900 ns
- critical path: 669.403 us
- segments: kernel 545.440 us, copy 123.963 us, launch 31.641 us

\### Why it takes its time

`rpl findings`

| id | kernel | cause | says | remedy |
| --- | --- | --- | --- | --- |
| ka729f4 | gemm_kernel&lt;float, 0> | register-spills | registers are kept in scratch memory, which is device memory | need fewer registers in the kernel: smaller private arrays with constant indices, less unrolling, a wider \_\_launch_bounds\_\_ |
| ka729f4 | gemm_kernel&lt;float, 0> | small-grid | the grid leaves most of the device without work | launch more waves: divide the work of the kernel among more work-items |

2 of 7 rows

\### What to do, kernel by kernel

`rpl advise`

| rank | id | kernel | action | command |
| ---: | --- | --- | --- | --- |
| 1 | ka729f4 | gemm_kernel&lt;float, 0> | record counters of the roofline | counters plan roofline |

\### Critical path

`rpl critpath`

- model: default
- span: 701.044 us
- critical path: 669.403 us
- segments: kernel 545.440 us, copy 123.963 us, launch 31.641 us
- operations: 49
- dominant kernel: gemm_kernel&lt;float, 0>
- dominance fraction: 34.11 %
- ceiling speedup: 1.518 x
- edges: stream order 31, queue order 15, event 2

| id | kernel | calls | path calls | path us | share % | gain if 2x % |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 38 | 28 | 228.360 | 34.11 | 16.29 |
| k858257 | softmax_kernel&lt;float, 0> | 14 | 10 | 214.840 | 32.09 | 15.32 |

2 of 4 rows

\### Kernels

`rpl info kernels`

| id | kernel | calls | total us | mean us | min us | max us | variation % | share % |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 38 | 308.960 | 8.131 | 7.360 | 8.920 | 5.73 | 43.35 |
| k858257 | softmax_kernel&lt;float, 0> | 14 | 301.480 | 21.534 | 20.160 | 23.720 | 5.57 | 42.30 |

2 of 4 rows

\### Metrics from counters

`rpl counters metrics`

- gpu: MI300X (gfx942)

| id | metric | value | unit |
| --- | --- | ---: | --- |
| ka729f4 | instructions_per_wave | 1.995 | instructions |
| k858257 | instructions_per_wave | 1.998 | instructions |

2 of 4 rows

\### Occupancy

`rpl occupancy`

| id | kernel | waves per cu | occupancy % | grid cap % | limiter | change | vgprs | lds B |
| --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |
| ka729f4 | gemm_kernel&lt;float, 0> | 28 | 87.50 | 0.17 | sgprs | SGPR 112 -> 96 | 16 | 0 |
| k858257 | softmax_kernel&lt;float, 0> | 28 | 87.50 | 1.56 | sgprs | SGPR 112 -> 96 | 32 | 4096 |

2 of 4 rows

\### Gaps

`rpl gaps`

- gaps: 36
- total: 23.369 us
- busy: 677.675 us
- gap share: 3.33 %
- by cause: launch 23.369 us

| at us | length ns | cause | before | after | kernel |
| ---: | ---: | --- | --- | --- | --- |
| 621.333 | 900 | launch | d50 | d51 | gemm_kernel&lt;float, 0> |
| 311.241 | 894 | launch | copy2 | d32 | softmax_kernel&lt;float, 0> |

2 of 20 rows

\### Remarks about the recording

- times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
- 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942
- headroom is unknown where no roof is known; counters give the roofs: counters plan roofline

\### Not in this report

- What limits each kernel: too little was recorded to tell; 'counters plan roofline' names the counters to record
- What there is to gain: no roof is known; counters give the roofs ('counters plan roofline')
- Roofline in numbers: no counters of flops and bytes; 'counters plan roofline' names them

Made by rpl 0.1.0.

$ report md -o report.md --trace small.db
wrote report.md: 7.177 KiB

! grep -c "^### " report.md
10

$ report md rowsum --rows 3
\## rowsum

**A thread trace of rowsum shows 4 waves. Of the waves' cycles 82.5 % were stalled and 15.9 % issued; most went to wait vmcnt (75.2 %).**

1. Hide what s_waitcnt vmcnt(1) waits for: global_load_dwordx2 v[2:3], v1, s[4:5]. (82 % of the stall) pair.h:7 -> rowsum.hip:19 `att waits att1`
2. Hide what s_waitcnt vmcnt(0) waits for: global_load_dwordx2 v[4:5], v1, s[4:5] offset:512. (10 % of the stall) pair.h:8 -> rowsum.hip:20 `att waits att1`
3. Hide what s_waitcnt lgkmcnt(0) waits for: ds_write_b32 v1, v8. (2 % of the stall) rowsum.hip:24 `att waits att1`

\### Where the cycles went: rowsum

`rpl att summary att1`

- kernel: rowsum
- kind: thread trace
- gfx clock: 2100.0 MHz
- hits: 220
- latency: 15,560 cycles
- stall: 13,048 cycles
- idle: 256 cycles
- wave cycles: 15,816 cycles
- stall share: 82.50 %
- idle share: 1.62 %
- issue: 15.88 %
- drain: 10.24 %
- issue without drain: 5.64 %
- stall of latency: 83.86 %
- cycles by cause: wait vmcnt 75.19 %, drain 10.24 %, issue 5.64 %, wait lgkmcnt 5.21 %, idle 1.62 %, wait barrier 1.59 %, stall FLAT 0.51 %
- wave state: IDLE 0.81 %, EXEC 6.45 %, WAIT 92.24 %, STALL 0.51 %
- wave state source: wstates files
- valu util: 1.42 %
- mfma util: 1.62 %
- ipc: 0.05116
- waves: 4
- wave lifetime: 15,816 cycles
- coverage: waves traced 4, waves launched 8, waves % 50, units 1, device units -, shader engines 1, shader engines recorded 1, device shader engines -, simds 4

mix

|  | hits | latency | stall | hits % | latency % |
| --- | ---: | ---: | ---: | ---: | ---: |
| SMEM | 4 | 16 | 0 | 1.82 | 0.10 |
| SALU | 32 | 128 | 0 | 14.55 | 0.82 |
| FLAT | 36 | 224 | 80 | 16.36 | 1.44 |
| LDS | 8 | 32 | 0 | 3.64 | 0.21 |
| VALU | 56 | 224 | 0 | 25.45 | 1.44 |
| IMMED | 48 | 12,996 | 12,968 | 21.82 | 83.52 |
| MESSAGE | 4 | 1,620 | 0 | 1.82 | 10.41 |
| MATRIX | 16 | 256 | 0 | 7.27 | 1.65 |
| BRANCH | 16 | 64 | 0 | 7.27 | 0.41 |

occupancy

|  | events | cus | peak waves | avg waves | final active | span |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| se0 | 16 | 2 | 8 | 7.343 | 0 | 4,308 |

| unit | waves | busy cycles | instructions | ipc | avg waves |
| --- | ---: | ---: | ---: | ---: | ---: |
| se0/cu1 | 4 | 4,300 | 220 | 0.05116 | 3.678 |

\### Source lines by cycles: rowsum

`rpl att lines att1`

- lines: 15

| file | line | latency cycles | latency % | stall % | hits | text |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
| pair.h | 7 | 10,700 | 68.77 | 99.40 | 32 | return pair.x + |
| rowsum.hip | 28 | 1,620 | 10.41 | 0.00 | 4 | } |
| pair.h | 8 | 1,348 | 8.66 | 93.18 | 32 | pair.y; |

3 of 15 rows

\### What the waits waited for: rowsum

`rpl att waits att1`

- waits: 5
- stall: 97.46 %

| wait | source | hits | stall cycles | stall % | text | latency cycles |
| --- | --- | ---: | ---: | ---: | --- | ---: |
| s_waitcnt vmcnt(1) | pair.h:7 -> rowsum.hip:19 | 16 | 10,636 | 81.51 | global_load_dwordx2 v[2:3], v1, s[4:5] | 681.8 |
| s_waitcnt vmcnt(0) | pair.h:8 -> rowsum.hip:20 | 16 | 1,256 | 9.63 | global_load_dwordx2 v[4:5], v1, s[4:5] offset:512 | 759 |
| s_waitcnt lgkmcnt(0) | rowsum.hip:24 | 4 | 300 | 2.30 | ds_write_b32 v1, v8 | 79 |

3 of 5 rows

Made by rpl 0.1.0.
