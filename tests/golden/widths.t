# Views of performance analysis at 80, 120 and 200 columns; those of thread traces are in
# att.t and att_lines.t, pictures in plots.t and roofline.t.
# example made: counters
# example rowsum: att/rowsum
# shared train.db: rocpd/mi350x_train.db
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --seed 7
$ --width 80 occupancy train.db --limit 4
id       kernel           waves_per_cu  occupancy %  limiter     change
k44ce20  ncclDev..eric_1             8        25.00  vgprs       VGPR 184 -> 168
k45196b  vecto..t16_co..            32       100.00  wave slots  -
kc77140  vecto..t16tof..            32       100.00  wave slots  -
kf85dae  Cijk_Ai..32_8_1             8        25.00  vgprs       VGPR 256 -> 168
(4 of 80 rows; --limit 0 shows all; no room for workgroups_per_cu, grid_cap, then_waves, vgprs, sgprs, lds_bytes, workgroup: /v, estimated)
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

$ --width 120 occupancy train.db --limit 4
id       kernel                    waves_per_cu  workgroups_per_cu  occupancy %  grid_cap %  limiter     change
k44ce20  ncclDevKernel_Generic_1              8                  2        25.00        5.08  vgprs       VGPR 184 -> 168
k45196b  vectoriz..loat16_copy_..            32                  8       100.00        9.38  wave slots  -
kc77140  vectoriz..loat16tofloa..            32                  8       100.00        0.05  wave slots  -
kf85dae  Cijk_Ailk_B..64_WG32_8_1             8                  2        25.00        9.38  vgprs       VGPR 256 -> 168
(4 of 80 rows; --limit 0 shows all; no room for then_waves, vgprs, sgprs, lds_bytes, workgroup: /v, estimated)
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

$ --width 200 occupancy train.db --limit 4
id       kernel                                                      waves_per_cu  workgroups_per_cu  occupancy %  grid_cap %  limiter     change           then_waves  vgprs  sgprs  lds KiB  workgroup
k44ce20  ncclDevKernel_Generic_1                                                8                  2        25.00        5.08  vgprs       VGPR 184 -> 168          12    184    112     36.8        256
k45196b  vectorized_elementwise_kerne..oat)#1}, array<char*, 2ul> >            32                  8       100.00        9.38  wave slots  -                         -     24     32      0.0        256
kc77140  vectorized_elementwise_kerne..t16)#1}, array<char*, 2ul> >            32                  8       100.00        0.05  wave slots  -                         -     24     32      0.0        256
kf85dae  Cijk_Ailk_Bljk_BBS_BH_Bias_H.._WSGRA0_WSGRB0_WS64_WG32_8_1             8                  2        25.00        9.38  vgprs       VGPR 256 -> 168          12    256     96     51.0        256
(4 of 80 rows; --limit 0 shows all, estimated)
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

$ --width 80 occupancy small.db k858257
k858257 softmax_kernel<float, 0> on MI300X (gfx942)
28 of 32 waves on a CU: 14 workgroups of 128 work-items (2 waves of 64), 87.5 %

resource       asked  allocated  available  workgroups
wave slots         2          2         32          16
vgprs             32         32        512          16
lds             4096       4096      65536          16
sgprs            112        112        800          14  limits
barriers           1          1         16          16

the grid has 76 workgroups and fills at most 1.6 % of the device's wave slots

to get more waves in:
  SGPR 112 -> 96 gives 30 waves per CU instead of 28 (93.8 %)
err: note: of 4 launch configurations the one with most time is shown; 'info kernel k858257' lists them

$ --width 120 occupancy small.db k858257
k858257 softmax_kernel<float, 0> on MI300X (gfx942)
28 of 32 waves on a CU: 14 workgroups of 128 work-items (2 waves of 64), 87.5 %

