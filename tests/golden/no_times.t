# Counters without times: what follows from times is unknown, not 0, and commands about times say what to record.
# shared mi300: rocpd/rocprof_compute/vcopy_MI300X_A1
$ summary mi300/pmc_perf.csv
t1: 3 dispatches, 1 kernel, 0 streams, gfx942 x1, no times (csv)

id       kernel   calls  total ns  share %  path %  gain_if_2x %
k5ca8d7  vecCopy      3         -        -       -             -
(1 row, recorded)
err: note: the recording has no times: all its dispatches begin and end at one instant

$ info trace mi300/pmc_perf.csv --json
{
  "schema": "rpl.info.trace/1",
  "id": "t1",
  "path": "mi300/pmc_perf.csv",
  "format": "csv",
  "dispatches": 3,
  "kernels": 1,
  "streams": 0,
  "queues": 0,
  "agents": 1,
  "processes": 1,
  "span_ns": null,
  "gpu_time_ns": null,
  "busy_ns": null,
  "busy_share": null,
  "device": "gfx942 x1",
  "recorded": ["counters"],
  "file_bytes": 84335,
  "memory_bytes": 100,
  "warnings": 2,
  "notes": ["the recording has no times: all its dispatches begin and end at one instant"],
  "provenance": "recorded"
}

$ info kernels mi300/pmc_perf.csv
id       kernel   calls  total ns  mean ns  min ns  max ns  stddev ns  variation %  share %
k5ca8d7  vecCopy      3         -        -       -       -          -            -        -
(1 row, recorded)
err: note: the recording has no times: all its dispatches begin and end at one instant

$ info kernel --trace mi300/pmc_perf.csv
id           k5ca8d7
kernel       vecCopy(double*, double*, double*, int, int)
mangled      vecCopy(double*, double*, double*, int, int)
calls        3
arch_vgprs   4
accum_vgprs  4
sgprs        16
static_lds   0 B
scratch      0 B

grid         workgroup  lds B  scratch B  calls  total ns  mean ns
1048576x1x1  256x1x1        0          0      3         -        -
(1 row, recorded)
err: note: the recording has no times: all its dispatches begin and end at one instant

$ info dispatches mi300/pmc_perf.csv --limit 2
id  dispatch_id  kernel   agent  queue  stream  at ns  duration ns  grid         slack ns  critical
d1            0  vecCopy  a0     -      -           -            -  1048576x1x1         -  -
d2            1  vecCopy  a0     -      -           -            -  1048576x1x1         -  -
(2 of 3 rows; no room for workgroup: /v, recorded)
err: note: the recording has no times: all its dispatches begin and end at one instant

$ info dispatch --trace mi300/pmc_perf.csv
id           d1
dispatch_id  0
kernel       vecCopy
kernel_id    k5ca8d7
agent        a0
queue        -
stream       -
thread       -
grid         1048576x1x1
workgroup    256x1x1
lds          0 B
scratch      0 B

evidence  from  name  wait ns
(0 rows, recorded)
err: note: the recording has no times: all its dispatches begin and end at one instant

$ info agents mi300/pmc_perf.csv
id  type  index  arch    product    recorded_id  process  dispatches  busy ns  busy_share %
a0  GPU       -  gfx942  MI300X_A1            2        0           3        -             -
(1 row; no room for total_ns, compute_units, clock_hz, memory_bytes, peak_gbps: /v, recorded)

$ critpath mi300/pmc_perf.csv
err: error: the recording has no times: all its dispatches begin and end at one instant; record a kernel trace as well: rocprofv3 --kernel-trace
? 1

$ explain summary.span_ns --trace mi300/pmc_perf.csv
err: error: the recording has no times: all its dispatches begin and end at one instant; record a kernel trace as well: rocprofv3 --kernel-trace
? 1
