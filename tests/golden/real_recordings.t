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
gpu_time    4.442 s
busy        4.233 s
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
k45196b  vectoriz..loat16_copy_..  5,450    23.588     4.328   0.640    0.042      0.002     0.53
kc77140  vectoriz..loat16tofloa..  4,650    19.145     4.117   0.840    0.908      0.013     0.43
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
50 steps of 746 kernels of s564, each begun by k4d8b57 vectorized_ga..nel<16, long>: 39.49 ms each
(median), 19.6 % of it idle; from 7.645 s to 14.98 s of the recording
  before they run evenly, step 1 takes 5.008 s, 33.1 % of the span
  before the loop: 7.645 s, 50.6 % of the span
idle at the same places of most steps: 352.9 ms, 2.3 % of the span
  102.7 ms in 61 gaps, median 24.96 us: after k44ce20 ncclDevKernel_Generic_1, before k45196b
  vectorized_el..char*, 2ul> >
  32.59 ms in 108 gaps, median 30.68 us: after kecb8b8 __amd_rocclr_copyBuffer, before kecb8b8
  __amd_rocclr_copyBuffer
  32.23 ms in 437 gaps, median 20.52 us: after k44ce20 ncclDevKernel_Generic_1, before k44ce20
  ncclDevKernel_Generic_1
idle outside of the even steps, or in single ones: 10.54 s, 69.7 % of the span
  2.626 s in 6 gaps, median 77.84 us: after k45196b vectorized_el..char*, 2ul> >, before k7fec81
  Cijk_Alik_Blj..WS64_WG32_8_1
  1.997 s in 918 gaps, median 1.964 ms: after ke7b7e6 __amd_rocclr_..BufferAligned, before ke7b7e6
  __amd_rocclr_..BufferAligned
  1.870 s: after k5d8642 elementwise_k..nt, bool)#1}>, before ke790c8 Cijk_Ailk_Blj..WS64_WG1_4_16
idle-device, 0 to 72 % of the span: 2.625 s at 5.016 s, after k45196b vectorized_elementwise_kernel
and before k7fec81 Cijk_Alik_Bljk_..0_WS64_WG32_8_1: record the host's calls as well (rocprofv3
--sys-trace): they say what it does during 2.625 s at 5.016 s
collective-wait, 13 to 26 % of the span: d2809 of k44ce20 ncclDevKernel_Generic_1, 733.0 ms from
7.680 s on: find out who comes late to d2809 of k44ce20 ncclDevKernel_Generic_1: record all ranks,
and divide the work between collectives evenly

id       kernel                                       calls  total ms  share %  path %  gain_if_2x %
k44ce20  ncclDevKernel_Generic_1                      1,310  4158.757    93.63   97.89         13.14
k45196b  vectoriz..bfloat16_copy_kernel_cuda(Tenso..  5,450    23.588     0.53    0.13          0.02
kc77140  vectoriz..bfloat16tofloat32_copy_kernel_c..  4,650    19.145     0.43    0.09          0.01
kf85dae  Cijk_Ailk_Bljk_BBS_BH..WSGRB0_WS64_WG32_8_1  1,250    16.994     0.38    0.08          0.01
k2b7e8c  reduce_kernel<128, 4,..t, BFloat16, 4, 8> >  1,750    16.705     0.38    0.08          0.01
(5 of 80 rows, recorded)

# What repeats, and what the timeline is evidence for.
$ steps train.db --top 3
50 steps of 746 kernels of s564, each begun by k4d8b57 vectorized_ga..nel<16, long>: 39.49 ms each
(median), 19.6 % of it idle; from 7.645 s to 14.98 s of the recording
  before they run evenly, step 1 takes 5.008 s, 33.1 % of the span
  before the loop: 7.645 s, 50.6 % of the span
idle at the same places of most steps: 352.9 ms, 2.3 % of the span
  102.7 ms in 61 gaps, median 24.96 us: after k44ce20 ncclDevKernel_Generic_1, before k45196b
  vectorized_el..char*, 2ul> >
  32.59 ms in 108 gaps, median 30.68 us: after kecb8b8 __amd_rocclr_copyBuffer, before kecb8b8
  __amd_rocclr_copyBuffer
  32.23 ms in 437 gaps, median 20.52 us: after k44ce20 ncclDevKernel_Generic_1, before k44ce20
  ncclDevKernel_Generic_1
idle outside of the even steps, or in single ones: 10.54 s, 69.7 % of the span
  2.626 s in 6 gaps, median 77.84 us: after k45196b vectorized_el..char*, 2ul> >, before k7fec81
  Cijk_Alik_Blj..WS64_WG32_8_1
  1.997 s in 918 gaps, median 1.964 ms: after ke7b7e6 __amd_rocclr_..BufferAligned, before ke7b7e6
  __amd_rocclr_..BufferAligned
  1.870 s: after k5d8642 elementwise_k..nt, bool)#1}>, before ke790c8 Cijk_Ailk_Blj..WS64_WG1_4_16

