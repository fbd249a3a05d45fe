# Everything about a recording in one file.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ report html -o report.html --trace small.db
wrote report.html: 36.99 KiB

! python3 -c "import re; t=open('report.html').read(); print(re.findall('<h2>(.*?)</h2>', t)); print(t.count('<svg'), 'pictures', t.count('<table>'), 'tables', len(re.findall('<script|src=|@import', t)), 'loaded')"
['What limits it', 'Critical path', 'Kernels', 'Gaps', 'Remarks about the recording', 'Where the numbers come from']
1 pictures 4 tables 0 loaded

$ report md --rows 2 --title "Small one" --trace small.db
\## Small one

**kernels limit it (77.8 % of the span); gemm\_kernel\<float, 0> is 34.1 % of the path's work**

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
- verdict: kernels limit it (77.8 % of the span); gemm\_kernel\<float, 0> is 34.1 % of the path's work

| id | kernel | calls | total us | share % | path % | gain\_if\_2x % |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm\_kernel\<float, 0> | 38 | 308.960 | 43.35 | 34.11 | 16.29 |
| k858257 | softmax\_kernel\<float, 0> | 14 | 301.480 | 42.30 | 32.09 | 15.32 |

2 of 4 rows

\### Critical path

`rpl critpath`

- model: default
- span: 701.044 us
- critical_path: 669.403 us
- segments: kernel 545.440 us, copy 123.963 us, launch 31.641 us, host 0 ns, idle 0 ns
- operations: 49
- dominant_kernel: void gemm\_kernel\<float, 0>(float const\*, float\*, int)
- dominance_fraction: 34.11 %
- ceiling_speedup: 1.518 x
- edges: stream\_order 31, queue\_order 15, event 2

| id | kernel | calls | path\_calls | path us | share % | min\_slack ns | gain\_if\_2x % |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm\_kernel\<float, 0> | 38 | 28 | 228.360 | 34.11 | 0 | 16.29 |
| k858257 | softmax\_kernel\<float, 0> | 14 | 10 | 214.840 | 32.09 | 0 | 15.32 |

2 of 4 rows

\### Kernels

`rpl info kernels`

| id | kernel | calls | total us | mean us | min us | max us | stddev ns | share % |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| ka729f4 | gemm\_kernel\<float, 0> | 38 | 308.960 | 8.131 | 7.360 | 8.920 | 466 | 43.35 |
| k858257 | softmax\_kernel\<float, 0> | 14 | 301.480 | 21.534 | 20.160 | 23.720 | 1199 | 42.30 |

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
| 621.333 | 900 | a1 | launch | 0 | 900 | d50 | d51 | gemm\_kernel\<float, 0> |
| 311.241 | 894 | a1 | launch | 0 | 894 | copy2 | d32 | softmax\_kernel\<float, 0> |

2 of 36 rows

\### Remarks about the recording

`rpl info warnings`


> nothing odd was found in this recording

Made by rpl 0.1.0.

$ report md -o report.md --trace small.db
wrote report.md: 4.336 KiB

! grep -c "^### " report.md
5
