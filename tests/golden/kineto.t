# Traces of PyTorch's profiler (Kineto): the same questions, the same answers as of a database of the run.
# fixture run.pt.trace.json: --dispatches 120 --queues 1 --streams 3 --kernels 5 --api --markers --seed 7 --copy-share 0.1 --marker-share 0.1 --sync-share 0.05
# fixture run.db: --dispatches 120 --queues 1 --streams 3 --kernels 5 --api --markers --seed 7 --copy-share 0.1 --marker-share 0.1 --sync-share 0.05
$ open run.pt.trace.json
t1: 120 dispatches, 5 kernels, 3 streams, gfx942 x1, 1.925 ms (kineto 1)

$ open run.db
t1: 120 dispatches, 5 kernels, 3 streams, gfx942 x1, 1.925 ms (rocpd 3)

$ open run.pt.trace.json --json
{
  "schema": "rpl.open/1",
  "id": "t1",
  "path": "run.pt.trace.json",
  "ready": true,
  "format": "kineto 1",
  "dispatches": 120,
  "kernels": 5,
  "streams": 3,
  "span_ns": 1924764,
  "notes": [],
  "provenance": "recorded"
}

$ summary run.pt.trace.json
t1: 120 dispatches, 5 kernels, 3 streams, gfx942 x1, 1.925 ms (kineto 1)
GPU busy ###############      1.398 ms of 1.925 ms (72.7 %), 122 gaps, the longest 891 ns
the critical path spends its time on
  kernel ###########################             1.381 ms  71.8 %  kernels run
  copy   #########                               471.0 us  24.5 %  memory copies
  launch #                                       40.46 us   2.1 %  launched, not started yet
  idle   #                                       32.11 us   1.7 %  nothing recorded explains it
kernels limit it (71.8 % of the span); softmax_kernel<float, 0> is 30.3 % of the path's work
idle: 71.58 us, 3.7 % of the span
  15.60 us in 28 gaps, median 450 ns: after ke48ad4 gemm_kernel<float, 0>, before ke48ad4
  gemm_kernel<float, 0>
  9.553 us in 15 gaps, median 676 ns: after kbb029b softmax_kernel<float, 0>, before ke48ad4
  gemm_kernel<float, 0>
  7.678 us in 13 gaps, median 624 ns: after ke48ad4 gemm_kernel<float, 0>, before kbb029b
  softmax_kernel<float, 0>
stream-serialization, 22 to 38 % of the span: stream s0: let stream s0 run beside the others: no
null stream and no wait between them, streams made with hipStreamNonBlocking, events where one needs
the other
copies-not-overlapped, 7 to 17 % of the span: hipMemcpyAsync to the host, 3 copies, 9.125 MiB: let
copies run beside kernels: hipMemcpyAsync to the host on a stream of its own, two buffers, pinned
memory

id       kernel                        calls  total us  share %  path %  gain_if_2x %
kbb029b  softmax_kernel<float, 0>         26   560.760    40.10   30.28         14.57
ke48ad4  gemm_kernel<float, 0>            64   519.600    37.16   27.12         12.96
k1195d2  layer_norm_kernel<float, 0>      12   167.400    11.97    9.04          4.35
kd71fe1  reduce_kernel<float, 0>          15    91.120     6.52    4.92          2.37
k1cd411  elementwise_kernel<float, 0>      3    59.560     4.26    3.22          1.55
(5 rows, recorded)

$ info kernels run.pt.trace.json
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
kbb029b  softmax_kernel<float, 0>     26   560.760   21.568  19.440  23.720       1300    40.10
ke48ad4  gemm_kernel<float, 0>        64   519.600    8.119   7.360   8.880        514    37.16
k1195d2  layer_norm_..l<float, 0>     12   167.400   13.950  12.760  15.160        859    11.97
kd71fe1  reduce_kernel<float, 0>      15    91.120    6.075   5.680   6.680        387     6.52
k1cd411  elementwise..l<float, 0>      3    59.560   19.853  17.720  21.160       1863     4.26
(5 rows; no room for variation: /v, recorded)

$ info kernels run.db
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
k858257  softmax_kernel<float, 0>     26   560.760   21.568  19.440  23.720       1300    40.10
ka729f4  gemm_kernel<float, 0>        64   519.600    8.119   7.360   8.880        514    37.16
kb41d91  layer_norm_..l<float, 0>     12   167.400   13.950  12.760  15.160        859    11.97
k7aa5af  reduce_kernel<float, 0>      15    91.120    6.075   5.680   6.680        387     6.52
kb9dc7d  elementwise..l<float, 0>      3    59.560   19.853  17.720  21.160       1863     4.26
(5 rows; no room for variation: /v, recorded)

