# Real counters of a vector copy: 8,388,608 B read, as many written, no floating-point operation.
# shared mi200: rocpd/rocprof_compute/vcopy_MI200
# shared mi300x: rocpd/rocprof_compute/vcopy_MI300X_A1
# shared mi300x_long: rocpd/rocprof_compute/vcopy_MI300X_A1_rocpd
# shared mi100: rocpd/rocprof_compute/vcopy_MI100
$ roofline mi200 --json
{
  "schema": "rpl.roofline/1",
  "gpu": "gfx90a",
  "ceilings": "spec",
  "peaks": {"gbps": {"lds": 22630.4, "vl1d": 11315.2, "l2": 6963.2, "hbm": 1638.4}, "gflops": {"vector f64": 22630.4, "vector f32": 45260.8, "vector f32_single": 22630.4, "vector f16": 45260.8, "matrix f64": 45260.8, "matrix f32": 45260.8, "matrix f16": 181043.2, "matrix bf16": 181043.2, "matrix i8": 181043.2}},
  "missing": [],
  "rows": [
    {"at": "A", "id": "k5ca8d7", "kernel": "vecCopy(double*, double*, double*, int, int)", "calls": 3, "level": "hbm", "type": "all", "flops": 0.0, "bytes": 15072341.333333334, "time_ns": 17440.0, "time_source": "instrumented", "arithmetic_intensity": 0.0, "achieved_gflops": 0.0, "achieved_gbps": 864.239755351682, "peak_gflops": 45260.8, "peak_gbps": 1638.4, "attainable_gflops": 0.0, "roof_share": 0.5274900850535168, "bound": "memory", "remark": null, "work": {"vector f16": 0.0, "vector f32": 0.0, "vector f64": 0.0, "matrix f16": 0.0, "matrix bf16": 0.0, "matrix f32": 0.0, "matrix f64": 0.0, "matrix i8": 0.0}, "read_bytes": 8389525.333333334, "write_bytes": 6682816.0},
    {"at": "A", "id": "k5ca8d7", "kernel": "vecCopy(double*, double*, double*, int, int)", "calls": 3, "level": "l2", "type": "all", "flops": 0.0, "bytes": 16777216.0, "time_ns": 17440.0, "time_source": "instrumented", "arithmetic_intensity": 0.0, "achieved_gflops": 0.0, "achieved_gbps": 961.9963302752294, "peak_gflops": 45260.8, "peak_gbps": 6963.2, "attainable_gflops": 0.0, "roof_share": 0.13815434430652995, "bound": "memory", "remark": null, "work": {"vector f16": 0.0, "vector f32": 0.0, "vector f64": 0.0, "matrix f16": 0.0, "matrix bf16": 0.0, "matrix f32": 0.0, "matrix f64": 0.0, "matrix i8": 0.0}, "read_bytes": 8388608.0, "write_bytes": 8388608.0},
    {"at": "A", "id": "k5ca8d7", "kernel": "vecCopy(double*, double*, double*, int, int)", "calls": 3, "level": "vl1d", "type": "all", "flops": 0.0, "bytes": 33554432.0, "time_ns": 17440.0, "time_source": "instrumented", "arithmetic_intensity": 0.0, "achieved_gflops": 0.0, "achieved_gbps": 1923.9926605504588, "peak_gflops": 45260.8, "peak_gbps": 11315.2, "attainable_gflops": 0.0, "roof_share": 0.17003611606957533, "bound": "memory", "remark": null, "work": {"vector f16": 0.0, "vector f32": 0.0, "vector f64": 0.0, "matrix f16": 0.0, "matrix bf16": 0.0, "matrix f32": 0.0, "matrix f64": 0.0, "matrix i8": 0.0}, "read_bytes": null, "write_bytes": null},
    {"at": "A", "id": "k5ca8d7", "kernel": "vecCopy(double*, double*, double*, int, int)", "calls": 3, "level": "lds", "type": "all", "flops": 0.0, "bytes": 0.0, "time_ns": 17440.0, "time_source": "instrumented", "arithmetic_intensity": null, "achieved_gflops": 0.0, "achieved_gbps": 0.0, "peak_gflops": 45260.8, "peak_gbps": 22630.4, "attainable_gflops": null, "roof_share": null, "bound": null, "remark": null, "work": {"vector f16": 0.0, "vector f32": 0.0, "vector f64": 0.0, "matrix f16": 0.0, "matrix bf16": 0.0, "matrix f32": 0.0, "matrix f64": 0.0, "matrix i8": 0.0}, "read_bytes": null, "write_bytes": null}
  ],
  "notes": ["times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'", "agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which"],
  "provenance": "estimated"
}

