# Two recordings of a loop: whether a step of the second takes longer, and which launches make it so.
# fixture before: --ranks 1 --steps 12 --collectives 2 --kernels 5 --seed 3
# fixture after: --ranks 1 --steps 14 --collectives 2 --kernels 5 --seed 4 --straggler 0
# fixture same: --ranks 1 --steps 14 --collectives 2 --kernels 5 --seed 5
$ compare before/rank_0.db after/rank_0.db
before           t1
after            t2
before_span      2278.651 us
after_span       3143.138 us
span_ratio       1.379 x
before_gpu_time  2059.782 us
after_gpu_time   2903.171 us
gpu_time_ratio   1.409 x
before_steps     23
after_steps      27
before_step      95.599 us
after_step       112.249 us
step_ratio       1.174 x
step_ratio_low   1.160 x
step_ratio_high  1.213 x
steps_are        slower
reasons          id kb9dc7d, kernel void elementwise_kernel<float, 0>(float const*, float*, int), grid 1280, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 0.9999, before 12.130 us, after 16.819 us, change 4688 ns, share 0.272 x
                 id k7aa5af, kernel void reduce_kernel<float, 0>(float const*, float*, int), grid 1024, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 0.9999, before 10.553 us, after 14.788 us, change 4234 ns, share 0.245 x
                 id kb41d91, kernel void layer_norm_kernel<float, 0>(float const*, float*, int), grid 768, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 0.9999, before 9072 ns, after 12.592 us, change 3520 ns, share 0.204 x
                 id k858257, kernel void softmax_kernel<float, 0>(float const*, float*, int), grid 512, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 0.9999, before 7583 ns, after 10.492 us, change 2909 ns, share 0.169 x
                 id ka729f4, kernel void gemm_kernel<float, 0>(float const*, float*, int), grid 256, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 0.9999, before 6086 ns, after 8404 ns, change 2318 ns, share 0.134 x

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
  "before_steps": 23,
  "after_steps": 27,
  "before_step_ns": 95599,
  "after_step_ns": 112249,
  "step_ratio": 1.1741650017259595,
  "step_ratio_low": 1.1598118880900607,
  "step_ratio_high": 1.2128451586603446,
  "steps_are": "slower",
  "reasons_of": "step",
  "reasons": [{"id": "kb9dc7d", "kernel": "void elementwise_kernel<float, 0>(float const*, float*, int)", "grid": [1280, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0069010129238747, "after_calls": 0.9999471865377848, "before_ns": 12130.388227947149, "after_ns": 16818.68312877131, "change_ns": 4688.294900824161, "share": 0.2715856022677987}, {"id": "k7aa5af", "kernel": "void reduce_kernel<float, 0>(float const*, float*, int)", "grid": [1024, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0069010129238747, "after_calls": 0.9999471865377848, "before_ns": 10553.455379081746, "after_ns": 14787.540406116435, "change_ns": 4234.085027034689, "share": 0.24527393358257807}, {"id": "kb41d91", "kernel": "void layer_norm_kernel<float, 0>(float const*, float*, int)", "grid": [768, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0069010129238747, "after_calls": 0.9999471865377848, "before_ns": 9071.71663014652, "after_ns": 12591.942083675613, "change_ns": 3520.225453529092, "share": 0.20392116326706952}, {"id": "k858257", "kernel": "void softmax_kernel<float, 0>(float const*, float*, int)", "grid": [512, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0069010129238747, "after_calls": 0.9999471865377848, "before_ns": 7583.18129937406, "after_ns": 10492.195841544342, "change_ns": 2909.0145421702828, "share": 0.16851466965147982}, {"id": "ka729f4", "kernel": "void gemm_kernel<float, 0>(float const*, float*, int)", "grid": [256, 1, 1], "workgroup": [256, 1, 1], "before_calls": 1.0069010129238747, "after_calls": 0.9999471865377848, "before_ns": 6086.087309991745, "after_ns": 8404.270403653927, "change_ns": 2318.183093662182, "share": 0.1342887264938468}],
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
before_steps     23
after_steps      27
before_step      95.599 us
after_step       94.058 us
step_ratio       0.984 x
step_ratio_low   0.973 x
step_ratio_high  1.013 x
steps_are        unclear
reasons          id kb9dc7d, kernel void elementwise_kernel<float, 0>(float const*, float*, int), grid 1280, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 1, before 12.130 us, after 11.895 us, change -235 ns, share 0.302 x
                 id k174f53, kernel ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>), grid 256, 1, 1, workgroup 256, 1, 1, before_calls 0.5035, after_calls 0.5, before 20.519 us, after 20.362 us, change -157 ns, share 0.202 x
                 id ka729f4, kernel void gemm_kernel<float, 0>(float const*, float*, int), grid 256, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 1, before 6086 ns, after 5995 ns, change -91 ns, share 0.117 x
                 id kb41d91, kernel void layer_norm_kernel<float, 0>(float const*, float*, int), grid 768, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 1, before 9072 ns, after 8987 ns, change -85 ns, share 0.109 x
                 id k7aa5af, kernel void reduce_kernel<float, 0>(float const*, float*, int), grid 1024, 1, 1, workgroup 256, 1, 1, before_calls 1.007, after_calls 1, before 10.553 us, after 10.478 us, change -76 ns, share 0.097 x

id       kernel                   change us  before_mean us  after_mean us  mean_ratio x
k174f53  ncclDevKernel_Generic_4    164.223          40.711         40.760         1.001
(1 of 6 rows; --limit 0 shows all; no room for before_calls, after_calls, before_total_ns, after_total_ns: /v, recorded)
err: note: two recordings differ by noise too: `steps_are` holds for the steps of these two, not for the next ones
