# Walking what a dispatch waited for.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
(rpl) open small.db
t1: 60 dispatches, 4 kernels, 3 streams, gfx942 x1, 701.0 us (rocpd 3)

(rpl) select d20
trace      t1
kernel_id  ka729f4
kernel     gemm_kernel<float, 0>
dispatch   d20
(recorded)

(rpl) backtrace --depth 4
frame  id   kernel                      at us  duration us  evidence      waited ns  host ns
    0  d20  gemm_kernel<float, 0>     175.034        8.040  stream_order        878        0
    1  d18  gemm_kernel<float, 0>     165.996        8.160  stream_order        640        0
    2  d15  softmax_kernel<float, 0>  144.436       20.920  stream_order        795        0
    3  d13  gemm_kernel<float, 0>     135.881        7.760  stream_order        893        0
(4 rows; no room for launch_ns, idle_ns: /v, recorded)
err: note: the chain goes on before frame #4; --depth 0 shows all

(rpl) up
\#1  d18  gemm_kernel<float, 0>  at 166.0 us, took 8.160 us; waited 640 ns behind the frame above it (stream_order)
(recorded)

(rpl) up
\#2  d15  softmax_kernel<float, 0>  at 144.4 us, took 20.92 us; waited 795 ns behind the frame above it (stream_order)
(recorded)

(rpl) down
\#1  d18  gemm_kernel<float, 0>  at 166.0 us, took 8.160 us; waited 640 ns behind the frame above it (stream_order)
(recorded)

(rpl) frame 0
\#0  d20  gemm_kernel<float, 0>  at 175.0 us, took 8.040 us; waited 878 ns behind the frame above it (stream_order)
(recorded)

(rpl) down
err: error: frame #0 is the selected dispatch itself; 'up' goes to what it waited for

(rpl) frame 100000
err: error: there is no frame #100000; the chain begins with frame #11

(rpl) info dispatch/q
8040

(rpl) info kernel/q
ka729f4

(rpl) select nosuch
err: error: no kernel 'nosuch'; 'info kernels' lists them