resource       asked  allocated  available  workgroups
wave slots         2          2         32          16
vgprs             32         32        512          16
lds             4096       4096      65536          16
sgprs            112        112        800          14  limits
barriers           1          1         16          16

the grid has 76 workgroups and fills at most 1.6 % of the device's wave slots

to get more waves in:
  SGPR 112 -> 96 gives 30 waves per CU instead of 28 (93.8 %)
err: note: of 4 launch configurations the one with most time is shown; 'info kernel k858257' lists them

$ --width 200 occupancy small.db k858257
k858257 softmax_kernel<float, 0> on MI300X (gfx942)
28 of 32 waves on a CU: 14 workgroups of 128 work-items (2 waves of 64), 87.5 %

resource       asked  allocated  available  workgroups
wave slots         2          2         32          16
vgprs             32         32        512          16
lds             4096       4096      65536          16
sgprs            112        112        800          14  limits
barriers           1          1         16          16

the grid has 76 workgroups and fills at most 1.6 % of the device's wave slots

to get more waves in:
  SGPR 112 -> 96 gives 30 waves per CU instead of 28 (93.8 %)
err: note: of 4 launch configurations the one with most time is shown; 'info kernel k858257' lists them

$ --width 80 roofline made --level hbm
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e7 +
      |
      |                                                 ///-- matrix i8 2.61 PF
  1e6 +                                             ///---- matrix bf16 1.31 PF
      |                                        /////          B
      |                                   ------------------- vector f32 163 TF
  1e5 +                              /---------------------- vector f64 81.7 TF
      |                          ////
      |                     ////A HBM 5.32 TB/s
  1e4 +                /////
      |           ////E
      |       ////
 1000 +  /////C
      |//
      |
  100 +
      ++-------------+-------------+--------------+-------------+-------------+
       0.1           1             10             100           1000         1e4
                                                                      FLOP/byte
not on the axes, no floating-point operation: D F

  kernel                  FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A stencil<double, 3>           5.72   14.9 TF  2.60 TB/s   48.8 %  memory      2
    of the bandwidth: HBM 48.8 %, L2 20.2 %, vL1D 23.9 %, LDS 0.0 %, MALL 15.1 %
B gemm_bf16<256, 128>           799    572 TF  0.72 TB/s   43.7 %  compute     2
    of the bandwidth: HBM 13.4 %, L2 10.9 %, vL1D 12.4 %, LDS 25.5 %, MALL 4.2 %
C saxpy                       0.333   1.41 TF  4.24 TB/s   79.6 %  memory      2
    of the bandwidth: HBM 79.6 %, L2 12.3 %, vL1D 17.3 %, LDS 0.0 %, MALL 24.6 %
D gemm_i8                         0      0 TF  0.98 TB/s   43.8 %  compute     1
    of the bandwidth: HBM 18.4 %, L2 11.8 %, vL1D 14.1 %, LDS 26.1 %, MALL 5.7 %
E softmax_rows                 1.19   4.27 TF  3.58 TB/s   67.2 %  memory      1
    of the bandwidth: HBM 67.2 %, L2 10.4 %, vL1D 16.4 %, LDS 1.7 %, MALL 20.8 %
F fill                            0      0 TF  8.39 TB/s  157.5 %  memory      1
    of the bandwidth: HBM 157.5 %, L2 24.4 %, vL1D 51.3 %, LDS 0.0 %, MALL 48.8 %
  ! 158 % of the roof: the rest came from the Infinity Cache, whose roof is the
    row of mall
err: note: D: its matrix work is INT8, which is not FLOPs: roofline --by type
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 120 roofline made --level hbm | tail -12
    of the bandwidth: HBM 48.8 %, L2 20.2 %, vL1D 23.9 %, LDS 0.0 %, MALL 15.1 %
B gemm_bf16<256, 128>                                                 799    572 TF  0.72 TB/s   43.7 %  compute     2
    of the bandwidth: HBM 13.4 %, L2 10.9 %, vL1D 12.4 %, LDS 25.5 %, MALL 4.2 %
