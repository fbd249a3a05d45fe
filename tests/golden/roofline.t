# How close kernels come to what memory and units allow.
# example made: counters
# fixture bare.db: --dispatches 20 --kernels 2 --seed 5
# file times_kernel_trace.csv:
#| Kind,Agent_Id,Queue_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
#| KERNEL_DISPATCH,Agent 4,1,1,"saxpy(float, float const*, float*, int)",1,1000,181000
# fixture two.db: --dispatches 20 --kernels 2 --counters 2 --seed 5
$ roofline made --level hbm
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e7 +
      |
      |                                                               ////------- matrix i8 2.61 PF
  1e6 +                                                         /////---------- matrix bf16 1.31 PF
      |                                                   //////              B
      |                                             ----------------------------- vector f32 163 TF
  1e5 +                                       /--------------------------------- vector f64 81.7 TF
      |                                 //////
      |                           /////A HBM 5.32 TB/s
  1e4 +                     //////
      |               /////E
      |         //////
 1000 +  /////// C
      |//
      |
  100 +
      ++-----------------+-----------------+------------------+-----------------+-----------------+
       0.1               1                 10                 100               1000             1e4
                                                                                          FLOP/byte
not on the axes, no floating-point operation: D F

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A stencil<double, 3>                               5.72   14.9 TF  2.60 TB/s   48.8 %  memory      2
    of the bandwidth: HBM 48.8 %, L2 20.2 %, vL1D 23.9 %, LDS 0.0 %, MALL 15.1 %
B gemm_bf16<256, 128>                               799    572 TF  0.72 TB/s   43.7 %  compute     2
    of the bandwidth: HBM 13.4 %, L2 10.9 %, vL1D 12.4 %, LDS 25.5 %, MALL 4.2 %
C saxpy                                           0.333   1.41 TF  4.24 TB/s   79.6 %  memory      2
    of the bandwidth: HBM 79.6 %, L2 12.3 %, vL1D 17.3 %, LDS 0.0 %, MALL 24.6 %
D gemm_i8                                             0      0 TF  0.98 TB/s   43.8 %  compute     1
    of the bandwidth: HBM 18.4 %, L2 11.8 %, vL1D 14.1 %, LDS 26.1 %, MALL 5.7 %
E softmax_rows                                     1.19   4.27 TF  3.58 TB/s   67.2 %  memory      1
    of the bandwidth: HBM 67.2 %, L2 10.4 %, vL1D 16.4 %, LDS 1.7 %, MALL 20.8 %
F fill                                                0      0 TF  8.39 TB/s  157.5 %  memory      1
    of the bandwidth: HBM 157.5 %, L2 24.4 %, vL1D 51.3 %, LDS 0.0 %, MALL 48.8 %
  ! 158 % of the roof: the rest came from the Infinity Cache, whose roof is the row of mall
err: note: D: its matrix work is INT8, which is not FLOPs: roofline --by type
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ roofline made saxpy --level hbm --json
{
  "schema": "rpl.roofline/1",
  "gpu": "MI300X (gfx942)",
  "ceilings": "spec",
  "peaks": {"gbps": {"lds": 81715.2, "vl1d": 40857.6, "l2": 34406.4, "mall": 17200.0, "hbm": 5324.8}, "gflops": {"vector f64": 81715.2, "vector f32": 163430.4, "vector f32_single": 81715.2, "vector f16": 163430.4, "matrix f64": 163430.4, "matrix f32": 163430.4, "matrix xf32": 653721.6, "matrix f16": 1307443.2, "matrix bf16": 1307443.2, "matrix f8": 2614886.4, "matrix i8": 2614886.4}},
  "missing": [],
  "rows": [
    {"at": "A", "id": "ke39260", "kernel": "saxpy(float, float const*, float*, int)", "calls": 2, "level": "hbm", "type": "all", "flops": 268435456.0, "bytes": 805306368.0, "time_ns": 190000.0, "time_source": "instrumented", "arithmetic_intensity": 0.3333333333333333, "achieved_gflops": 1412.8181894736842, "achieved_gbps": 4238.4545684210525, "peak_gflops": 163430.4, "peak_gbps": 5324.8, "attainable_gflops": 1774.9333333333334, "roof_share": 0.7959838056680161, "bound": "memory", "remark": null, "work": {"vector f16": 0.0, "vector f32": 268435456.0, "vector f64": 0.0, "matrix f16": 0.0, "matrix bf16": 0.0, "matrix f32": 0.0, "matrix f64": 0.0, "matrix f8": 0.0, "matrix i8": 0.0}, "read_bytes": 536870912.0, "write_bytes": 268435456.0}
  ],
  "notes": ["times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'"],
  "provenance": "estimated"
}

