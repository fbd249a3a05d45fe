# What limits kernels, how much there is to gain, and what to do next.
# shared train.db: rocpd/mi350x_train.db
# shared softmax: att/softmax-gfx950
# shared sampled: att/pcsampling-code-json-rcv
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --seed 7
$ classify train.db --limit 3
id       kernel                    label              sure  because
k44ce20  ncclDevKernel_Generic_1   insufficient data  none  collect counters of..nters plan roofline
k45196b  vectoriz..loat16_copy_..  insufficient data  none  maybe small-grid; findings k45196b
kc77140  vectoriz..loat16tofloa..  insufficient data  none  maybe small-grid; findings kc77140
(3 of 80 rows; --limit 0 shows all, estimated)
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

$ classify/q small.db
insufficient data

$ headroom small.db --limit 2
id       kernel                    low %  high %  critical_share %  priority %  cause  roof_share %
k858257  softmax_kernel<float, 0>      -       -             34.92           -  -                 -
ka729f4  gemm_kernel<float, 0>         -       -             34.33           -  -                 -
(2 of 5 rows; --limit 0 shows all; no room for waits, step, physical: /v, estimated)
err: note: headroom is unknown where no roof is known; counters give the roofs: counters plan roofline

$ advise train.db --kernels 2
 1  (whole trace)
      idle-device, 0 to 72 % of the span: 2.625 s at 5.016 s, after k45196b vectorized_elementwise_kernel and before k7fec81 Cijk_Alik_Bljk_..0_WS64_WG32_8_1: record the host's calls as well (rocprofv3 --sys-trace): they say what it does during 2.625 s at 5.016 s
      > rocprofv3 --sys-trace -- APP
      gains the trace 0.0 % to at most 72.3 %
 2  k44ce20 ncclDevKernel_Generic_1: insufficient data
      record counters of the roofline
      > counters plan roofline
 3  (whole trace)
      collective-wait, 13 to 26 % of the span: d2809 of k44ce20 ncclDevKernel_Generic_1, 733.0 ms from 7.680 s on: find out who comes late to d2809 of k44ce20 ncclDevKernel_Generic_1: record all ranks, and divide the work between collectives evenly
      > steps
      gains the trace 12.9 % to at most 26.3 %
 4  kecb8b8 __amd_rocclr_copyBuffer: insufficient data
      close the gap in front of it: launch earlier, wait less on the host, use a graph
      > gaps
err: note: the recorder wrote half of the vector registers of gfx950: 44 of 80 kernels have counts such as 92, which no allocation in steps of 8 can have; twice the recorded count is used, and how it splits into architectural and accumulation registers is unknown

$ advise small.db --kernels 1 --json
{
  "schema": "rpl.advise/1",
  "rows": [
    {"rank": 1, "id": "k858257", "kernel": "softmax_kernel<float, 0>", "name": "void softmax_kernel<float, 0>(float const*, float*, int)", "label": "insufficient data", "action": "record counters of the roofline", "gain_low": null, "gain_high": null, "command": "counters plan roofline"},
    {"rank": 2, "id": null, "kernel": "(whole trace)", "name": null, "label": null, "action": "idle-device, 0 to 5 % of the span: 865 ns at 422.9 us, after k858257 softmax_kernel and before ka729f4 gemm_kernel: record the host's calls as well (rocprofv3 --sys-trace): they say what it does during 865 ns at 422.9 us", "gain_low": 0.0, "gain_high": 0.04854168182357739, "command": "rocprofv3 --sys-trace -- APP"}
  ],
  "notes": [],
  "provenance": "estimated"
}

# One kernel, and where its numbers come from.
(rpl) open small.db
t1: 60 dispatches, 5 kernels, 3 streams, gfx942 x1, 522.3 us (rocpd 3)

(rpl) classify k858257
k858257 softmax_kernel<float, 0>
insufficient data

memory-bandwidth bound        0 points, lacks what it needs
latency bound                -1 points, lacks what it needs
   +1  many waves fit, and they still wait: occupancy_limit 0.875 >= 0.5
   -2  the grid leaves the device half empty, which explains the waiting: grid_fill 0.01786 <= 0.5