$ critpath run.pt.trace.json --csv
id,kernel,calls,path_calls,path_ns,share,min_slack_ns,gain_if_2x,priority
kbb029b,"void softmax_kernel<float, 0>(float const*, float*, int)",26,26,560760,0.3027542996282789,0,0.14566980679189762,
ke48ad4,"void gemm_kernel<float, 0>(float const*, float*, int)",64,62,502400,0.2712457381647181,0,0.12955614298688048,
k1195d2,"void layer_norm_kernel<float, 0>(float const*, float*, int)",12,12,167400,0.09037925272447016,0,0.04348585073286907,
kd71fe1,"void reduce_kernel<float, 0>(float const*, float*, int)",15,15,91120,0.04919568403974744,0,0.02367043440130842,
k1cd411,"void elementwise_kernel<float, 0>(float const*, float*, int)",3,3,59560,0.032156441411406465,0,0.01547202670041626,

$ critpath run.db --csv
id,kernel,calls,path_calls,path_ns,share,min_slack_ns,gain_if_2x,priority
k858257,"void softmax_kernel<float, 0>(float const*, float*, int)",26,26,560760,0.3027542996282789,0,0.14566980679189762,
ka729f4,"void gemm_kernel<float, 0>(float const*, float*, int)",64,62,502400,0.2712457381647181,0,0.12955614298688048,
kb41d91,"void layer_norm_kernel<float, 0>(float const*, float*, int)",12,12,167400,0.09037925272447016,0,0.04348585073286907,
k7aa5af,"void reduce_kernel<float, 0>(float const*, float*, int)",15,15,91120,0.04919568403974744,0,0.02367043440130842,
kb9dc7d,"void elementwise_kernel<float, 0>(float const*, float*, int)",3,3,59560,0.032156441411406465,0,0.01547202670041626,

$ gaps run.pt.trace.json
gaps       122
total      71.580 us
busy       1853.184 us
gap_share  3.72 %
by_cause   launch 71.580 us, host 0.000 us, idle 0.000 us

   at us  length ns  agent  cause   host ns  launch ns  before  after  kernel
 259.142        891  a0     launch        0        891  copy3   d17    gemm_kernel<float, 0>
1882.314        891  a0     launch        0        891  d115    d116   gemm_kernel<float, 0>
1062.953        890  a0     launch        0        890  d64     d65    layer_norm_kernel<float, 0>
1262.450        877  a0     launch        0        877  d81     d82    gemm_kernel<float, 0>
1649.647        876  a0     launch        0        876  d98     d99    gemm_kernel<float, 0>
1304.163        870  a0     launch        0        870  d85     d86    gemm_kernel<float, 0>
1756.414        863  a0     launch        0        863  d105    d106   gemm_kernel<float, 0>
 189.389        862  a0     launch        0        862  copy1   copy2  Memcpy DtoD (D..ce -> Device)
 497.738        856  a0     launch        0        856  copy4   d20    layer_norm_kernel<float, 0>
1326.706        854  a0     launch        0        854  d88     d89    softmax_kernel<float, 0>
 104.049        851  a0     launch        0        851  d6      d7     softmax_kernel<float, 0>
1615.868        840  a0     launch        0        840  d96     d97    gemm_kernel<float, 0>
1765.277        835  a0     launch        0        835  d106    d107   gemm_kernel<float, 0>
  30.526        829  a0     launch        0        829  d2      d3     softmax_kernel<float, 0>
1173.101        828  a0     launch        0        828  d74     d75    softmax_kernel<float, 0>
1296.656        827  a0     launch        0        827  d84     d85    reduce_kernel<float, 0>
 594.587        822  a0     launch        0        822  d27     d28    gemm_kernel<float, 0>
1657.963        821  a0     launch        0        821  d99     d100   layer_norm_kernel<float, 0>
1891.205        810  a0     launch        0        810  d116    d117   gemm_kernel<float, 0>
 227.028        778  a0     launch        0        778  d13     d14    gemm_kernel<float, 0>
(20 of 122 rows, recorded)

$ gaps run.db
gaps       122
total      71.580 us
busy       1853.184 us
gap_share  3.72 %
by_cause   launch 71.580 us, host 0.000 us, idle 0.000 us

   at us  length ns  agent  cause   host ns  launch ns  before  after  kernel
 259.142        891  a1     launch        0        891  copy3   d17    gemm_kernel<float, 0>
