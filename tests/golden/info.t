# What is recorded.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ info trace small.db
id          t1
path        small.db
format      rocpd 3
dispatches  60
kernels     4
streams     3
queues      2
agents      1
processes   1
span        701.044 us
gpu_time    712.680 us
busy        552.490 us
busy_share  78.81 %
device      gfx942 x1
recorded    copies, api, markers, counters
file        228.0 KiB
memory      1680 B
warnings    0
(recorded)

$ info trace/q small.db
60

$ info trace small.db --json
{
  "schema": "rpl.info.trace/1",
  "id": "t1",
  "path": "small.db",
  "format": "rocpd 3",
  "dispatches": 60,
  "kernels": 4,
  "streams": 3,
  "queues": 2,
  "agents": 1,
  "processes": 1,
  "span_ns": 701044,
  "gpu_time_ns": 712680,
  "busy_ns": 552490,
  "busy_share": 0.7880960396209082,
  "device": "gfx942 x1",
  "recorded": ["copies", "api", "markers", "counters"],
  "file_bytes": 233472,
  "memory_bytes": 1680,
  "warnings": 0,
  "notes": [],
  "provenance": "recorded"
}

$ info agents small.db
id  type  index  arch      product              recorded_id  dispatches  busy us  busy_share %
a0  CPU       0  AMD EPYC  AMD EPYC                       0           0    0.000          0.00
a1  GPU       0  gfx942    AMD Instinct MI300X            1          60  552.490         78.81
(2 rows; no room for process, total_ns, compute_units, clock_hz, memory_bytes, peak_gbps: /v, recorded)

$ info queues small.db
id  name           handle  process  dispatches  total us  busy us  busy_share %
q1  Queue 0        0x10          0          42   462.240  462.240         65.94
q2  Queue 1        0x11          0          18   250.440  250.440         35.72
q0  Default Queue  0x0           0           0     0.000    0.000          0.00
(3 rows, recorded)

$ info streams small.db
id  name            handle  process  dispatches  total us  busy us  busy_share %
s2  Stream 1        0x2           0          18   250.440  250.440         35.72
s1  Stream 0        0x1           0          21   248.600  248.600         35.46
s3  Stream 2        0x3           0          21   213.640  213.640         30.47
s0  Default Stream  0x0           0           0     0.000    0.000          0.00
(4 rows, recorded)

$ info processes small.db
 pid  hostname    command                        guid                                 path      rank
4242  gpu-node-1  ./train --config default.yaml  00000038-7520-700..00b-538454127b06  small.db     -
(1 row, recorded)

$ info kernels small.db
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
ka729f4  gemm_kernel<float, 0>        38   308.960    8.131   7.360   8.920        466    43.35
k858257  softmax_kernel<float, 0>     14   301.480   21.534  20.160  23.720       1199    42.30
kb41d91  layer_norm_..l<float, 0>      7    96.200   13.743  13.000  14.560        471    13.50
k7aa5af  reduce_kernel<float, 0>       1     6.040    6.040   6.040   6.040          -     0.85
(4 rows; no room for variation: /v, recorded)

$ info kernels small.db --sort calls --limit 2
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
ka729f4  gemm_kernel<float, 0>        38   308.960    8.131   7.360   8.920        466    43.35
k858257  softmax_kernel<float, 0>     14   301.480   21.534  20.160  23.720       1199    42.30
(2 of 4 rows; --limit 0 shows all; no room for variation: /v, recorded)

$ info kernels small.db --stream s1
id       kernel                    calls  total us  mean us  min us  max us  stddev ns  share %
ka729f4  gemm_kernel<float, 0>        14   113.440    8.103   7.360   8.920        559    45.63
k858257  softmax_kernel<float, 0>      5   107.600   21.520  20.160  22.880       1181    43.28
kb41d91  layer_norm_..l<float, 0>      2    27.560   13.780  13.000  14.560       1103    11.09
(3 rows; no room for variation: /v, recorded)

$ info kernels small.db --stream s99
err: error: no stream 's99'; 'info streams' lists s0 to s3
? 1

$ info kernel small.db
id           ka729f4
kernel       void gemm_kernel<float, 0>(float const*, float*, int)
mangled      _Z11gemm_kernelIfLi0EEvPKfPfi
calls        38
total        308.960 us
share        43.35 %
mean         8.131 us
stddev       466 ns
min          7.360 us
p50          8.080 us
p90          8.800 us
p99          8.920 us
max          8.920 us
path         228.360 us
path_share   34.11 %
arch_vgprs   16
accum_vgprs  -
sgprs        112
static_lds   0 B
scratch      64 B

grid      workgroup  lds B  scratch B  calls  total us  mean ns
1088x1x1  64x1x1         0         64     13   104.480     8037
3136x1x1  64x1x1         0         64     12    98.000     8167
2112x1x1  64x1x1         0         64      9    75.480     8387
64x1x1    64x1x1         0         64      4    31.000     7750
(4 rows, recorded)