under-occupied                3 points, lacks what it needs
   +3  the grid leaves the device half empty: grid_fill 0.01786 <= 0.5
divergence limited            0 points, lacks what it needs
compute throughput limited    0 points, lacks what it needs

what it is evidence for
1   small-grid                   not priced   
    the grid leaves most of the device without work
    0.0179 of the waves that fit the grid has
    -> launch more waves: divide the work of the kernel among more work-items

to decide, collect
  counters of the roofline (hbm_share, l2_share, vl1d_share, lds_share, compute_share, valu_utilization, mfma_utilization, active_lanes, measured_occupancy, counter_wait_share): counters plan roofline
  a thread trace (wait_share, barrier_share, issue_share, branch_share): rocprofv3 --att --kernel-include-regex 'softmax_kernel<float, 0>' -- APP
  PC samples (sampled_wait_share, sampled_lanes): rocprofv3 --pc-sampling-beta-enabled --pc-sampling-method stochastic --pc-sampling-unit cycles --pc-sampling-interval 1048576 -- APP

(rpl) explain k858257.occupancy
occupancy = 87.5 %  [estimated]
    = waves_per_cu / wave_slots
  waves_per_cu = 28  [estimated]
      = workgroups_per_cu * waves_per_workgroup
    workgroups_per_cu = 14  [estimated]  MI300X (gfx942)
        = the least of these; see docs/occupancy.md
        (sgprs limits)
      workgroups by wave slots = 16  [estimated]
        asked = 2  [recorded]  the kernel
        allocated = 2  [estimated]  rounded up to the granule
        available = 32  [estimated]  info arch
      workgroups by vgprs = 16  [estimated]
        asked = 32  [recorded]  the kernel
        allocated = 32  [estimated]  rounded up to the granule
        available = 512  [estimated]  info arch
      workgroups by lds = 16  [estimated]
        asked = 4096  [recorded]  the kernel
        allocated = 4096  [estimated]  rounded up to the granule
        available = 65536  [estimated]  info arch
      workgroups by sgprs = 14  [estimated]
        asked = 112  [recorded]  the kernel
        allocated = 112  [estimated]  rounded up to the granule
        available = 800  [estimated]  info arch
      workgroups by barriers = 16  [estimated]
        asked = 1  [recorded]  the kernel
        allocated = 1  [estimated]  rounded up to the granule
        available = 16  [estimated]  info arch
    waves_per_workgroup = 2  [estimated]
        = 128 work-items / waves of 64, rounded up
  wave_slots = 32  [estimated]  gfx942.arch:4, gfx942.arch:6
      = simds_per_cu * waves_per_simd

(rpl) explain k858257.mean_ns
mean_ns = 21487.5 ns  [recorded]
    = total_ns / calls
  total_ns = 343800 ns  [recorded]  dispatches of t1
      = sum of end - start over its dispatches
  calls = 16  [recorded]  dispatches of t1

(rpl) explain/j k858257.share
{
  "schema": "rpl.explain/1",
  "name": "share",
  "value": 0.4544012688342585,
  "rows": [
    {"depth": 0, "name": "share", "value": 0.4544012688342585, "unit": "fraction", "formula": "total_ns / gpu_time_ns", "source": null, "provenance": "recorded", "note": null},
    {"depth": 1, "name": "total_ns", "value": 343800.0, "unit": "ns", "formula": "sum of end - start over its dispatches", "source": "dispatches of t1", "provenance": "recorded", "note": null},
    {"depth": 1, "name": "gpu_time_ns", "value": 756600.0, "unit": "ns", "formula": "sum of end - start over all dispatches; time is counted twice in which two ran", "source": "dispatches of t1", "provenance": "recorded", "note": null}
  ],
  "notes": [],
  "provenance": "recorded"
}

(rpl) explain k858257.headroom_high
headroom_high = unknown  [estimated]
    = 1 - roof_share
    (no roof is known; counters give them (counters plan roofline), and waits alone bound nothing)
  roof_share = unknown
      = max(hbm_share, l2_share, lds_share, compute_share), of those that are known
      (unknown; to be had from counters of the roofline: counters plan roofline)
    hbm_share = unknown
        (unknown; to be had from counters of the roofline: counters plan roofline)
    l2_share = unknown
        (unknown; to be had from counters of the roofline: counters plan roofline)
    lds_share = unknown
        (unknown; to be had from counters of the roofline: counters plan roofline)
    compute_share = unknown
        (unknown; to be had from counters of the roofline: counters plan roofline)