C saxpy                                                             0.333   1.41 TF  4.24 TB/s   79.6 %  memory      2
    of the bandwidth: HBM 79.6 %, L2 12.3 %, vL1D 17.3 %, LDS 0.0 %, MALL 24.6 %
D gemm_i8                                                               0      0 TF  0.98 TB/s   43.8 %  compute     1
    of the bandwidth: HBM 18.4 %, L2 11.8 %, vL1D 14.1 %, LDS 26.1 %, MALL 5.7 %
E softmax_rows                                                       1.19   4.27 TF  3.58 TB/s   67.2 %  memory      1
    of the bandwidth: HBM 67.2 %, L2 10.4 %, vL1D 16.4 %, LDS 1.7 %, MALL 20.8 %
F fill                                                                  0      0 TF  8.39 TB/s  157.5 %  memory      1
    of the bandwidth: HBM 157.5 %, L2 24.4 %, vL1D 51.3 %, LDS 0.0 %, MALL 48.8 %
  ! 158 % of the roof: the rest came from the Infinity Cache, whose roof is the row of mall
err: note: D: its matrix work is INT8, which is not FLOPs: roofline --by type
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 200 roofline made --level hbm | tail -12
    of the bandwidth: HBM 48.8 %, L2 20.2 %, vL1D 23.9 %, LDS 0.0 %, MALL 15.1 %
B gemm_bf16<256, 128>                                                 799    572 TF  0.72 TB/s   43.7 %  compute     2
    of the bandwidth: HBM 13.4 %, L2 10.9 %, vL1D 12.4 %, LDS 25.5 %, MALL 4.2 %
C saxpy                                                             0.333   1.41 TF  4.24 TB/s   79.6 %  memory      2
    of the bandwidth: HBM 79.6 %, L2 12.3 %, vL1D 17.3 %, LDS 0.0 %, MALL 24.6 %
D gemm_i8                                                               0      0 TF  0.98 TB/s   43.8 %  compute     1
    of the bandwidth: HBM 18.4 %, L2 11.8 %, vL1D 14.1 %, LDS 26.1 %, MALL 5.7 %
E softmax_rows                                                       1.19   4.27 TF  3.58 TB/s   67.2 %  memory      1
    of the bandwidth: HBM 67.2 %, L2 10.4 %, vL1D 16.4 %, LDS 1.7 %, MALL 20.8 %
F fill                                                                  0      0 TF  8.39 TB/s  157.5 %  memory      1
    of the bandwidth: HBM 157.5 %, L2 24.4 %, vL1D 51.3 %, LDS 0.0 %, MALL 48.8 %
  ! 158 % of the roof: the rest came from the Infinity Cache, whose roof is the row of mall