step    at s  length ms  times_median x   idle ms  idle_share %  longest_gap us  operations
   1   7.645   5008.226         126.824  2943.693         58.78           0.000         842
   2  12.653     34.023           0.862     4.181         12.29         862.009         822
   3  12.687     40.355           1.022     3.542          8.78         605.847         822
(3 of 50 rows, recorded)

$ findings train.db app
app the application
1   idle-device                  0 to 72 %    2.625 s at 5.016 s, after k45196b vectorized_elementwise_kernel and before k7fec81 Cijk_Alik_Bljk_..0_WS64_WG32_8_1
    the device runs nothing, and the host does something else
    0.723 of the span, gaps of the critical path that no recorded call explains
    10,220 gaps
    0.762 of the idle time in the 6 longest
    -> record the host's calls as well (rocprofv3 --sys-trace): they say what it does during 2.625 s
    at 5.016 s
2   collective-wait              13 to 26 %   d2809 of k44ce20 ncclDevKernel_Generic_1, 733.0 ms from 7.680 s on
    ranks wait for each other in collectives
    1,310 collectives
    0.275 of the span they take
    -> find out who comes late to d2809 of k44ce20 ncclDevKernel_Generic_1: record all ranks, and
    divide the work between collectives evenly

$ findings /q train.db --fail-on 'collective-wait>0.2'
idle-device
err: note: of 10 kernels nothing was recorded that findings follow from
err: note: for k44ce20, collect counters of the roofline (hbm_share, l2_share, vl1d_share, lds_share, compute_share, valu_utilization, mfma_utilization, active_lanes, measured_occupancy, counter_wait_share): counters plan roofline
? 3

# What is true of most of its kernels is said once.
$ findings train.db | sed -n '/kernels, of which/,$p'
66 other kernels, of which no more than this is known
    small-grid                   61 kernels, 1.7 % of the kernels' time
    the grid leaves most of the device without work
        k45196b vectorized_elementwise_kernel..loat)#1}, array<char*, 2ul> >
        kc77140 vectorized_elementwise_kernel..at16)#1}, array<char*, 2ul> >
        kf85dae Cijk_Ailk_Bljk_BBS_BH_Bias_HA..1_WSGRA0_WSGRB0_WS64_WG32_8_1
        and 58 more
    -> launch more waves: divide the work of the kernel among more work-items
    short-dispatch               53 kernels, 1.2 % of the kernels' time
    beginning and end of the dispatch are most of its time
        k45196b vectorized_elementwise_kernel..loat)#1}, array<char*, 2ul> >
        kc77140 vectorized_elementwise_kernel..at16)#1}, array<char*, 2ul> >
        k2b7e8c reduce_kernel<128, 4, ReduceO..signed int, BFloat16, 4, 8> >
        and 50 more
    -> do more in one dispatch: fuse it with its neighbours, or launch it for more data
    register-spills              1 kernel, 0.0 % of the kernels' time
    registers are kept in scratch memory, which is device memory
        k95c768 vectorized_templated_elementw..t<1>, float, float, BFloat16>
    -> need fewer registers in the kernel: smaller private arrays with constant indices, less
    unrolling, a wider __launch_bounds__
err: note: of 10 kernels nothing was recorded that findings follow from
err: note: for k44ce20, collect counters of the roofline (hbm_share, l2_share, vl1d_share, lds_share, compute_share, valu_utilization, mfma_utilization, active_lanes, measured_occupancy, counter_wait_share): counters plan roofline

! rpl -nx findings train.db --json | jq '[.rows[] | select(.cause == "small-grid")] | length'
65

$ gaps train.db --top 2
gaps       10,220
total      10.889 s
busy       4.233 s
gap_share  72.01 %
by_cause   launch 0.000 s, host 0.000 s, idle 10.889 s

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