the older tool has in its place
headroom_fraction = unknown  [estimated]  older tool, att_analysis.py
    = 0.8 * stall / (latency + stall + idle)
    (wrong: latency already contains stall, so the fraction can never exceed 0.5; waits that other
    waves hide cost nothing; and no roof is asked, so that a kernel at its roof gets headroom too)
  stall_share = unknown
      (unknown; to be had from a thread trace: rocprofv3 --att --kernel-include-regex KERNEL -- APP)

(rpl) explain k858257.speed
err: error: 'speed' of a kernel cannot be explained; known: calls, total_ns, mean_ns, min_ns, max_ns, stddev_ns, variation, p50_ns, p90_ns, p99_ns, share, path_calls, path_ns, criticality, path_share, gain_if_2x, critical, min_slack_ns, max_slack_ns, sum_slack_ns, mean_slack_ns, occupancy, waves_per_cu, workgroups_per_cu, limiter, label, confidence, headroom, headroom_low, headroom_high, priority, hbm_share, l2_share, vl1d_share, lds_share, compute_share, roof_share, all_roofs_share, intensity_ratio, valu_utilization, mfma_utilization, active_lanes, measured_occupancy, counter_wait_share, lds_conflict_rate, wait_share, barrier_share, stall_share, issue_share, branch_share, sampled_wait_share, sampled_lanes, occupancy_limit, next_occupancy, grid_fill, workgroup_lanes, duration_ns, gap_share, critical_share, whatif.gain

(rpl) explain k858257
err: error: 'k858257' is not REF.FIELD; explain k858257.headroom, explain critpath.ceiling_speedup, explain MI300X.lds_granule

(rpl) explain a1.bandwidth.hbm
bandwidth.hbm = 5324.8 GB/s  [estimated]  gfx942.arch:121 (data sheet: 8192 bit, HBM3 at 1300 MHz)

$ explain MI300X.peak_hbm_gbps
peak_hbm_gbps = 5324.8 GB/s  [estimated]  gfx942.arch:121 (data sheet: 8192 bit, HBM3 at 1300 MHz)

the older tool has in its place
peak_bandwidth_gbps = 50 GB/s  older tool, hal/base.py
    (wrong: one constant for every GPU, so that every kernel below thousands of FLOP per byte is
    called memory bound)

# A thread trace by itself.
(rpl) open softmax
att1: softmax_kernel_0, thread trace, 2,056 waves, 1,381,118 instructions executed

(rpl) classify
id    kernel            label          sure  because
att1  softmax_kernel_0  latency bound  low   barriers, 0 to 11 % of its time
(1 row, estimated)

(rpl) classify att1
att1 softmax_kernel_0
latency bound, confidence low (0.30)

memory-bandwidth bound        0 points, lacks what it needs
latency bound                 0 points, lacks what it needs
under-occupied                0 points, lacks what it needs
divergence limited            2 points, lacks what it needs
   +2  and the vector ALUs matter: valu_utilization 0.7731 >= 0.3
compute throughput limited    3 points
   +3  the vector ALUs are busy: valu_utilization 0.7731 >= 0.7

what it is evidence for
1   barriers                     0 to 11 %    
    waves wait for each other at barriers
    0.106 of the time of traced waves they stall at barriers
    -> take out the barrier of the kernel where no data passes between waves, or do more between two
    of them
2   compute-used-up              not priced   
    the arithmetic units are busy with what must be computed
    0.773 of the arithmetic units' time or peak
    -> compute less, in a smaller type, or on the matrix units

to be surer, collect
  counters of the roofline (hbm_share, l2_share, vl1d_share, lds_share, compute_share, active_lanes, measured_occupancy, counter_wait_share): counters plan roofline
  PC samples (sampled_wait_share, sampled_lanes): rocprofv3 --pc-sampling-beta-enabled --pc-sampling-method stochastic --pc-sampling-unit cycles --pc-sampling-interval 1048576 -- APP
  a kernel trace (occupancy_limit, grid_fill, workgroup_lanes, duration_ns): rocprofv3 --kernel-trace --hip-trace -- APP