1882.314        891  a1     launch        0        891  d115    d116   gemm_kernel<float, 0>
1062.953        890  a1     launch        0        890  d64     d65    layer_norm_kernel<float, 0>
1262.450        877  a1     launch        0        877  d81     d82    gemm_kernel<float, 0>
1649.647        876  a1     launch        0        876  d98     d99    gemm_kernel<float, 0>
1304.163        870  a1     launch        0        870  d85     d86    gemm_kernel<float, 0>
1756.414        863  a1     launch        0        863  d105    d106   gemm_kernel<float, 0>
 189.389        862  a1     launch        0        862  copy1   copy2  MEMORY_COPY_DEVICE_TO_DEVICE
 497.738        856  a1     launch        0        856  copy4   d20    layer_norm_kernel<float, 0>
1326.706        854  a1     launch        0        854  d88     d89    softmax_kernel<float, 0>
 104.049        851  a1     launch        0        851  d6      d7     softmax_kernel<float, 0>
1615.868        840  a1     launch        0        840  d96     d97    gemm_kernel<float, 0>
1765.277        835  a1     launch        0        835  d106    d107   gemm_kernel<float, 0>
  30.526        829  a1     launch        0        829  d2      d3     softmax_kernel<float, 0>
1173.101        828  a1     launch        0        828  d74     d75    softmax_kernel<float, 0>
1296.656        827  a1     launch        0        827  d84     d85    reduce_kernel<float, 0>
 594.587        822  a1     launch        0        822  d27     d28    gemm_kernel<float, 0>
1657.963        821  a1     launch        0        821  d99     d100   layer_norm_kernel<float, 0>
1891.205        810  a1     launch        0        810  d116    d117   gemm_kernel<float, 0>
 227.028        778  a1     launch        0        778  d13     d14    gemm_kernel<float, 0>
(20 of 122 rows, recorded)

$ timeline run.pt.trace.json
0 ns to 1.925 ms, one cell is 24.36 us
s0         |##=.=-##################= .         .=  =#####- ===---=-##########=#= -.-.-.-##|  65.3 %
            ^^^^^^^^^^^^^^^^^^^^^^^^^ ^         ^^  ^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^ ^^^^^^^^^
s2         |     .                   .==.#=#..=.= .#.     -#....=.  .=          .#-  =..   |  19.8 %
                 ^                   ^^^^^^^^^^^^ ^^^     ^^^^^^^^              ^^^  ^^^
s1         |  .=.                   .= .= . #-.=..#= .           ...          .    =- -..  |  15.2 %
              ^^^                   ^^ ^^ ^ ^^^^ ^^              ^^^          ^    ^^ ^^^
path       |kkkkkkkkckkkcccccccckkkkkkkkkkkkkkkkkkkkkckkkkkkkkkkkkkkkccccccccckkkkkkkkkkkkk|
            +-------------------+--------------------+-------------------+-----------------
            0 ms                0.5 ms               1.0 ms              1.5 ms
path: k kernel, c copy, l launch, h host, . idle

$ info api run.pt.trace.json
name                  category      calls  total us  mean us   max us
hipMemcpy             cuda_runtime      2   847.505  423.752  584.306
hipDeviceSynchronize  cuda_runtime      1   758.286  758.286  758.286
hipStreamSynchronize  cuda_runtime      4   694.021  173.505  492.622
hipLaunchKernel       cuda_runtime    120   374.835    3.124    4.185
hipMemcpyAsync        cuda_runtime     13    51.702    3.977    4.902
hipEventSynchronize   cuda_runtime      5     3.823    0.765    0.890
hipEventRecord        cuda_runtime      3     3.729    1.243    1.324
hipStreamWaitEvent    cuda_runtime      2     2.415    1.208    1.357
(8 rows, recorded)

$ info api run.db
name                  category             calls  total us  mean us   max us
hipMemcpy             HIP_RUNTIME_API_EXT      2   847.505  423.752  584.306
hipDeviceSynchronize  HIP_RUNTIME_API_EXT      1   758.286  758.286  758.286
hipStreamSynchronize  HIP_RUNTIME_API_EXT      4   694.021  173.505  492.622
hipLaunchKernel       HIP_RUNTIME_API_EXT    120   374.835    3.124    4.185
hipMemcpyAsync        HIP_RUNTIME_API_EXT     13    51.702    3.977    4.902
hipEventSynchronize   HIP_RUNTIME_API_EXT      5     3.823    0.765    0.890
hipEventRecord        HIP_RUNTIME_API_EXT      3     3.729    1.243    1.324
hipStreamWaitEvent    HIP_RUNTIME_API_EXT      2     2.415    1.208    1.357
(8 rows, recorded)

