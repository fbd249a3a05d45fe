# Two recordings of a loop: whether a step of the second takes longer, and which launches make it so.
# fixture before: --ranks 1 --steps 12 --collectives 2 --kernels 5 --seed 3
# fixture after: --ranks 1 --steps 14 --collectives 2 --kernels 5 --seed 4 --straggler 0
# fixture same: --ranks 1 --steps 14 --collectives 2 --kernels 5 --seed 5
# fixture marked: --ranks 1 --steps 16 --collectives 2 --kernels 5 --seed 3 --markers --longer-steps 2
# fixture later: --ranks 1 --steps 16 --collectives 2 --kernels 5 --seed 6 --markers --longer-steps 2 --straggler 0 --first-step 4
# fixture ranks: --ranks 4 --ranks-of-host 2 --steps 12 --collectives 2 --kernels 5 --seed 7 --markers
# fixture slow: --ranks 4 --ranks-of-host 2 --steps 12 --collectives 2 --kernels 5 --seed 8 --markers --straggler 2
$ compare before/rank_0.db after/rank_0.db
before           t1
after            t2
before_span      2278.651 us
after_span       3143.138 us
span_ratio       1.379 x
before_gpu_time  2059.782 us
after_gpu_time   2903.171 us
gpu_time_ratio   1.409 x
steps_by         kernels
before_steps     23
after_steps      27
before_step      95.599 us
after_step       112.249 us
step_ratio       1.174 x
step_ratio_low   1.160 x
step_ratio_high  1.213 x
steps_are        slower
reasons          id kb9dc7d, kernel elementwise_kernel<float, 0>, grid 1280x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 12.052 us, after 16.822 us, change 4770 ns, share 26.73 %
                 id k7aa5af, kernel reduce_kernel<float, 0>, grid 1024x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 10.485 us, after 14.791 us, change 4306 ns, share 24.13 %
                 id kb41d91, kernel layer_norm_kernel<float, 0>, grid 768x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 9013 ns, after 12.595 us, change 3582 ns, share 20.07 %
                 id k858257, kernel softmax_kernel<float, 0>, grid 512x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 7534 ns, after 10.494 us, change 2960 ns, share 16.59 %
                 id ka729f4, kernel gemm_kernel<float, 0>, grid 256x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 6047 ns, after 8406 ns, change 2359 ns, share 13.22 %