(rpl) explain att1.stall_pct
stall_pct = 74.2391 %  [recorded]  code.json: sums over all instruction rows
    = 100 * stall / (latency + idle)
  stall = 31799432  [recorded]
  latency = 41645144  [recorded]
  idle = 1188660  [recorded]

the older tool has in its place
stall_fraction = 0.426076  older tool, att_analysis.py
    = stall / (latency + stall + idle)
    (wrong: latency already contains stall, which is so counted twice in the denominator: the
    fraction can never exceed 0.5)

(rpl) explain att1.wait_share
wait_share = 22.8 %  [recorded]  att1

(rpl) explain att1.nothing
err: error: 'nothing' of a thread trace cannot be explained; known: stall_pct, idle_pct, issue_pct, drain_pct, wait_stall_pct, wait_stall_pct.lgkmcnt, wait_stall_pct.vmcnt, barrier_stall_pct, pipe_stall_pct.SMEM, pipe_stall_pct.SALU, pipe_stall_pct.VMEM, pipe_stall_pct.LDS, pipe_stall_pct.VALU, pipe_stall_pct.IMMED, pipe_stall_pct.BRANCH, ipc, valu_util_pct, mfma_util_pct, exposed_wait_pct, label, confidence, headroom, headroom_low, headroom_high, priority, hbm_share, l2_share, vl1d_share, lds_share, compute_share, roof_share, all_roofs_share, intensity_ratio, valu_utilization, mfma_utilization, active_lanes, measured_occupancy, counter_wait_share, lds_conflict_rate, wait_share, barrier_share, stall_share, issue_share, branch_share, sampled_wait_share, sampled_lanes, occupancy_limit, next_occupancy, grid_fill, workgroup_lanes, duration_ns, gap_share, critical_share

$ classify sampled
id    kernel             label          sure  because
att1  reference_gemm<4>  latency bound  low   sampled waves are waiting:..d_wait_share 0.3023 >= 0.3
(1 row, estimated)

# With counters: roofs, headroom, priority. The times are those of the counting run, so that far roofs prove nothing.
# shared mi200: rocpd/rocprof_compute/vcopy_MI200
$ classify mi200/pmc_perf.csv
id       kernel   label          sure  because
k5ca8d7  vecCopy  latency bound  low   waves are counted as waiting: ..nter_wait_share 0.9324 >= 0.5
(1 row, estimated)
err: note: agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ classify mi200/pmc_perf.csv --ceilings measured
id       kernel   label                   sure  because
k5ca8d7  vecCopy  memory-bandwidth bound  high  device memory is near its..: hbm_share 0.6222 >= 0.6
(1 row, estimated)
err: note: agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: the benchmark reached 46 % of the vector f32 peak only: too low for a ceiling
err: note: not measured, so these are from the specification: vector f32_single, vector f16

$ headroom mi200/pmc_perf.csv
id       kernel   low %  high %  critical_share %  priority %  cause  roof_share %  waits %  step %
k5ca8d7  vecCopy   0.00   47.25            100.00       47.25  -             52.75    93.24       -
(1 row; no room for physical: /v, estimated)
err: note: agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

$ advise mi200/pmc_perf.csv --ceilings measured
 1  k5ca8d7 vecCopy: memory-bandwidth bound
      move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS
      > roofline k5ca8d7
      gains the trace 0.0 % to at most 37.8 %
err: note: agent a0 ('MI200') is not a product of the file for gfx90a; 'set arch product NAME' says which
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'
err: note: the benchmark reached 46 % of the vector f32 peak only: too low for a ceiling
err: note: not measured, so these are from the specification: vector f32_single, vector f16

! rpl critpath mi200/pmc_perf.csv --json 2>/dev/null | grep -o '"priority": [0-9.]*'
"priority": 0.4725099149464832

(rpl) open mi200/pmc_perf.csv
t1: 3 dispatches, 1 kernel, 0 streams, gfx90a x1, 166.4 us (csv)
err: note: 1 remark about the recording: info warnings