$ roofline made --by type
MI300X (gfx942), HBM, ceilings: spec

at  kernel               type         arithmetic_intensity  achieved GFLOP/s  roof_share %  bound
A   stencil<double, 3>   vector f64                  5.722           14864.5         48.79  memory
B   gemm_bf16<256, 128>  vector f32                 0.1489             106.4         13.43  memory
B   gemm_bf16<256, 128>  matrix bf16                 799.2          571471.7         43.71  compute
C   saxpy                vector f32                 0.3333            1412.8         79.60  memory
D   gemm_i8              matrix i8                    1170         1145324.6         43.80  compute
E   softmax_rows         vector f32                  1.192            4266.7         67.22  memory
(6 rows; no room for calls, level, flops, bytes, time_ns, achieved_gbps, peak_gflops, peak_gbps: /v, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ roofline made fill --ceilings user --memory-bandwidth-gbps 9000 --level hbm
GFLOP/s  MI300X (gfx942), HBM, ceilings: user
  1e6 +
      |
      |
      |                                                 //----------------------- vector f32 163 TF
  1e5 +                                          ///////
      |                                    //////
      |                              ////// HBM 9.00 TB/s
  1e4 +                        //////
      |                  //////
      |            //////
      |      //////
 1000 +//////
      |
      |
      |
  100 +
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte
not on the axes, no floating-point operation: A

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A fill                                                0      0 GF  8.39 TB/s   93.2 %  memory      1
    of the bandwidth: HBM 93.2 %, L2 24.4 %, vL1D 51.3 %, LDS 0.0 %, MALL 48.8 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ roofline made saxpy --ceilings measured --device 1
GFLOP/s  MI300X (gfx942), HBM, ceilings: measured
  1e6 +
      |
      |
      |                                                        ------------------ vector f32 118 TF
  1e5 +                                                  //////
      |                                            //////
      |                                      //////
  1e4 +                                //////
      |                          ////// HBM 4.20 TB/s
      |                    //////
      |              //////
 1000 +        ////A/
      | ///////
      |/
      |
  100 +
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A saxpy                                           0.333   1.41 TF  4.24 TB/s  100.9 %  memory      2
    of the bandwidth: HBM 100.9 %, L2 17.2 %, vL1D 21.4 %, LDS 0.0 %, MALL 43.3 %
  ! 101 % of the roof: the rest came from the Infinity Cache, whose roof is the row of mall
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: not measured, so these are from the specification: vector f32_single, vector f16, matrix xf32

$ roofline made --ceilings user
err: error: no ceiling was given; say --peak-gflops N, --memory-bandwidth-gbps N or --clock-mhz N; `set arch values` for others
? 2

$ roofline bare.db
there is no roofline without counters
err: note: the recording has no hardware counters: 'counters plan' says how to collect them

$ roofline two.db
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e6 +
      |
      |
      |                                                      ///----------------- vector f32 163 TF
  1e5 +                                                //////
      |                                          //////
      |                                    //////
  1e4 +                             /////// HBM 5.32 TB/s
      |                       //////
      |                 //////
      |           //////
 1000 +     //////
      |/////
      |
      |
  100 +
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte
not on the axes, time or counters unknown: A B

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A gemm_kernel<float, 0>                               -         -          -        -  unknown    18
B softmax_kernel<float, 0>                            -         -          -        -  unknown     2
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

$ plot roofline made --width 80
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e7 +
      |
      |                                 ... .... ....   ///-- matrix i8 2.61 PF
  1e6 +                            ..............   ///---- matrix bf16 1.31 PF
      |                       ..............   /////          B
      |                  ...............  ------------------- vector f32 163 TF
  1e5 +              ..............  /---------------------- vector f64 81.7 TF
      |         ..............   ////
      |    ..............   ////A HBM 5.32 TB/s
  1e4 +..............  /////
      |.........  ////E
      |....   ////
 1000 +  /////C
      |//
      |
  100 +
      ++-------------+-------------+--------------+-------------+-------------+
       0.1           1             10             100           1000         1e4
                                                                      FLOP/byte
dotted, from the left: LDS 81.7 TB/s, vL1D 40.9 TB/s, L2 34.4 TB/s, MALL 17.2 TB/s
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
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ plot roofline made --width 120 --ceilings measured
GFLOP/s  MI300X (gfx942), HBM, ceilings: measured
  1e7 +
      |
      |
      |                                                  ...    ......      ...     ///-------------- matrix i8 1.65 PF
  1e6 +                                            ...... .........   ......  /--------------------- matrix bf16 707 TF
      |                                       .....  ........   ......   /////                B
      |                                 ...... ........    .....   //////
      |                           ...... .........   ......  ---------------------------------------- vector f32 118 TF
  1e5 +                     ...... .........   ......  --------------------------------------------- vector f64 61.0 TF
      |               ...... .........   ......  //////
      |         ...... .........   ......  ////// HBM 4.21 TB/s
  1e4 +    .....  ........   ......  //////   A
      |.... ........   ......   /////
      |........   .....   /////E
      |..   ......  //////
 1000 +.....  /////C
      | //////
      |/
      |
  100 +
      ++---------------------+---------------------+----------------------+---------------------+---------------------+
       0.1                   1                     10                     100                   1000                 1e4
                                                                                                              FLOP/byte
dotted, from the left: LDS 68.9 TB/s, vL1D 33.1 TB/s, L2 24.8 TB/s, MALL 9.80 TB/s
not on the axes, no floating-point operation: D F

  kernel                                                        FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A stencil<double, 3>                                                 5.72   14.9 TF  2.60 TB/s   61.7 %  memory      2
    of the bandwidth: HBM 61.7 %, L2 28.0 %, vL1D 29.5 %, LDS 0.0 %, MALL 26.5 %
B gemm_bf16<256, 128>                                                 799    572 TF  0.72 TB/s   80.8 %  compute     2
    of the bandwidth: HBM 17.0 %, L2 15.2 %, vL1D 15.3 %, LDS 30.2 %, MALL 7.3 %
C saxpy                                                             0.333   1.41 TF  4.24 TB/s  100.7 %  memory      2
    of the bandwidth: HBM 100.7 %, L2 17.1 %, vL1D 21.3 %, LDS 0.0 %, MALL 43.2 %
  ! 101 % of the roof: the rest came from the Infinity Cache, whose roof is the row of mall
D gemm_i8                                                               0      0 TF  0.98 TB/s   69.4 %  compute     1
    of the bandwidth: HBM 23.2 %, L2 16.3 %, vL1D 17.4 %, LDS 31.0 %, MALL 10.0 %
E softmax_rows                                                       1.19   4.27 TF  3.58 TB/s   85.0 %  memory      1
    of the bandwidth: HBM 85.0 %, L2 14.4 %, vL1D 20.3 %, LDS 2.0 %, MALL 36.5 %
F fill                                                                  0      0 TF  8.39 TB/s  199.3 %  memory      1
    of the bandwidth: HBM 199.3 %, L2 33.8 %, vL1D 63.4 %, LDS 0.0 %, MALL 85.6 %
  ! 199 % of the roof: the rest came from the Infinity Cache, whose roof is the row of mall
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: not measured, so these are from the specification: vector f32_single, vector f16, matrix xf32

$ plot roofline made --width 200 --level l2
GFLOP/s  MI300X (gfx942), L2, ceilings: spec
  1e7 +
      |
      |
      |                                                                                                                       .             .   /------------------------------------ matrix i8 2.61 PF
      |                                                                                                               ........      ........////      ........                .........
      |                                                                                                      .........      ......------------------------------------------------- matrix bf16 1.31 PF
  1e6 +                                                                                              ........      .........///      .........                ........
      |                                                                                      ........      ........////      ........                ......... B
      |                                                                             .........      ........////      ........                ........
      |                                                                     ........      .........///      .........                ........
      |                                                             ........      .....---------------------------------------------------------------------------------------------- vector f32 163 TF
  1e5 +                                                    .........      ........//// L2 34.4 TB/s                 ........
      |                                            ........       .......----------------------------------------------------------------------------------------------------------- vector f64 81.7 TF
      |                                    ........      .........///      ........                .........
      |                            ........      ........////      ........                ........
      |                   .........      ........///       ........                ........
      |           ........      .........///      .........            A   ........
  1e4 +   ........      ........////      ........                .........
      |...      ........////      ........                ........
      |.........///      .........                ........E
      |////      ........                .........
      |  ........                ........
      |..                .......C
 1000 +         .........
      ++-----------------------------------------------+-----------------------------------------------+----------------------------------------------+-----------------------------------------------+
       0.1                                             1                                               10                                             100                                           1000
                                                                                                                                                                                              FLOP/byte
dotted, from the left: LDS 81.7 TB/s, vL1D 40.9 TB/s, MALL 17.2 TB/s, HBM 5.32 TB/s
not on the axes, no floating-point operation: D F

  kernel                                                        FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A stencil<double, 3>                                                 2.14   14.9 TF  6.95 TB/s   20.2 %  memory      2
    of the bandwidth: HBM 48.8 %, L2 20.2 %, vL1D 23.9 %, LDS 0.0 %, MALL 15.1 %
B gemm_bf16<256, 128>                                                 152    572 TF  3.77 TB/s   43.7 %  compute     2
    of the bandwidth: HBM 13.4 %, L2 10.9 %, vL1D 12.4 %, LDS 25.5 %, MALL 4.2 %
C saxpy                                                             0.333   1.41 TF  4.24 TB/s   12.3 %  memory      2
    of the bandwidth: HBM 79.6 %, L2 12.3 %, vL1D 17.3 %, LDS 0.0 %, MALL 24.6 %
D gemm_i8                                                               0      0 TF  4.05 TB/s   43.8 %  compute     1
    of the bandwidth: HBM 18.4 %, L2 11.8 %, vL1D 14.1 %, LDS 26.1 %, MALL 5.7 %
E softmax_rows                                                       1.19   4.27 TF  3.58 TB/s   10.4 %  memory      1
    of the bandwidth: HBM 67.2 %, L2 10.4 %, vL1D 16.4 %, LDS 1.7 %, MALL 20.8 %
F fill                                                                  0      0 TF  8.39 TB/s   24.4 %  memory      1
    of the bandwidth: HBM 157.5 %, L2 24.4 %, vL1D 51.3 %, LDS 0.0 %, MALL 48.8 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ plot memory made gemm_bf16 --width 80
gemm_bf16<256, 128>
MI300X (gfx942), mean of 2 dispatches, 240.5 us in the counting run

  +--------+
  |  CUs   |  2,048 waves, occupancy 25.0 %
  +--------+  VALU 12.0 %, MFMA 44.0 %, lanes 100.0 %
      +-- LDS  4.661 GiB  20.8 TB/s = 25.5 % of 81.7 TB/s
      |        0.02 cycles lost to bank conflicts for each useful one
      |     1.133 GiB (tag look-ups of 64 B)
      |     5.06 TB/s = 12.4 % of 40.9 TB/s
  +--------+
  |  vL1D  |  hit  60.0 %  ##########
  +--------+
      |     read 800.0 MiB  write 64.00 MiB
      |     3.77 TB/s = 10.9 % of 34.4 TB/s
  +--------+
  |   L2   |  hit  86.0 %  ##############
  +--------+
      |     read 100.0 MiB  write 64.00 MiB
      |     715 GB/s = 13.4 % of 5.32 TB/s
  +--------+
  | fabric |
  +--------+
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ plot memory made gemm_bf16 --width 120
gemm_bf16<256, 128>
MI300X (gfx942), mean of 2 dispatches, 240.5 us in the counting run

  +--------+
  |  CUs   |  2,048 waves, occupancy 25.0 %
  +--------+  VALU 12.0 %, MFMA 44.0 %, lanes 100.0 %
      +-- LDS  4.661 GiB  20.8 TB/s = 25.5 % of 81.7 TB/s
      |        0.02 cycles lost to bank conflicts for each useful one
      |     1.133 GiB (tag look-ups of 64 B)
      |     5.06 TB/s = 12.4 % of 40.9 TB/s
  +--------+
  |  vL1D  |  hit  60.0 %  ##############
  +--------+
      |     read 800.0 MiB  write 64.00 MiB
      |     3.77 TB/s = 10.9 % of 34.4 TB/s
  +--------+
  |   L2   |  hit  86.0 %  #####################
  +--------+
      |     read 100.0 MiB  write 64.00 MiB
      |     715 GB/s = 13.4 % of 5.32 TB/s
  +--------+
  | fabric |
  +--------+
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ plot memory made gemm_bf16 --width 200
gemm_bf16<256, 128>
MI300X (gfx942), mean of 2 dispatches, 240.5 us in the counting run

  +--------+
  |  CUs   |  2,048 waves, occupancy 25.0 %
  +--------+  VALU 12.0 %, MFMA 44.0 %, lanes 100.0 %
      +-- LDS  4.661 GiB  20.8 TB/s = 25.5 % of 81.7 TB/s
      |        0.02 cycles lost to bank conflicts for each useful one
      |     1.133 GiB (tag look-ups of 64 B)
      |     5.06 TB/s = 12.4 % of 40.9 TB/s
  +--------+
  |  vL1D  |  hit  60.0 %  ########################
  +--------+
      |     read 800.0 MiB  write 64.00 MiB
      |     3.77 TB/s = 10.9 % of 34.4 TB/s
  +--------+
  |   L2   |  hit  86.0 %  ##################################
  +--------+
      |     read 100.0 MiB  write 64.00 MiB
      |     715 GB/s = 13.4 % of 5.32 TB/s
  +--------+
  | fabric |
  +--------+
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ plot memory bare.db
there is nothing to draw without counters
err: note: the recording has no hardware counters: 'counters plan' says how to collect them

$ plot roofline made -o roofs.svg
wrote roofs.svg, 8.585 KiB
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ plot memory made -o memory.svg
wrote memory.svg, 2.119 KiB
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: 5 more kernels have counters: 'plot memory KERNEL'

$ counters metrics made softmax
gpu  MI300X (gfx942)

id       dispatch  metric                      value  unit          formula
k420541         -  flops_valu_f16                  0  FLOP          64 * (SQ_IN..LU_FMA_F16)
k420541         -  flops_valu_f32          3.200e+08  FLOP          64 * (SQ_IN..LU_FMA_F32)
k420541         -  flops_valu_f64                  0  FLOP          64 * (SQ_IN..LU_FMA_F64)
k420541         -  flops_mfma_f16                  0  FLOP          512 * SQ_IN..MA_MOPS_F16
k420541         -  flops_mfma_bf16                 0  FLOP          512 * SQ_IN..A_MOPS_BF16
k420541         -  flops_mfma_f32                  0  FLOP          512 * SQ_IN..MA_MOPS_F32
k420541         -  flops_mfma_f64                  0  FLOP          512 * SQ_IN..MA_MOPS_F64
k420541         -  flops_mfma_f8                   0  FLOP          512 * SQ_IN..FMA_MOPS_F8
k420541         -  iops_mfma_i8                    0  OP            512 * SQ_IN..FMA_MOPS_I8
k420541         -  flops_f16                       0  FLOP          flops_valu_..ps_mfma_f16
k420541         -  flops_bf16                      0  FLOP          flops_mfma_bf16
k420541         -  flops_f32               3.200e+08  FLOP          flops_valu_..ps_mfma_f32
k420541         -  flops_f64                       0  FLOP          flops_valu_..ps_mfma_f64
k420541         -  flops_f8                        0  FLOP          flops_mfma_f8
k420541         -  flops                   3.200e+08  FLOP          flops_f16 +.. + flops_f8
k420541         -  hbm_read_bytes          1.342e+08  B             128 * TCC_B..EQ_32B_sum)
k420541         -  hbm_write_bytes         1.342e+08  B             64 * TCC_EA..EQ_64B_sum)
k420541         -  hbm_bytes               2.684e+08  B             hbm_read_by..write_bytes
k420541         -  l2_read_bytes           1.342e+08  B             128 * TCP_T..EAD_REQ_sum
k420541         -  l2_write_bytes          1.342e+08  B             64 * (TCP_T..ET_REQ_sum)
k420541         -  l2_bytes                2.684e+08  B             l2_read_byt..write_bytes
k420541         -  vl1d_bytes              5.033e+08  B             64 * TCP_TO..CCESSES_sum
k420541         -  lds_bytes               1.024e+08  B             128 * (SQ_L..K_CONFLICT)
k420541         -  l2_hit_rate                   0.3  share         TCC_HIT_sum..C_MISS_sum)
k420541         -  vl1d_hit_rate                 0.6  share         1 - (TCP_TC..CCESSES_sum
k420541         -  sl1d_hit_rate                   -  share         SQC_DCACHE_.._DUPLICATE)
k420541         -  icache_hit_rate                 -  share         SQC_ICACHE_.._DUPLICATE)
k420541         -  lds_bank_conflict_rate      0.875  ratio         SQ_LDS_BANK..K_CONFLICT)
k420541         -  gui_cycles              1.575e+05  cycles        GRBM_GUI_AC..XCCS_SUMMED
k420541         -  valu_utilization             0.15  share         SQ_ACTIVE_I..cles * CUS)
k420541         -  mfma_utilization                0  share         SQ_VALU_MFM..US * SIMDS)
k420541         -  active_lanes                 0.62  share         SQ_THREAD_C.._INST_VALU)
k420541         -  occupancy                     0.7  share         4 * SQ_WAVE.. MAX_WAVES)
k420541         -  wait_share                      -  share         SQ_WAIT_ANY..WAVE_CYCLES
k420541         -  issue_wait_share                -  share         SQ_WAIT_INS..WAVE_CYCLES
k420541         -  instructions_per_wave          60  instructions  SQ_INSTS_VALU / SQ_WAVES
(36 rows; no room for missing: /v, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ counters metrics made saxpy --by dispatch --metric hbm_read_bytes --json
{
  "schema": "rpl.counters.metrics/1",
  "gpu": "MI300X (gfx942)",
  "rows": [
    {"id": "ke39260", "kernel": "saxpy(float, float const*, float*, int)", "dispatch": 1, "metric": "hbm_read_bytes", "value": 536870912.0, "unit": "B", "formula": "128 * TCC_BUBBLE_sum + 32 * TCC_EA0_RDREQ_32B_sum + 64 * (TCC_EA0_RDREQ_sum - TCC_BUBBLE_sum - TCC_EA0_RDREQ_32B_sum)", "missing": [], "description": "bytes that L2 read from the fabric; BUBBLE counts the 128 B reads", "remark": null},
    {"id": "ke39260", "kernel": "saxpy(float, float const*, float*, int)", "dispatch": 2, "metric": "hbm_read_bytes", "value": 536870912.0, "unit": "B", "formula": "128 * TCC_BUBBLE_sum + 32 * TCC_EA0_RDREQ_32B_sum + 64 * (TCC_EA0_RDREQ_sum - TCC_BUBBLE_sum - TCC_EA0_RDREQ_32B_sum)", "missing": [], "description": "bytes that L2 read from the fabric; BUBBLE counts the 128 B reads", "remark": null}
  ],
  "notes": ["times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'"],
  "provenance": "estimated"
}

$ info counters made --limit 3
counter                  dispatches  sum  mean  max  block  unit          description
SQ_INSTS_VALU_ADD_F16             9    0     0    0  SQ     instructions  F16 addition.. counts once
SQ_INSTS_VALU_MUL_F16             9    0     0    0  SQ     instructions  F16 multipli.. counts once
SQ_INSTS_VALU_TRANS_F16           9    0     0    0  SQ     instructions  F16 transcen.. counts once
(3 of 39 rows; --limit 0 shows all, recorded)

$ roofline made saxpy --level hbm --times times_kernel_trace.csv
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e6 +
      |
      |
      |                                                      ///----------------- vector f32 163 TF
  1e5 +                                                //////
      |                                          //////
      |                                    //////
  1e4 +                             /////// HBM 5.32 TB/s
      |                       //////
      |                 //////
      |           //////
 1000 +     ////// A
      |/////
      |
      |
  100 +
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A saxpy                                           0.333   1.49 TF  4.47 TB/s   84.0 %  memory      2
    of the bandwidth: HBM 84.0 %, L2 13.0 %, vL1D 18.3 %, LDS 0.0 %, MALL 26.0 %
err: note: times of 1 of 1 kernels are from times_kernel_trace.csv

$ roofline made --times bare.db
err: error: bare.db has none of the kernels that were counted; record the same program: rocprofv3 --kernel-trace -- APP
? 1

# With block characters, and a run without counters open beside the counting one.
(rpl) set graphics unicode

(rpl) open times_kernel_trace.csv
t1: 1 dispatch, 1 kernel, 0 streams, GPU x1, 180.0 us (csv)

(rpl) open made
t2: 9 dispatches, 6 kernels, 0 streams, gfx942 x1, 1.736 ms (csv)
err: note: 1 remark about the recording: info warnings

(rpl) roofline saxpy
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e6 ┤
      │
      │
      │                                                      ╱╱╱───────────────── vector f32 163 TF
  1e5 ┤                                                ╱╱╱╱╱╱
      │                                          ╱╱╱╱╱╱
      │                                    ╱╱╱╱╱╱
  1e4 ┤                             ╱╱╱╱╱╱╱ HBM 5.32 TB/s
      │                       ╱╱╱╱╱╱
      │                 ╱╱╱╱╱╱
      │           ╱╱╱╱╱╱
 1000 ┤     ╱╱╱╱╱╱ A
      │╱╱╱╱╱
      │
      │
  100 ┤
      └┬──────────────────────┬──────────────────────┬─────────────────────┬──────────────────────┬
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A saxpy                                           0.333   1.49 TF  4.47 TB/s   84.0 %  memory      2
    of the bandwidth: HBM 84.0 %, L2 13.0 %, vL1D 18.3 %, LDS 0.0 %, MALL 26.0 %
err: note: times are from t1 (times_kernel_trace.csv), a run without counters

(rpl) plot memory saxpy
saxpy
MI300X (gfx942), mean of 2 dispatches, 180.0 us

  ┌────────┐
  │  CUs   │  65,536 waves, occupancy 55.0 %
  └────────┘  VALU 2.0 %, MFMA 0.0 %, lanes 100.0 %
      ├── LDS  0 B  0.00 GB/s = 0.0 % of 81.7 TB/s
      │     1.250 GiB (tag look-ups of 64 B)
      │     7.46 TB/s = 18.3 % of 40.9 TB/s
  ┌────────┐
  │  vL1D  │  hit  60.0 %  ████████████
  └────────┘
      │     read 512.0 MiB  write 256.0 MiB
      │     4.47 TB/s = 13.0 % of 34.4 TB/s
  ┌────────┐
  │   L2   │  hit  34.0 %  ██████▊
  └────────┘
      │     read 512.0 MiB  write 256.0 MiB
      │     4.47 TB/s = 84.0 % of 5.32 TB/s
  ┌────────┐
  │ fabric │
  └────────┘
err: note: times are from t1 (times_kernel_trace.csv), a run without counters