id       kernel                    change us  before_mean us  after_mean us  mean_ratio x
kb9dc7d  elementwise..l<float, 0>    181.814          12.047         16.820         1.396
k7aa5af  reduce_kernel<float, 0>     162.526          10.481         14.788         1.411
k174f53  ncclDevKernel_Generic_4     159.370          40.711         40.587         0.997
kb41d91  layer_norm_..l<float, 0>    136.364           9.010         12.593         1.398
k858257  softmax_kernel<float, 0>    113.048           7.531         10.493         1.393
ka729f4  gemm_kernel<float, 0>        90.267           6.044          8.405         1.391
(6 rows; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: `steps_are` holds for the steps of these two, not for the next ones

$ compare before/rank_0.db after/rank_0.db --limit 1 --json
{
  "schema": "rpl.compare/1",
  "before": "t1",
  "after": "t2",
  "before_span_ns": 2278651,
  "after_span_ns": 3143138,
  "span_ratio": 1.3793854346277687,
  "before_gpu_time_ns": 2059782,
  "after_gpu_time_ns": 2903171,
  "gpu_time_ratio": 1.4094554666464703,
  "steps_by": "kernels",
  "before_steps": 23,
  "after_steps": 27,
  "before_step_ns": 95599,
  "after_step_ns": 112249,
  "step_ratio": 1.1741650017259595,
  "step_ratio_low": 1.1598118880900607,
  "step_ratio_high": 1.2128451586603446,
  "steps_are": "slower",
  "reasons_of": "step",
  "reasons": [{"id": "kb9dc7d", "kernel": "void elementwise_kernel<float, 0>(float const*, float*, int)", "grid": [1280, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0003744969396748, "after_calls": 1.0001540569399823, "before_ns": 12051.761658256499, "after_ns": 16822.16260027753, "change_ns": 4770.400942021031, "share": 0.2673353042128155}, {"id": "k7aa5af", "kernel": "void reduce_kernel<float, 0>(float const*, float*, int)", "grid": [1024, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0003744969396748, "after_calls": 1.0001540569399823, "before_ns": 10485.05014923685, "after_ns": 14790.59967211819, "change_ns": 4305.54952288134, "share": 0.24128483234266287}, {"id": "kb41d91", "kernel": "void layer_norm_kernel<float, 0>(float const*, float*, int)", "grid": [768, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0003744969396748, "after_calls": 1.0001540569399823, "before_ns": 9012.915712448706, "after_ns": 12594.547121379972, "change_ns": 3581.6314089312655, "share": 0.2007161523574497}, {"id": "k858257", "kernel": "void softmax_kernel<float, 0>(float const*, float*, int)", "grid": [512, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0003744969396748, "after_calls": 1.0001540569399823, "before_ns": 7534.028747806221, "after_ns": 10494.366480957, "change_ns": 2960.337733150779, "share": 0.1658985896747819}, {"id": "ka729f4", "kernel": "void gemm_kernel<float, 0>(float const*, float*, int)", "grid": [256, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0003744969396748, "after_calls": 1.0001540569399823, "before_ns": 6046.638599939747, "after_ns": 8406.009090278569, "change_ns": 2359.3704903388216, "share": 0.13222012896849872}],
  "rows": [
    {"id": "kb9dc7d", "kernel": "void elementwise_kernel<float, 0>(float const*, float*, int)", "before_calls": 24, "after_calls": 28, "before_total_ns": 289134, "after_total_ns": 470948, "change_ns": 181814, "before_mean_ns": 12047.25, "after_mean_ns": 16819.571428571428, "mean_ratio": 1.396133676031578}
  ],
  "notes": ["two recordings differ by noise too: `steps_are` holds for the steps of these two, not for the next ones", "only 1 of 6 rows"],
  "provenance": "recorded"
}

$ compare before/rank_0.db same/rank_0.db --limit 1
before           t1
after            t2
before_span      2278.651 us
after_span       2633.372 us
span_ratio       1.156 x
before_gpu_time  2059.782 us
after_gpu_time   2397.652 us
gpu_time_ratio   1.164 x
steps_by         kernels
before_steps     23
after_steps      27
before_step      95.599 us
after_step       94.058 us
step_ratio       0.984 x
step_ratio_low   0.973 x
step_ratio_high  1.013 x
steps_are        unclear
reasons          id kb9dc7d, kernel elementwise_kernel<float, 0>, grid 1280x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 12.052 us, after 11.900 us, change -152 ns, share 81.74 %
                 id k174f53, kernel ncclDevKernel_Generic_4, grid 512x1x1, workgroup 256x1x1, before_calls 0.5002, after_calls 0.5002, before 20.340 us, after 20.410 us, change 70 ns, share -37.66 %
                 id ka729f4, kernel gemm_kernel<float, 0>, grid 256x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 6047 ns, after 5998 ns, change -49 ns, share 26.40 %
                 id kb41d91, kernel layer_norm_kernel<float, 0>, grid 768x1x1, workgroup 256x1x1, before_calls 1, after_calls 1, before 9013 ns, after 8991 ns, change -22 ns, share 12.06 %
                 id k174f53, kernel ncclDevKernel_Generic_4, grid 256x1x1, workgroup 256x1x1, before_calls 0.5002, after_calls 0.5002, before 20.386 us, after 20.369 us, change -17 ns, share 9.02 %

id       kernel                   change us  before_mean us  after_mean us  mean_ratio x
k174f53  ncclDevKernel_Generic_4    164.223          40.711         40.760         1.001
(1 of 6 rows; --limit 0 shows all; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: `steps_are` holds for the steps of these two, not for the next ones

# Markers tell what a step is: two collectives and, in every fourth, twice the kernels. Steps of one number are compared with each other.
$ compare marked/rank_0.db later/rank_0.db --limit 1
before           t1
after            t2
before_span      3557.661 us
after_span       4317.512 us
span_ratio       1.214 x
before_gpu_time  3210.597 us
after_gpu_time   3969.068 us
gpu_time_ratio   1.236 x
steps_by         markers
step_marker      step #
before_steps     15
after_steps      15
before_step      189.495 us
after_step       226.248 us
paired_steps     11
step_ratio       1.197 x
step_ratio_low   1.175 x
step_ratio_high  1.253 x
steps_are        slower
reasons          id kb9dc7d, kernel elementwise_kernel<float, 0>, grid 1280x1x1, workgroup 256x1x1, before_calls 1.942, after_calls 1.934, before 23.350 us, after 32.517 us, change 9167 ns, share 20.36 %
                 id k7aa5af, kernel reduce_kernel<float, 0>, grid 1024x1x1, workgroup 256x1x1, before_calls 1.942, after_calls 1.934, before 20.362 us, after 28.663 us, change 8300 ns, share 18.43 %
                 id k858257, kernel softmax_kernel<float, 0>, grid 512x1x1, workgroup 256x1x1, before_calls 2.427, after_calls 2.417, before 18.319 us, after 25.349 us, change 7030 ns, share 15.61 %
                 id kb41d91, kernel layer_norm_kernel<float, 0>, grid 768x1x1, workgroup 256x1x1, before_calls 1.942, after_calls 1.934, before 17.502 us, after 24.243 us, change 6741 ns, share 14.97 %
                 id ka729f4, kernel gemm_kernel<float, 0>, grid 256x1x1, workgroup 256x1x1, before_calls 2.427, after_calls 2.417, before 14.611 us, after 20.165 us, change 5554 ns, share 12.33 %

id       kernel                    change us  before_mean us  after_mean us  mean_ratio x
kb9dc7d  elementwise..l<float, 0>    153.306          12.025         16.816         1.398
(1 of 9 rows; --limit 0 shows all; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: `steps_are` holds for the steps of these two, not for the next ones

# A folder of ranks with another: steps are the mean of all ranks, and who is waited for is said.
$ compare ranks slow --limit 1
before             t1
after              t2
before_span        2307.034 us
after_span         2708.022 us
span_ratio         1.174 x
before_gpu_time    8388.898 us
after_gpu_time     9977.604 us
gpu_time_ratio     1.189 x
steps_by           markers
step_marker        step #
before_steps       11
after_steps        11
before_step        192.130 us
after_step         226.037 us
paired_steps       11
step_ratio         1.178 x
step_ratio_low     1.167 x
step_ratio_high    1.192 x
steps_are          slower
before_ranks       4
after_ranks        4
before_imbalance   2.21 %
after_imbalance    23.01 %
before_wait_share  1.67 %
after_wait_share   12.30 %
after_straggler    process 4244 on a5
reasons            id k174f53, kernel ncclDevKernel_Generic_4, grid 256x1x1, workgroup 256x1x1, before_calls 0.9998, after_calls 1.002, before 42.069 us, after 55.000 us, change 12.931 us, share 38.60 %
                   id k174f53, kernel ncclDevKernel_Generic_4, grid 512x1x1, workgroup 256x1x1, before_calls 0.9998, after_calls 1.002, before 42.646 us, after 53.958 us, change 11.312 us, share 33.77 %
                   id kb9dc7d, kernel elementwise_kernel<float, 0>, grid 1280x1x1, workgroup 256x1x1, before_calls 2, after_calls 2.004, before 23.984 us, after 26.437 us, change 2453 ns, share 7.32 %
                   id k7aa5af, kernel reduce_kernel<float, 0>, grid 1024x1x1, workgroup 256x1x1, before_calls 2, after_calls 2.004, before 21.055 us, after 23.169 us, change 2114 ns, share 6.31 %
                   id kb41d91, kernel layer_norm_kernel<float, 0>, grid 768x1x1, workgroup 256x1x1, before_calls 2, after_calls 2.004, before 17.962 us, after 19.882 us, change 1920 ns, share 5.73 %

id       kernel                   change us  before_mean us  after_mean us  mean_ratio x
k174f53  ncclDevKernel_Generic_4   1153.631          42.366         54.383         1.284
(1 of 6 rows; --limit 0 shows all; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: `steps_are` holds for the steps of these two, not for the next ones

# One of them has no markers: kernels tell the steps of both.
$ compare marked/rank_0.db before/rank_0.db --limit 1
before           t1
after            t2
before_span      3557.661 us
after_span       2278.651 us
span_ratio       0.640 x
before_gpu_time  3210.597 us
after_gpu_time   2059.782 us
gpu_time_ratio   0.642 x
after_steps      23
after_step       95.599 us
reasons          id k174f53, kernel ncclDevKernel_Generic_4, grid 256x1x1, workgroup 256x1x1, before_calls 16, after_calls 12, before 650.723 us, after 489.080 us, change -161.643 us, share 14.05 %
                 id k174f53, kernel ncclDevKernel_Generic_4, grid 512x1x1, workgroup 256x1x1, before_calls 16, after_calls 12, before 649.553 us, after 487.978 us, change -161.575 us, share 14.04 %
                 id k73bb6e, kernel layer_norm_kernel<float, 1>, grid 2048x1x1, workgroup 256x1x1, before_calls 8, after_calls 0, before 132.041 us, after 0 ns, change -132.041 us, share 11.47 %
                 id k858257, kernel softmax_kernel<float, 0>, grid 512x1x1, workgroup 256x1x1, before_calls 40, after_calls 24, before 301.891 us, after 180.749 us, change -121.142 us, share 10.53 %
                 id k96586e, kernel softmax_kernel<float, 1>, grid 1792x1x1, workgroup 256x1x1, before_calls 8, after_calls 0, before 119.347 us, after 0 ns, change -119.347 us, share 10.37 %

id       kernel                   change us  before_mean us  after_mean us  mean_ratio x
k174f53  ncclDevKernel_Generic_4   -323.218          40.634         40.711         1.002
(1 of 9 rows; --limit 0 shows all; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: a ratio is not a verdict
err: note: the second recording has no markers, so that kernels tell the steps