(rpl) explain k5ca8d7.flops
flops = 0 FLOP  [estimated]
    = flops_f16 + flops_bf16 + flops_f32 + flops_f64
    (floating-point operations of all types)
  flops_f16 = 0 FLOP  [estimated]
      = flops_valu_f16 + flops_mfma_f16
      (F16 operations)
    flops_valu_f16 = 0 FLOP  [estimated]
        = 64 * (SQ_INSTS_VALU_ADD_F16 + SQ_INSTS_VALU_MUL_F16 + SQ_INSTS_VALU_TRANS_F16 + 2 *
        SQ_INSTS_VALU_FMA_F16)
        (F16 operations of the vector ALU; an FMA is two)
      SQ_INSTS_VALU_ADD_F16 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F16 additions and subtractions on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_MUL_F16 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F16 multiplications on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_TRANS_F16 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F16 transcendentals on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_FMA_F16 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F16 fused multiply-adds on the vector ALU; a packed one counts once)
    flops_mfma_f16 = 0 FLOP  [estimated]
        = 512 * SQ_INSTS_VALU_MFMA_MOPS_F16
        (F16 operations of the matrix units)
      SQ_INSTS_VALU_MFMA_MOPS_F16 = 0 512 operations  [recorded]  mean of 3 dispatches in
      pmc_perf.csv
          (matrix operations on F16, all lanes counted)
  flops_bf16 = 0 FLOP  [estimated]
      = flops_mfma_bf16
      (BF16 operations; the vector ALU has no BF16 counter)
    flops_mfma_bf16 = 0 FLOP  [estimated]
        = 512 * SQ_INSTS_VALU_MFMA_MOPS_BF16
        (BF16 operations of the matrix units)
      SQ_INSTS_VALU_MFMA_MOPS_BF16 = 0 512 operations  [recorded]  mean of 3 dispatches in
      pmc_perf.csv
          (matrix operations on BF16, all lanes counted)
  flops_f32 = 0 FLOP  [estimated]
      = flops_valu_f32 + flops_mfma_f32
      (F32 operations)
    flops_valu_f32 = 0 FLOP  [estimated]
        = 64 * (SQ_INSTS_VALU_ADD_F32 + SQ_INSTS_VALU_MUL_F32 + SQ_INSTS_VALU_TRANS_F32 + 2 *
        SQ_INSTS_VALU_FMA_F32)
        (F32 operations of the vector ALU; an FMA is two)
      SQ_INSTS_VALU_ADD_F32 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F32 additions and subtractions on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_MUL_F32 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F32 multiplications on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_TRANS_F32 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F32 transcendentals on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_FMA_F32 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F32 fused multiply-adds on the vector ALU; a packed one counts once)
    flops_mfma_f32 = 0 FLOP  [estimated]
        = 512 * SQ_INSTS_VALU_MFMA_MOPS_F32
        (F32 operations of the matrix units)
      SQ_INSTS_VALU_MFMA_MOPS_F32 = 0 512 operations  [recorded]  mean of 3 dispatches in
      pmc_perf.csv
          (matrix operations on F32, all lanes counted)
  flops_f64 = 0 FLOP  [estimated]
      = flops_valu_f64 + flops_mfma_f64
      (F64 operations)
    flops_valu_f64 = 0 FLOP  [estimated]
        = 64 * (SQ_INSTS_VALU_ADD_F64 + SQ_INSTS_VALU_MUL_F64 + SQ_INSTS_VALU_TRANS_F64 + 2 *
        SQ_INSTS_VALU_FMA_F64)
        (F64 operations of the vector ALU; an FMA is two)
      SQ_INSTS_VALU_ADD_F64 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F64 additions and subtractions on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_MUL_F64 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F64 multiplications on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_TRANS_F64 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F64 transcendentals on the vector ALU; a packed one counts once)
      SQ_INSTS_VALU_FMA_F64 = 0 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
          (F64 fused multiply-adds on the vector ALU; a packed one counts once)
    flops_mfma_f64 = 0 FLOP  [estimated]
        = 512 * SQ_INSTS_VALU_MFMA_MOPS_F64
        (F64 operations of the matrix units)
      SQ_INSTS_VALU_MFMA_MOPS_F64 = 0 512 operations  [recorded]  mean of 3 dispatches in
      pmc_perf.csv
          (matrix operations on F64, all lanes counted)