$ info copies run.pt.trace.json | head -6
id      direction                       stream  from  to     at us  duration us  size KiB  rate GB/s
copy1   Memcpy HtoD (Host -> Device)    s0      -     a0   187.287        2.102       4.0        1.9
copy2   Memcpy DtoD (Device -> Device)  s0      a0    a0   190.251       28.214    1024.0       37.2
copy3   Memcpy DtoD (Device -> Device)  s0      a0    a0   257.040        2.102       4.0        1.9
copy4   Memcpy DtoD (Device -> Device)  s0      a0    a0   286.023      211.715    8192.0       39.6
copy5   Memcpy HtoD (Host -> Device)    s1      -     a0   701.263        2.409      16.0        6.8

$ info markers run.pt.trace.json | head -6
text            at us  duration us  thread
aten::op_1     -6.258        3.477    4259
aten::op_2     -2.819        3.239    4259
aten::op_3      0.254        5.178    4259
aten::op_4      2.038        4.790    4242
aten::op_5      5.493        4.187    4259

$ overlap run.pt.trace.json
busy              1853.184 us
concurrent        76.907 us
concurrent_share  4.15 %
potential         481.005 us

first_id  first                     second                    pairs  could_save us  on_path us
ke48ad4   gemm_kernel<float, 0>     softmax_kernel<float, 0>     22        171.845     171.845
ke48ad4   gemm_kernel<float, 0>     gemm_kernel<float, 0>        11         86.000      86.000
kbb029b   softmax_kernel<float, 0>  softmax_kernel<float, 0>      3         62.960      62.960
kbb029b   softmax_kernel<float, 0>  layer_norm_..l<float, 0>      4         55.520      55.520
ke48ad4   gemm_kernel<float, 0>     reduce_kernel<float, 0>       8         50.440      43.880
kbb029b   softmax_kernel<float, 0>  reduce_kernel<float, 0>       4         23.480      23.480
kbb029b   softmax_kernel<float, 0>  elementwise..l<float, 0>      1         17.720      17.720
k1195d2   layer_norm_..l<float, 0>  reduce_kernel<float, 0>       2         13.040      13.040
(8 rows; no room for second_id: /v, estimated)

$ whatif run.pt.trace.json
softmax_kernel<float, 0> 2x as fast:
1.925 ms -> 1.644 ms, gain 14.6 % (between 0.0 % and 14.6 %: 56 operations rest on inferred edges)

speedup  after us  gain %  gain_low %  gain_high %
    1.1  1873.785    2.65        0.00         2.65
    1.5  1737.842    9.71        0.00         9.71
      2  1644.384   14.57        0.00        14.57
      4  1504.194   21.85        0.00        21.85
      -  1366.528   29.00        0.00        29.00
(5 rows, estimated)

$ advise run.pt.trace.json
 1  (whole trace)
      stream-serialization, 22 to 38 % of the span: stream s0: let stream s0 run beside the others: no null stream and no wait between them, streams made with hipStreamNonBlocking, events where one needs the other
      > overlap
      gains the trace 21.6 % to at most 38.3 %
 2  kbb029b softmax_kernel<float, 0>: insufficient data
      record counters of the roofline
      > counters plan roofline
 3  (whole trace)
      copies-not-overlapped, 7 to 17 % of the span: hipMemcpyAsync to the host, 3 copies, 9.125 MiB: let copies run beside kernels: hipMemcpyAsync to the host on a stream of its own, two buffers, pinned memory
      > info copies
      gains the trace 6.9 % to at most 16.9 %
err: note: registers of 5 of 5 kernels are not recorded; their occupancy is an upper bound

$ info streams run.pt.trace.json
id  name  handle  process  dispatches  total us  busy us  busy_share %
s0        0x2           0          68   767.800  767.800         39.89
s2        0x3           0          31   380.800  380.800         19.78
s1        0x1           0          21   249.840  249.840         12.98
(3 rows, recorded)

$ info agents run.pt.trace.json
id  type  index  arch    product              recorded_id  dispatches   busy us  busy_share %
a0  GPU       0  gfx942  AMD Instinct MI300X            0         120  1398.440         72.66
(1 row; no room for process, total_ns, compute_units, clock_hz, memory_bytes, peak_gbps: /v, recorded)

$ info processes run.pt.trace.json --json
{
  "schema": "rpl.info.processes/1",
  "rows": [
    {"pid": 4242, "hostname": "", "command": "python3", "guid": "0000000000000000000000005EED0007-0", "path": "run.pt.trace.json", "rank": 0, "ranks": 1, "clock_shift_ns": 0}
  ],
  "notes": [],
  "provenance": "recorded"
}