$ info kernel nosuch --trace small.db
err: error: no kernel 'nosuch'; 'info kernels' lists them
? 1

$ info dispatches small.db --limit 3
id  dispatch_id  kernel                    agent  stream  at ns  duration us  slack us  critical
d1            1  gemm_kernel<float, 0>     a1     s2          0        8.880     0.000  yes
d2            2  softmax_kernel<float, 0>  a1     s2       9606       20.920     0.000  yes
d3            4  gemm_kernel<float, 0>     a1     s1       9810        7.400    76.564  no
(3 of 60 rows; no room for queue, grid, workgroup: /v, recorded)

$ info dispatches small.db --sort duration --limit 3
id   dispatch_id  kernel                    agent  stream    at us  duration us  slack us  critical
d39           39  softmax_kernel<float, 0>  a1     s3      464.832       23.720     0.000  yes
d10            9  softmax_kernel<float, 0>  a1     s2       95.184       23.520     0.000  yes
d4             6  softmax_kernel<float, 0>  a1     s1       17.669       22.880    76.564  no
(3 of 60 rows; no room for queue, grid, workgroup: /v, recorded)

$ info dispatches small.db --sort slack --limit 2 --json
{
  "schema": "rpl.info.dispatches/1",
  "rows": [
    {"id": "d1", "dispatch_id": 1, "kernel": "void gemm_kernel<float, 0>(float const*, float*, int)", "agent": "a1", "queue": "q2", "stream": "s2", "start_ns": 3700000033274, "at_ns": 0, "duration_ns": 8880, "grid": [1088, 1, 1], "workgroup": [64, 1, 1], "slack_ns": 0, "critical": true},
    {"id": "d2", "dispatch_id": 2, "kernel": "void softmax_kernel<float, 0>(float const*, float*, int)", "agent": "a1", "queue": "q2", "stream": "s2", "start_ns": 3700000042880, "at_ns": 9606, "duration_ns": 20920, "grid": [4864, 2, 1], "workgroup": [128, 1, 1], "slack_ns": 0, "critical": true}
  ],
  "notes": [],
  "provenance": "recorded"
}

$ info dispatches small.db --min 1s
id  dispatch_id  kernel  agent  queue  stream  at ns  duration ns  grid  slack ns  critical
(0 rows; no room for workgroup: /v, recorded)
err: note: no dispatch matches

$ info dispatch d2 --trace small.db
id           d2
dispatch_id  2
kernel       softmax_kernel<float, 0>
kernel_id    k858257
start_ns     3700000042880
at           9.606 us
duration     20.920 us
end_ns       3700000063800
agent        a1
queue        q2
stream       s2
thread       4259
grid         4864x2x1
workgroup    128x1x1
lds          4096 B
scratch      0 B
slack        0.000 us
critical     yes

evidence      from    name                   wait us
stream_order  d1      gemm_kernel<float, 0>    0.726
launch        call61  launch_call             11.925
(2 rows, recorded)

$ info dispatch d99999 --trace small.db
err: error: no dispatch d99999; the trace has d1 to d60
? 1

$ info copies small.db --limit 3
id     direction                     stream  from  to    at us  duration us  size KiB  rate GB/s
copy1  MEMORY_COPY_HOST_TO_DEVICE    s2      a0    a1  254.610        2.819      32.0       11.6
copy2  MEMORY_COPY_DEVICE_TO_DEVICE  s1      a1    a1  256.813       54.428    2048.0       38.5
copy3  MEMORY_COPY_HOST_TO_DEVICE    s1      a0    a1  366.498        2.819      32.0       11.6
(first 3 rows; --limit 0 shows all, recorded)

$ info api small.db
name                category             calls  total us  mean us   max us
hipLaunchKernel     HIP_RUNTIME_API_EXT     60   180.337    3.006    4.178
hipMemcpy           HIP_RUNTIME_API_EXT      1   169.252  169.252  169.252
hipMemcpyAsync      HIP_RUNTIME_API_EXT      5    17.507    3.501    4.979
hipStreamWaitEvent  HIP_RUNTIME_API_EXT      8    10.468    1.308    1.577
hipEventRecord      HIP_RUNTIME_API_EXT      8     8.766    1.096    1.447
(5 rows, recorded)

$ info markers small.db --limit 3
text     at us  duration us  thread
step 0  22.772       14.802    4242
step 0  31.814        0.000    4259
step 0  36.056       15.680    4259
(first 3 rows; --limit 0 shows all, recorded)

$ info counters small.db
counter        dispatches        sum   mean   max  block  unit          description
SQ_WAVES               60  1.826e+04  304.3   801  SQ     waves         waves started
SQ_INSTS_VALU          60  3.646e+04  607.7  1601  SQ     instructions  vector ALU in..MA among them
(2 rows, recorded)

$ info warnings small.db
about  warning
(0 rows, recorded)
err: note: nothing odd was found in this recording
