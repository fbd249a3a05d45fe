# A real training run: the numbers of its README.
# shared train.db: rocpd/mi350x_train.db
# shared matmul.rpd: rocpd/rpd/matmul_result.rpd
$ open train.db
t1: 43,915 dispatches, 80 kernels, 567 streams, gfx950 x1, 15.12 s (rocpd 3)

$ info trace train.db
id          t1
path        train.db
format      rocpd 3
dispatches  43,915
kernels     80
streams     567
queues      5
agents      1
processes   1
span        15.122 s
gpu_time    4441.741 ms
busy        4233.112 ms
busy_share  27.99 %
device      gfx950 x1
recorded    
file        39.7 MiB
memory      1200.8 KiB
warnings    0
(recorded)

$ info kernels train.db --limit 3
id       kernel                    calls  total ms   mean us  min us   max ms  stddev ms  share %
k44ce20  ncclDevKernel_Generic_1   1,310  4158.757  3174.623  70.280  733.003     31.157    93.63
k45196b  vectorized_..ar*, 2ul> >  5,450    23.588     4.328   0.640    0.042      0.002     0.53
kc77140  vectorized_..ar*, 2ul> >  4,650    19.145     4.117   0.840    0.908      0.013     0.43
(3 of 80 rows; --limit 0 shows all; no room for variation: /v, recorded)

! rpl critpath train.db --json | python3 -c "import json,sys; d=json.load(sys.stdin); print(sum(d['segments_ns'].values()) == d['span_ns'], d['span_ns'], d['critical_path_ns'])"
True 15122023494 4191148613

! rpl info kernels train.db --json | python3 -c "import json,sys; d=json.load(sys.stdin); r=d['rows']; print(len(r), r[0]['kernel'], r[0]['calls'], r[0]['total_ns'], round(r[0]['share'],5), sum(k['total_ns'] for k in r), min(k['min_ns'] for k in r), max(k['max_ns'] for k in r))"
80 ncclDevKernel_Generic_1 1310 4158756678 0.93629 4441741378 560 733003332

$ summary train.db
t1: 43,915 dispatches, 80 kernels, 567 streams, gfx950 x1, 15.12 s (rocpd 3)
GPU busy ######               4.233 s of 15.12 s (28.0 %), 10,220 gaps, the longest 2.625 s
the critical path spends its time on
  kernel ###########                              4.191 s  27.7 %  kernels run
  idle   ###########################              10.93 s  72.3 %  nothing recorded explains it
the device idles (72.3 % of the span); record API calls to learn why (--sys-trace)

id       kernel                                       calls  total ms  share %  path %  gain_if_2x %
k44ce20  ncclDevKernel_Generic_1                      1,310  4158.757    93.63   97.89         13.14
k45196b  vectorized_elementwis.. array<char*, 2ul> >  5,450    23.588     0.53    0.13          0.02
kc77140  vectorized_elementwis.. array<char*, 2ul> >  4,650    19.145     0.43    0.09          0.01
kf85dae  Cijk_Ailk_Bljk_BBS_BH..WSGRB0_WS64_WG32_8_1  1,250    16.994     0.38    0.08          0.01
k2b7e8c  reduce_kernel<128, 4,..t, BFloat16, 4, 8> >  1,750    16.705     0.38    0.08          0.01
(5 of 80 rows, recorded)

$ gaps train.db --top 2
gaps       10,220
total      10.889 s
busy       4233.112 ms
gap_share  72.01 %
by_cause   launch 0 ns, host 0 ns, idle 10.889 s

   at ms  length ms  agent  cause  host ns  launch ns  before  after  kernel
5016.087   2624.805  a2     idle         0          0  d2800   d2801  Cijk_Alik_Bljk.._WS64_WG32_8_1
8429.480   1869.670  a2     idle         0          0  d3050   d3051  Cijk_Ailk_Bljk.._WS64_WG1_4_16
(2 of 10,220 rows, recorded)
err: note: without recorded API calls the cause of a gap is unknown (rocprofv3 --hip-trace)

$ open matmul.rpd
t1: 29 dispatches, 20 kernels, 1 stream, GPU x1, 67.51 ms (rpd 2)

$ critpath matmul.rpd --top 2
critical path: 157.5 ms of kernels and copies in a span of 2.964 s (5.3 %), 56 operations
  kernel #                                       4.320 us  <0.1 %  kernels run
  copy   ##                                      157.5 ms   5.3 %  memory copies
  launch #                                       678.5 us  <0.1 %  launched, not started yet
  host   ####################################     2.806 s  94.7 %  the host had not launched yet
edges: stream_order 1, launch 54

CopyHostToDevice x2 157.2 ms => gap 2.766 s (host) => CopyDeviceToHost 33.00 us
  => gap 31.92 ms (host) => CopyDeviceToHost x3 51.80 us => elementwise_k..mbda(int)#4}> 4.320 us
  => CopyDeviceToHost x49 250.0 us

id       kernel                      calls  path_calls  path ns  share %  min_slack ns  gain_if_2x %
k629211  elementwise_..bda(int)#4}>      3           1     4320     0.00             0          0.00
k324352  Cijk_Ailk_Bl..G64_4_1_WGM5      1           0        0     0.00          2095          0.00
(2 of 20 rows, recorded)

$ info copies matmul.rpd --limit 2
id     direction         stream  from  to    at ms  duration ms  size MiB  rate GB/s
copy1  CopyHostToDevice  s0      -     a0    0.000      154.889    1907.3       12.9
copy2  CopyHostToDevice  s0      -     a0  155.562        2.289      30.5       14.0
(first 2 rows; --limit 0 shows all, recorded)