# What the profiler does not record is said.
$ info counters run.pt.trace.json
counter  dispatches  sum  mean  max  block  unit  description
(0 rows, recorded)
err: note: the recording has no hardware counters (PyTorch's profiler records none: rocprofv3 --pmc -- python APP.py)

$ info warnings run.pt.trace.json
about  warning
(0 rows, recorded)
err: note: nothing odd was found in this recording

$ -batch -q -nx -ex 'open run.pt.trace.json' -ex 'sql select count(*), max(duration_ns) from rpl_dispatches'
t1: 120 dispatches, 5 kernels, 3 streams, gfx942 x1, 1.925 ms (kineto 1)
count(*)  max(duration_ns)
     120             23720
(1 row, recorded)

# Packed files are opened as they are.
# fixture packed.pt.trace.json.gz: --dispatches 60 --api --seed 7
# fixture packed.pt.trace.json.zst: --dispatches 60 --api --seed 7
$ open packed.pt.trace.json.gz
t1: 60 dispatches, 24 kernels, 4 streams, gfx942 x1, 355.8 us (kineto 1)

$ open packed.pt.trace.json.zst
t1: 60 dispatches, 24 kernels, 4 streams, gfx942 x1, 355.8 us (kineto 1)

# One file a rank.
# fixture rank.pt.trace.json: --files 2 --dispatches 40 --streams 2 --kernels 3 --seed 5 --api
$ trace merge rank.pt.trace.json rank-1.pt.trace.json
t1: 80 dispatches, 3 kernels, 4 streams, gfx942 x2, 2 processes, 288.9 us (kineto 1)
err: note: 1 remark about the recording: info warnings

$ -batch -q -nx -ex 'trace merge rank.pt.trace.json rank-1.pt.trace.json' -ex 'info processes/c' -ex 'info warnings/c'
t1: 80 dispatches, 3 kernels, 4 streams, gfx942 x2, 2 processes, 288.9 us (kineto 1)
pid,hostname,command,guid,path,rank,ranks,clock_shift_ns
4242,,python3,0000000000000000000000005EED0005-0,rank.pt.trace.json,0,2,0
4243,,python3,0000000000000000000000005EED03ED-1,rank-1.pt.trace.json,1,2,0
about,warning
recording,"2 traces of PyTorch's profiler come from hosts that they do not name: their times are those of each host's clock since 1970 (baseTimeNanoseconds and ts), taken as set alike; how far the clocks are apart was not recorded"
err: note: 1 remark about the recording: info warnings

# A file that ends early is read as far as it goes; malformed text names its byte.
# file cut.pt.trace.json:
#| {"schemaVersion": 1, "baseTimeNanoseconds": 1735632360000000000, "traceEvents": [
#| {"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 42, "tid": 42, "ts": 90.5, "dur": 4, "args": {"correlation": 1, "grid": [4, 1, 1], "block": [64, 1, 1]}},
#| {"ph": "X", "cat": "kernel", "name": "k(float*)", "pid": 0, "tid": 7, "ts": 100.001, "dur": 9.25, "args": {"device": 0, "stream": 7, "correlation": 1}},
#| {"ph": "X", "cat": "kernel", "name": "k(fl
# file bad.pt.trace.json:
#| {"schemaVersion": 1, "traceEvents": [
#| {"ph": "X", "cat": "kernel", "name": "k", "ts"; 100}]}
# file other.json:
#| {"traceEvents": [{"ph": "X", "name": "k", "pid": "6", "tid": "0", "ts": "1", "dur": "2"}]}
$ open cut.pt.trace.json
t1: 1 dispatch, 1 kernel, 1 stream, GPU x1, 9.250 us (kineto 1)
err: note: 1 remark about the recording: info warnings

$ info warnings cut.pt.trace.json
recording: the file ends early, at byte 453: 2 events are read, what came after them is missing

$ info dispatches cut.pt.trace.json
id  dispatch_id  kernel  agent  queue  stream  at ns  duration ns  grid     slack ns  critical
d1            0  k       a0     -      s0          0         9250  256x1x1         0  yes
(1 row; no room for workgroup: /v, recorded)

$ open bad.pt.trace.json
err: error: bad.pt.trace.json: byte 84: traceEvents[0]: expected ':'; the recording is damaged; let the profiler write it again
? 1

$ open other.json
err: error: other.json is a Chrome trace, but none that PyTorch's profiler wrote: no event has one of its categories; record the program itself: 'rocprofv3 --sys-trace --output-format rocpd -- APP'
? 1