the older tool has in its place
older tool's flops = 163840 FLOP  [estimated]
    = SQ_INSTS_VALU
    (counts wave instructions of every kind as FLOPs: integer arithmetic and moves too, one lane of
    64, and no MFMA work)
  SQ_INSTS_VALU = 163840 instructions  [recorded]  mean of 3 dispatches in pmc_perf.csv
      (vector ALU instructions, MFMA among them)

(rpl) explain k5ca8d7.active_lanes
active_lanes = 100 %  [recorded]  mean of 3 dispatches in pmc_perf.csv
    = SQ_THREAD_CYCLES_VALU / (64 * SQ_ACTIVE_INST_VALU)
    (lanes active in vector ALU instructions; below 1 is divergence or part-filled waves)
  SQ_THREAD_CYCLES_VALU = 10485760 cycles  [recorded]  mean of 3 dispatches in pmc_perf.csv
      (lanes active in vector ALU instructions, summed over cycles)
  SQ_ACTIVE_INST_VALU = 163840 quad-cycles  [recorded]  mean of 3 dispatches in pmc_perf.csv
      (time in which the vector ALU worked on an instruction)

(rpl) explain k5ca8d7.critical_share
critical_share = 100 %  [recorded]  critical path
    = path_ns / critical_path_ns
  path_ns = 52320 ns  [recorded]  dispatches of t1
      = time of its dispatches on the critical path
  critical_path_ns = 52320 ns  [recorded]
      = segments_ns.kernel + segments_ns.copy
    segments_ns.kernel = 52320 ns  [recorded]  dispatches of t1
        = kernels on the path, which leads back from the operation that ends last, each time to the
        predecessor that arrived last
    segments_ns.copy = 0 ns  [recorded]  dispatches of t1
        = memory copies on the path

(rpl) explain k5ca8d7.l2.bytes
l2_bytes = 16777216 bytes  [estimated]
    = l2_read_bytes + l2_write_bytes
    (traffic between vector L1 and L2)
  l2_read_bytes = 8388608 bytes  [estimated]
      = 64 * TCP_TCC_READ_REQ_sum
      (bytes that the vector L1 read from L2: 64 B a request)
    TCP_TCC_READ_REQ_sum = 131072 requests  [recorded]  mean of 3 dispatches in pmc_perf.csv
        (reads to L2)
  l2_write_bytes = 8388608 bytes  [estimated]
      = 64 * (TCP_TCC_WRITE_REQ_sum + TCP_TCC_ATOMIC_WITH_RET_REQ_sum +
      TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum)
      (bytes that the vector L1 wrote to L2, atomics included: 64 B a request)
    TCP_TCC_WRITE_REQ_sum = 131072 requests  [recorded]  mean of 3 dispatches in pmc_perf.csv
        (writes to L2)
    TCP_TCC_ATOMIC_WITH_RET_REQ_sum = 0 requests  [recorded]  mean of 3 dispatches in pmc_perf.csv
        (atomics to L2 that return a value)
    TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum = 0 requests  [recorded]  mean of 3 dispatches in
    pmc_perf.csv
        (atomics to L2 without a value)

# Profile documents, ours and the older tool's.
# file old.json:
#| {"schema_version": "1.0", "kernel": {"name": "gemm", "grid": [1024, 1, 1]}, "gpu": {"architecture": "gfx942"},
#|  "runtime_ms": 2.0, "roofline": {"flops": 786432, "bound": "compute"}, "headroom_fraction": 0.34}
# file new.json:
#| {"schema": "rpl.profile/1", "schema_version": "1.0", "kernel": {"name": "gemm", "grid": [1024, 1, 1]},
#|  "gpu": {"architecture": "gfx942"}, "runtime_ms": 1.5, "roofline": {"flops": 0, "bound": "memory"}}
# file future.json:
#| {"schema_version": "2.0", "kernel": {"name": "gemm"}, "runtime_ms": 1.0}
$ open old.json
prof1: gemm on gfx942, 2 ms (profile document 1.0 of the older tool)