$ roofline mi300x --level hbm
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
not on the axes, no floating-point operation: A

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A vecCopy                                             0         -          -        -  memory      3

$ roofline mi300x_long
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
not on the axes, no floating-point operation: A

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A vecCopy                                             0      0 GF  2.27 TB/s   42.7 %  memory      3
    of the bandwidth: HBM 42.7 %, L2 6.6 %, vL1D 11.1 %, LDS 0.0 %, MALL 13.2 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ roofline mi200 --ceilings measured
GFLOP/s  gfx90a, HBM, ceilings: measured
  1e5 +
      |
      |
      |                                                  ----------------------- vector f32 20.9 TF
      |                                             /////
  1e4 +                                        /////
      |                                    ////
      |                               /////
      |                           //// HBM 1.39 TB/s
      |                      /////
 1000 +                  ////
      |             /////
      |         ////
      |    /////
      |////
  100 +
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte
not on the axes, no floating-point operation: A

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A vecCopy                                             0      0 GF   864 GB/s   62.2 %  memory      3
    of the bandwidth: HBM 62.2 %, L2 19.2 %, vL1D 20.9 %, LDS 0.0 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: the benchmark reached 46 % of the vector f32 peak only: too low for a ceiling
err: note: not measured, so these are from the specification: vector f32_single, vector f16
err: note: agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which

$ roofline mi100 --level hbm
GFLOP/s  MI100 (gfx908), HBM, ceilings: spec
  1e5 +
      |
      |
      |                                                   /--------------------- vector f32 23.1 TF
      |                                              /////
  1e4 +                                          ////
      |                                     /////
      |                                 ////
      |                            ///// HBM 1.23 TB/s
      |                       /////
 1000 +                   ////
      |              /////
      |          ////
      |     /////
      | ////
  100 +/
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte
not on the axes, time or counters unknown: A

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A vecCopy                                             -         -   714 GB/s        -  unknown     3
    of the bandwidth: HBM 58.1 %, L2 13.1 %, vL1D 13.9 %, LDS 0.0 %
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: gfx908 has no counters of floating-point operations: bytes only

$ counters metrics mi200 --metric hbm_read_bytes
gpu  gfx90a

id       dispatch  metric              value  unit  formula                                  missing
k5ca8d7         -  hbm_read_bytes  8.390e+06  B     32 * TCC_EA_RDREQ_3.._EA_RDREQ_32B_sum)  
(1 row, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which

$ counters metrics mi300x --metric l2_read_bytes --json
{
  "schema": "rpl.counters.metrics/1",
  "gpu": "MI300X (gfx942)",
  "rows": [
    {"id": "k5ca8d7", "kernel": "vecCopy(double*, double*, double*, int, int)", "dispatch": null, "metric": "l2_read_bytes", "value": 8388608.0, "unit": "B", "formula": "128 * TCP_TCC_READ_REQ_sum", "missing": [], "description": "bytes that the vector L1 read from L2: 128 B a request", "remark": null}
  ],
  "notes": [],
  "provenance": "estimated"
}

$ counters metrics mi300x --metric flops
gpu  MI300X (gfx942)

id       dispatch  metric  value  unit  formula                                              missing
k5ca8d7         -  flops       0  FLOP  flops_f16 + flops_bf16 + ..2 + flops_f64 + flops_f8  
(1 row, estimated)

$ plot memory mi300x_long --width 80
vecCopy
MI300X (gfx942), mean of 3 dispatches, 7.384 us in the counting run

  +--------+
  |  CUs   |  16,384 waves, occupancy 19.9 %
  +--------+  VALU 1.1 %, MFMA 0.0 %, lanes 100.0 %
      +-- LDS  0 B  0.00 GB/s = 0.0 % of 81.7 TB/s
      |     32.00 MiB (tag look-ups of 64 B)
      |     4.54 TB/s = 11.1 % of 40.9 TB/s
  +--------+
  |  vL1D  |  hit  62.5 %  ##########
  +--------+
      |     read 8.000 MiB  write 8.000 MiB
      |     2.27 TB/s = 6.6 % of 34.4 TB/s
  +--------+
  |   L2   |  hit  34.3 %  #####
  +--------+
      |     read 8.011 MiB  write 8.000 MiB
      |     2.27 TB/s = 42.7 % of 5.32 TB/s
  +--------+
  | fabric |
  +--------+
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