err: note: D: its matrix work is INT8, which is not FLOPs: roofline --by type
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 80 classify made
id       kernel               label                   sure
kf6488b  stencil<double, 3>   insufficient data       none
k3cddfe  gemm_bf16<256, 128>  insufficient data       none
ke39260  saxpy                memory-bandwidth bound  medium
kcf74e9  gemm_i8              insufficient data       none
k420541  softmax_rows         memory-bandwidth bound  medium
k6bf89a  fill                 insufficient data       none
(6 rows; no room for because: /v, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 120 classify made
id       kernel               label                   sure    because
kf6488b  stencil<double, 3>   insufficient data       none    collect counters of the roofline: counters plan roofline
k3cddfe  gemm_bf16<256, 128>  insufficient data       none    maybe small-grid; findings k3cddfe
ke39260  saxpy                memory-bandwidth bound  medium  device memory is near its peak: hbm_share 0.796 >= 0.6
kcf74e9  gemm_i8              insufficient data       none    maybe small-grid; findings kcf74e9
k420541  softmax_rows         memory-bandwidth bound  medium  device memory is near its peak: hbm_share 0.6722 >= 0.6
k6bf89a  fill                 insufficient data       none    collect counters of the roofline: counters plan roofline
(6 rows, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 200 classify made
id       kernel               label                   sure    because
kf6488b  stencil<double, 3>   insufficient data       none    collect counters of the roofline: counters plan roofline
k3cddfe  gemm_bf16<256, 128>  insufficient data       none    maybe small-grid; findings k3cddfe
ke39260  saxpy                memory-bandwidth bound  medium  device memory is near its peak: hbm_share 0.796 >= 0.6
kcf74e9  gemm_i8              insufficient data       none    maybe small-grid; findings kcf74e9
k420541  softmax_rows         memory-bandwidth bound  medium  device memory is near its peak: hbm_share 0.6722 >= 0.6
k6bf89a  fill                 insufficient data       none    collect counters of the roofline: counters plan roofline
(6 rows, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 80 headroom made
id       kernel               low %  high %  critical_share %  priority %  cause
kf6488b  stencil<double, 3>    0.00   51.21             36.56       18.72  -
k3cddfe  gemm_bf16<256, 128>   0.00   56.29             28.36       15.96  -
ke39260  saxpy                 0.00   20.40             22.41        4.57  -
kcf74e9  gemm_i8               0.00   73.89              7.08        5.23  -
k420541  softmax_rows          0.00   32.78              4.42        1.45  -
k6bf89a  fill                  0.00   51.23              1.18        0.60  -
(6 rows; no room for roof_share, waits, step, physical: /v, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 120 headroom made
id       kernel               low %  high %  critical_share %  priority %  cause  roof_share %  waits %  step %
kf6488b  stencil<double, 3>    0.00   51.21             36.56       18.72  -             48.79        -       -
k3cddfe  gemm_bf16<256, 128>   0.00   56.29             28.36       15.96  -             43.71        -       -
ke39260  saxpy                 0.00   20.40             22.41        4.57  -             79.60        -       -
kcf74e9  gemm_i8               0.00   73.89              7.08        5.23  -             26.11        -       -
k420541  softmax_rows          0.00   32.78              4.42        1.45  -             67.22        -       -
k6bf89a  fill                  0.00   51.23              1.18        0.60  -             48.77        -       -
(6 rows; no room for physical: /v, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 200 headroom made
id       kernel               low %  high %  critical_share %  priority %  cause  roof_share %  waits %  step %  physical %
kf6488b  stencil<double, 3>    0.00   51.21             36.56       18.72  -             48.79        -       -           -
k3cddfe  gemm_bf16<256, 128>   0.00   56.29             28.36       15.96  -             43.71        -       -           -
ke39260  saxpy                 0.00   20.40             22.41        4.57  -             79.60        -       -           -
kcf74e9  gemm_i8               0.00   73.89              7.08        5.23  -             26.11        -       -           -
k420541  softmax_rows          0.00   32.78              4.42        1.45  -             67.22        -       -           -
k6bf89a  fill                  0.00   51.23              1.18        0.60  -             48.77        -       -           -
(6 rows, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 80 advise made
 1  kf6488b stencil<double, 3>: insufficient data
      record counters of the roofline
      > counters plan roofline
      gains the trace 0.0 % to at most 18.7 %
 2  ke39260 saxpy: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline ke39260
      gains the trace 0.0 % to at most 4.6 %
 3  k420541 softmax_rows: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline k420541
      gains the trace 0.0 % to at most 1.4 %
 4  k420541 softmax_rows: memory-bandwidth bound
      pad or swizzle the LDS layout: bank conflicts take LDS cycles
      > roofline k420541
      gains the trace 0.0 % to at most 1.4 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 120 advise made
 1  kf6488b stencil<double, 3>: insufficient data
      record counters of the roofline
      > counters plan roofline
      gains the trace 0.0 % to at most 18.7 %
 2  ke39260 saxpy: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline ke39260
      gains the trace 0.0 % to at most 4.6 %
 3  k420541 softmax_rows: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline k420541
      gains the trace 0.0 % to at most 1.4 %
 4  k420541 softmax_rows: memory-bandwidth bound
      pad or swizzle the LDS layout: bank conflicts take LDS cycles
      > roofline k420541
      gains the trace 0.0 % to at most 1.4 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ --width 200 advise made
 1  kf6488b stencil<double, 3>: insufficient data
      record counters of the roofline
      > counters plan roofline
      gains the trace 0.0 % to at most 18.7 %
 2  ke39260 saxpy: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline ke39260
      gains the trace 0.0 % to at most 4.6 %
 3  k420541 softmax_rows: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline k420541
      gains the trace 0.0 % to at most 1.4 %
 4  k420541 softmax_rows: memory-bandwidth bound
      pad or swizzle the LDS layout: bank conflicts take LDS cycles
      > roofline k420541
      gains the trace 0.0 % to at most 1.4 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

# One kernel with its evidence, and one number with where it comes from.
(rpl) open made
t1: 9 dispatches, 6 kernels, 0 streams, gfx942 x1, 1.736 ms (csv)
err: note: 1 remark about the recording: info warnings

(rpl) set width 80

(rpl) classify saxpy
ke39260 saxpy
memory-bandwidth bound, confidence medium (0.62)

memory-bandwidth bound        5 points
   +4  device memory is near its peak: hbm_share 0.796 >= 0.6
   +1  arithmetic intensity is on the memory side of the ridge: intensity_ratio
       0.01086 <= 1
latency bound                 1 point, lacks what it needs
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
under-occupied               -3 points, lacks what it needs
   -3  a roof is reached all the same: roof_share 0.796 >= 0.6
divergence limited           -3 points, lacks what it needs
   -3  device memory is near its peak all the same: hbm_share 0.796 >= 0.6
compute throughput limited   -2 points, lacks what it needs
   -2  device memory is near its peak as well: hbm_share 0.796 >= 0.6

what it is evidence for
1   bandwidth-used-up            not priced   
    a bandwidth is used up by bytes that are needed
    0.796 of the peak of the nearest level of memory
    -> move fewer bytes: fuse kernels, use a smaller type

to be surer, collect
  times of a run without counters (l2_share, vl1d_share, lds_share, compute_share): classify ke39260 --times TRACE
  a thread trace (wait_share): rocprofv3 --att --kernel-include-regex 'saxpy' -- APP
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

(rpl) explain saxpy.roof_share
roof_share = 79.6 %  [recorded]  hbm_share (mean of 2 dispatches in made, times
of the counting run)

(rpl) set width 120

(rpl) classify saxpy
ke39260 saxpy
memory-bandwidth bound, confidence medium (0.62)

memory-bandwidth bound        5 points
   +4  device memory is near its peak: hbm_share 0.796 >= 0.6
   +1  arithmetic intensity is on the memory side of the ridge: intensity_ratio 0.01086 <= 1
latency bound                 1 point, lacks what it needs
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
under-occupied               -3 points, lacks what it needs
   -3  a roof is reached all the same: roof_share 0.796 >= 0.6
divergence limited           -3 points, lacks what it needs
   -3  device memory is near its peak all the same: hbm_share 0.796 >= 0.6
compute throughput limited   -2 points, lacks what it needs
   -2  device memory is near its peak as well: hbm_share 0.796 >= 0.6

what it is evidence for
1   bandwidth-used-up            not priced   
    a bandwidth is used up by bytes that are needed
    0.796 of the peak of the nearest level of memory
    -> move fewer bytes: fuse kernels, use a smaller type

to be surer, collect
  times of a run without counters (l2_share, vl1d_share, lds_share, compute_share): classify ke39260 --times TRACE
  a thread trace (wait_share): rocprofv3 --att --kernel-include-regex 'saxpy' -- APP
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

(rpl) explain saxpy.roof_share
roof_share = 79.6 %  [recorded]  hbm_share (mean of 2 dispatches in made, times of the counting run)

(rpl) set width 200

(rpl) classify saxpy
ke39260 saxpy
memory-bandwidth bound, confidence medium (0.62)

memory-bandwidth bound        5 points
   +4  device memory is near its peak: hbm_share 0.796 >= 0.6
   +1  arithmetic intensity is on the memory side of the ridge: intensity_ratio 0.01086 <= 1
latency bound                 1 point, lacks what it needs
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
under-occupied               -3 points, lacks what it needs
   -3  a roof is reached all the same: roof_share 0.796 >= 0.6
divergence limited           -3 points, lacks what it needs
   -3  device memory is near its peak all the same: hbm_share 0.796 >= 0.6
compute throughput limited   -2 points, lacks what it needs
   -2  device memory is near its peak as well: hbm_share 0.796 >= 0.6

what it is evidence for
1   bandwidth-used-up            not priced   
    a bandwidth is used up by bytes that are needed
    0.796 of the peak of the nearest level of memory
    -> move fewer bytes: fuse kernels, use a smaller type

to be surer, collect
  times of a run without counters (l2_share, vl1d_share, lds_share, compute_share): classify ke39260 --times TRACE
  a thread trace (wait_share): rocprofv3 --att --kernel-include-regex 'saxpy' -- APP
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

(rpl) explain saxpy.roof_share
roof_share = 79.6 %  [recorded]  hbm_share (mean of 2 dispatches in made, times of the counting run)

# The same of a thread trace.
(rpl) open rowsum
att1: rowsum, thread trace, 4 waves, 220 instructions executed

(rpl) set width 80

(rpl) classify
id    kernel  label          sure  because
att1  rowsum  latency bound  low   waves spend their time..t_share 0.8199 >= 0.3
(1 row, estimated)

(rpl) explain att1.stall_pct
stall_pct = 82.4987 %  [recorded]  code.json: sums over all instruction rows
    = 100 * stall / (latency + idle)
  stall = 13048  [recorded]
  latency = 15560  [recorded]
  idle = 256  [recorded]

the older tool has in its place
stall_fraction = 0.452051  older tool, att_analysis.py
    = stall / (latency + stall + idle)
    (wrong: latency already contains stall, which is so counted twice in the
    denominator: the fraction can never exceed 0.5)

(rpl) set width 120

(rpl) classify
id    kernel  label          sure  because
att1  rowsum  latency bound  low   waves spend their time waiting: wait_share 0.8199 >= 0.3
(1 row, estimated)

(rpl) explain att1.stall_pct
stall_pct = 82.4987 %  [recorded]  code.json: sums over all instruction rows
    = 100 * stall / (latency + idle)
  stall = 13048  [recorded]
  latency = 15560  [recorded]
  idle = 256  [recorded]

the older tool has in its place
stall_fraction = 0.452051  older tool, att_analysis.py
    = stall / (latency + stall + idle)
    (wrong: latency already contains stall, which is so counted twice in the denominator: the fraction can never exceed
    0.5)

(rpl) set width 200

(rpl) classify
id    kernel  label          sure  because
att1  rowsum  latency bound  low   waves spend their time waiting: wait_share 0.8199 >= 0.3
(1 row, estimated)

(rpl) explain att1.stall_pct
stall_pct = 82.4987 %  [recorded]  code.json: sums over all instruction rows
    = 100 * stall / (latency + idle)
  stall = 13048  [recorded]
  latency = 15560  [recorded]
  idle = 256  [recorded]

the older tool has in its place
stall_fraction = 0.452051  older tool, att_analysis.py
    = stall / (latency + stall + idle)
    (wrong: latency already contains stall, which is so counted twice in the denominator: the fraction can never exceed 0.5)