$ compare old.json new.json
before         old.json
after          new.json
runtime_ratio  0.750 x

field              before   after   ratio x
runtime_ms         2        1.5       0.750
roofline.flops     786432   0         0.000
roofline.bound     compute  memory        -
headroom_fraction  0.34     -             -
(4 rows, recorded)
err: note: old.json is the older tool's: its roofline, att and headroom_fraction follow formulas that are wrong; runtime_ms is that of one run where it kept a database
err: note: two runs differ by noise too: a ratio is not a verdict; bench decides

$ compare old.json new.json --json
{
  "schema": "rpl.compare.profiles/1",
  "before": "old.json",
  "after": "new.json",
  "runtime_ratio": 0.75,
  "rows": [
    {"field": "runtime_ms", "before": 2.0, "after": 1.5, "ratio": 0.75},
    {"field": "roofline.flops", "before": 786432, "after": 0, "ratio": 0.0},
    {"field": "roofline.bound", "before": "compute", "after": "memory", "ratio": null},
    {"field": "headroom_fraction", "before": 0.34, "after": null, "ratio": null}
  ],
  "notes": ["old.json is the older tool's: its roofline, att and headroom_fraction follow formulas that are wrong; runtime_ms is that of one run where it kept a database", "two runs differ by noise too: a ratio is not a verdict; bench decides"],
  "provenance": "recorded"
}

$ compare old.json future.json
err: error: future.json: version 2.0 of the profile document is not known; versions 1.x are read; use the program that wrote it
? 1

$ compare old.json mi200/pmc_perf.csv
err: error: old.json is a profile document and mi200/pmc_perf.csv is a recording: they cannot be compared; make a profile document of the recording: export profile -o DIR --trace mi200/pmc_perf.csv; then compare old.json DIR/profile.json
? 2

# Counters without times: what lacks is a plain trace, not more counters.
# shared mi300: rocpd/rocprof_compute/vcopy_MI300X_A1
# file times_kernel_trace.csv:
#| Kind,Agent_Id,Queue_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
#| KERNEL_DISPATCH,Agent 4,1,1,"vecCopy(double*, double*, double*, int, int)",1,1000,9600
$ classify vecCopy mi300/pmc_perf.csv
k5ca8d7 vecCopy
under-occupied, confidence medium (0.60)

memory-bandwidth bound        0 points, lacks what it needs
latency bound                 3 points, lacks what it needs
   +3  waves are counted as waiting: counter_wait_share 0.7514 >= 0.5
   +1  the arithmetic units have room: compute_share 0 <= 0.4
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
   -2  few waves are in flight, which explains the waiting: measured_occupancy 0.04348 <= 0.25
under-occupied                6 points
   +3  few waves are in flight: measured_occupancy 0.04348 <= 0.25
   +2  and are counted as waiting: counter_wait_share 0.7514 >= 0.5
   +1  the arithmetic units have room: compute_share 0 <= 0.4
divergence limited            0 points, lacks what it needs
compute throughput limited    0 points, lacks what it needs

what it is evidence for
1   dependent-loads              0 to 75 %    
    waves wait for memory, with bandwidth to spare
    0.751 of the time of waves they wait, as counted
    -> load further ahead of the use in the kernel: unroll the loop, or have each wave take several
    independent elements

to be surer, collect
  times of a run without counters (hbm_share, l2_share, lds_share): classify k5ca8d7 --times TRACE
  a thread trace (wait_share): rocprofv3 --att --kernel-include-regex 'vecCopy' -- APP
  PC samples (sampled_wait_share): rocprofv3 --pc-sampling-beta-enabled --pc-sampling-method stochastic --pc-sampling-unit cycles --pc-sampling-interval 1048576 -- APP

$ headroom vecCopy mi300/pmc_perf.csv --times times_kernel_trace.csv
id       kernel   low %  high %  critical_share %  priority %  cause  roof_share %  waits %  step %
k5ca8d7  vecCopy   0.00   63.33                 -           -  -             36.67    75.14       -
(1 row; no room for physical: /v, estimated)
err: note: times of 1 of 1 kernels are from times_kernel_trace.csv
