# What limits the application.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ summary small.db
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)
GPU busy ################     552.5 us of 701.0 us (78.8 %), 36 gaps, the longest 900 ns
the critical path spends its time on
  kernel ##############################          545.4 us  77.8 %  kernels run
  copy   #######                                 124.0 us  17.7 %  memory copies
  launch ##                                      31.64 us   4.5 %  launched, not started yet
kernels limit it (77.8 % of the span); gemm_kernel<float, 0> is 34.1 % of the path's work
idle: 23.37 us, 3.3 % of the span
  9.907 us in 16 gaps, median 651 ns: after ka729f4 gemm_kernel<float, 0>, before ka729f4
  gemm_kernel<float, 0>
  2.011 us in 3 gaps, median 668 ns: after ka729f4 gemm_kernel<float, 0>, before k858257
  softmax_kernel<float, 0>
  1.934 us in 3 gaps, median 663 ns: after k858257 softmax_kernel<float, 0>, before ka729f4
  gemm_kernel<float, 0>

id       kernel                       calls  total us  share %  path %  gain_if_2x %
ka729f4  gemm_kernel<float, 0>           38   308.960    43.35   34.11         16.29
k858257  softmax_kernel<float, 0>        14   301.480    42.30   32.09         15.32
kb41d91  layer_norm_kernel<float, 0>      7    96.200    13.50   14.37          3.46
k7aa5af  reduce_kernel<float, 0>          1     6.040     0.85    0.90          0.43
(4 rows, recorded)

$ critpath small.db
critical path: 669.4 us of kernels and copies in a span of 701.0 us (95.5 %), 49 operations
  kernel ##############################          545.4 us  77.8 %  kernels run
  copy   #######                                 124.0 us  17.7 %  memory copies
  launch ##                                      31.64 us   4.5 %  launched, not started yet
edges: stream_order 31, queue_order 15, event 2

[1 more, 8.880 us] => softmax_kernel<float, 0> x5 106.4 us => [2 more, 14.84 us]
  => layer_norm_kernel<float, 0> x2 26.64 us => gemm_kernel<float, 0> x4 32.16 us
  => layer_norm_kernel<float, 0> x2 27.52 us => [2 more, 27.92 us]
  => MEMORY_COPY_DEVICE_TO_DEVICE 54.43 us => [4 more, 52.00 us]
  => MEMORY_COPY_DEVICE_TO_DEVICE 54.43 us => [1 more, 15.11 us]
  => gemm_kernel<float, 0> x3 25.44 us => softmax_kernel<float, 0> 23.72 us
  => gemm_kernel<float, 0> x4 30.68 us => softmax_kernel<float, 0> x2 42.56 us => [1 more, 7.600 us]
  => layer_norm_kernel<float, 0> x2 28.20 us => gemm_kernel<float, 0> x11 90.88 us

id       kernel                      calls  path_calls  path us  share %  min_slack ns  gain_if_2x %
ka729f4  gemm_kernel<float, 0>          38          28  228.360    34.11             0         16.29
k858257  softmax_kernel<float, 0>       14          10  214.840    32.09             0         15.32
kb41d91  layer_norm_k..el<float, 0>      7           7   96.200    14.37             0          3.46
k7aa5af  reduce_kernel<float, 0>         1           1    6.040     0.90             0          0.43
(4 rows, recorded)

$ critpath small.db --top 1 --json
{
  "schema": "rpl.critpath/1",
  "model": "default",
  "span_ns": 701044,
  "critical_path_ns": 669403,
  "segments_ns": {"kernel": 545440, "copy": 123963, "launch": 31641, "host": 0, "idle": 0},
  "operations": 49,
  "dominant_kernel": "void gemm_kernel<float, 0>(float const*, float*, int)",
  "dominance_fraction": 0.3411397917248653,
  "ceiling_speedup": 1.517772643483742,
  "edges": {"stream_order": 31, "queue_order": 15, "event": 2},
  "rows": [
    {"id": "ka729f4", "kernel": "void gemm_kernel<float, 0>(float const*, float*, int)", "calls": 38, "path_calls": 28, "path_ns": 228360, "share": 0.3411397917248653, "min_slack_ns": 0, "gain_if_2x": 0.16287137469260132, "priority": null}
  ],
  "notes": [],
  "provenance": "recorded"
}

$ critpath small.db --model legacy
older tool's critical path: 545.4 us of kernel time on 46 dispatches; edges: 58 serial, 29 cross (gaps up to 50.00 us)

id       kernel                      calls  path_calls  path us  share %  min_slack ns  gain_if_2x %
ka729f4  gemm_kernel<float, 0>          38          28  228.360    41.87             -             -
k858257  softmax_kernel<float, 0>       14          10  214.840    39.39             -             -
kb41d91  layer_norm_k..el<float, 0>      7           7   96.200    17.64             -             -
k7aa5af  reduce_kernel<float, 0>         1           1    6.040     1.11             -             -
(4 rows, recorded)
err: note: the older tool's definition: it counts kernel time only, guesses edges between queues, and can exceed the span

$ critpath small.db --model nosuch
err: error: --model takes one of default, legacy, not 'nosuch'; usage: critpath [--model default|legacy] [--top TOP] [--priority]
? 2

$ slack small.db
id       kernel                       calls  critical  min_slack ns  mean_slack us  max_slack us
ka729f4  gemm_kernel<float, 0>           38        28             0         18.552       432.328
k858257  softmax_kernel<float, 0>        14        10             0         36.813       432.328
k7aa5af  reduce_kernel<float, 0>          1         1             0          0.000         0.000
kb41d91  layer_norm_kernel<float, 0>      7         7             0          0.000         0.000
(4 rows, recorded)

$ gaps small.db --top 3
gaps       36
total      23.369 us
busy       677.675 us
gap_share  3.33 %
by_cause   launch 23.369 us, host 0.000 us, idle 0.000 us

  at us  length ns  agent  cause   host ns  launch ns  before  after  kernel
621.333        900  a1     launch        0        900  d50     d51    gemm_kernel<float, 0>
311.241        894  a1     launch        0        894  copy2   d32    softmax_kernel<float, 0>
134.988        893  a1     launch        0        893  d12     d13    gemm_kernel<float, 0>
(3 of 36 rows, recorded)

$ overlap small.db
busy              677.675 us
concurrent        169.882 us
concurrent_share  25.07 %
potential         6.342 us

first_id  first                  second_id  second                 pairs  could_save ns  on_path ns
ka729f4   gemm_kernel<float, 0>  ka729f4    gemm_kernel<float, 0>      1           6342           0
(1 row, estimated)

$ dag summary small.db
operations       66
edges            156
evidenced        66
evidenced_share  100.00 %
concurrent       0
memory           1376 B

evidence      edges  share %
stream_order     63    40.38
queue_order      18    11.54
event             7     4.49
host_sync         2     1.28
launch           66    42.31
inferred          0     0.00
(6 rows, recorded)

$ dag nodes small.db --limit 3
id  kind      at ns  duration us  name
d1  dispatch      0        8.880  gemm_kernel<float, 0>
d2  dispatch   9606       20.920  softmax_kernel<float, 0>
d3  dispatch   9810        7.400  gemm_kernel<float, 0>
(first 3 rows; --limit 0 shows all, recorded)

$ dag edges small.db --class event --limit 2
from  to   evidence  wait us
d4    d11  event      78.971
d12   d14  event       1.222
(first 2 rows; --limit 0 shows all, recorded)

$ timeline small.db
0 ns to 701.0 us, one cell is 8.873 us
s1         | =##-          == ----   .###########-  ==.              =########-   #.#. ####|  44.4 %
                           ^^ ^^^^   ^^^^^^^^^^^^^  ^^               ^^^^^^^^^^   ^^^^ ^^^^
s3         |    .#-         .#----###-           .##.=###############         -###.=.##    |  40.4 %
                            ^^^^^^^^^^           ^^^^^^^^^^^^^^^^^^^^         ^^^^^^^^^
s2         |#############################.                                             =   |  36.1 %
            ^^^^^^^^^^^^^^^^
path       |kkkkkkkkkkkkkkkkkkkkkkkkkkkkkcccccckkkkkkcccccccckkkkkkkkkkkkkkkkkkkkkkkkkkkkkk|
            +---------------------+----------------------+---------------------+-----------
            0 us                  200 us                 400 us                600 us
path: k kernel, c copy, l launch, h host, . idle

$ timeline small.db --from 100us --to 200us --rows 2
100.0 us to 200.0 us, one cell is 1.265 us
s2         |##############=-####-######==#####-################==#####-=#####=######-######|  94.3 %
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
s3         |                                       -##########.       ######.      .#####==|  30.1 %
                                                   ^^^^^^^^^^^^       ^^^^^^^      ^^^^^^^^
path       |kkkkkkkkkkkkkkkkkkkkkkkkkkkklkkkkkkkkkkkkkkkkkkkkklkkkkkkkkkkkkklkkkkkklkkkkkkk|
            +--------------+---------------+---------------+---------------+---------------
            100 us         120 us          140 us          160 us          180 us
not shown: 1 less busy, --rows N
path: k kernel, c copy, l launch, h host, . idle

# However wide a program says that its terminal is.
! rpl timeline small.db --width 100000000 | head -1
0 ns to 701.0 us, one cell is 70 ns

$ timeline small.db --from 2ms --to 1ms
err: error: the window ends before it begins; --from and --to count from the beginning of the trace
? 2

$ whatif --trace small.db
gemm_kernel<float, 0> 2x as fast:
701.0 us -> 586.9 us, gain 16.3 %

speedup  after us  gain %  gain_low %  gain_high %
    1.1   680.282    2.96        2.96         2.96
    1.5   624.926   10.86       10.86        10.86
      2   586.864   16.29       16.29        16.29
      4   529.774   24.43       24.43        24.43
      -   472.684   32.57       32.57        32.57
(5 rows, estimated)

$ whatif --speedup 4 --trace small.db
gemm_kernel<float, 0> 4x as fast:
701.0 us -> 529.8 us, gain 24.4 %

speedup  after us  gain %  gain_low %  gain_high %
      4   529.774   24.43       24.43        24.43
(1 row, estimated)

$ whatif --remove --trace small.db
gemm_kernel<float, 0> removed:
701.0 us -> 472.7 us, gain 32.6 %

speedup  after us  gain %  gain_low %  gain_high %
      -   472.684   32.57       32.57        32.57
(1 row, estimated)

$ whatif --speedup 0 --trace small.db
err: error: a speedup of 0 is not possible; give a number above 0; 2 is twice as fast, below 1 is slower
? 2

$ whatif nosuch --trace small.db
err: error: no kernel 'nosuch'; 'info kernels' lists them
? 1

$ compare small.db small.db --limit 2
before           t1
after            t1
before_span      701.044 us
after_span       701.044 us
span_ratio       1.000 x
before_gpu_time  712.680 us
after_gpu_time   712.680 us
gpu_time_ratio   1.000 x

id       kernel                   change ns  before_mean ns  after_mean ns  mean_ratio x
ka729f4  gemm_kernel<float, 0>            0            8131           8131         1.000
k7aa5af  reduce_kernel<float, 0>          0            6040           6040         1.000
(2 of 4 rows; --limit 0 shows all; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: a ratio is not a verdict
