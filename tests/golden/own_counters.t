# Counters and metrics of one's own.
# example made: counters
# file mine.counters:
#| # name | block | slots | unit | over instances | architectures | consumes | what it counts
#| SQ_MY_EVENTS | SQ | 1 | instructions | sum | gfx942 gfx950 | - | events of mine
#| # name | unit | architectures | only when | formula | what it is
#| lds_per_wave | instructions | gfx942 | - | SQ_LDS_IDX_ACTIVE / SQ_WAVES | LDS cycles of a wave
#| twice_lds | ratio | gfx942 | SQ_WAVES = 0 | 0 | no wave ran
#| twice_lds | ratio | gfx942 | - | 2 * lds_per_wave | twice that
#| cvt_share | share | gfx942 | - | SQ_MY_EVENTS / SQ_WAVES | was not recorded
# file wrong.counters:
#| # comment
#| lds_per_wave | ratio | gfx942 | - | SQ_NOTHING / SQ_WAVES | of a counter that is not there
(rpl) set counters file mine.counters

(rpl) counters list MY_EVENTS --arch gfx942
arch   gfx942
known  248

counter       block  unit          instances  description
SQ_MY_EVENTS  SQ     instructions  sum        events of mine
(1 row)

(rpl) counters plan SQ_MY_EVENTS --arch gfx942
chosen counters on gfx942: 1 counters in 1 pass, no plan has fewer
pass 1  SQ 1/8
  SQ_MY_EVENTS
err: note: each pass runs the application once, and its times are not those of a normal run: record times apart with 'rocprofv3 --kernel-trace'

(rpl) open made/pmc_perf.csv
t1: 9 dispatches, 6 kernels, 0 streams, gfx942 x1, 1.736 ms (csv)
err: note: 1 remark about the recording: info warnings

(rpl) counters metrics gemm_bf16 --metric lds_per_wave
gpu  MI300X (gfx942)

id       dispatch  metric            value  unit          formula                       missing
k3cddfe         -  lds_per_wave  1.953e+04  instructions  SQ_LDS_IDX_ACTIVE / SQ_WAVES  
(1 row, estimated)
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

(rpl) counters metrics/v gemm_bf16 --metric cvt_share
gpu  MI300X (gfx942)
-- 1 --
id           k3cddfe
kernel       void gemm_bf16<256, 128>(bf16 const*, bf16 const*, float*, int)
dispatch     -
metric       cvt_share
value        -
unit         share
formula      SQ_MY_EVENTS / SQ_WAVES
missing      SQ_MY_EVENTS
description  was not recorded
remark       -
err: note: times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'

(rpl) explain k3cddfe.twice_lds
twice_lds = 39062.5  [estimated]  mine.counters:6
    = 2 * lds_per_wave
    (twice that)
  lds_per_wave = 19531.2 instructions  [estimated]  mine.counters:4
      = SQ_LDS_IDX_ACTIVE / SQ_WAVES
      (LDS cycles of a wave)
    SQ_LDS_IDX_ACTIVE = 40000000 cycles  [recorded]  mean of 2 dispatches in pmc_perf.csv
        (LDS cycles of indexed operations, conflicts among them)
    SQ_WAVES = 2048 waves  [recorded]  mean of 2 dispatches in pmc_perf.csv
        (waves started)

(rpl) set counters file wrong.counters

(rpl) counters metrics gemm_bf16 --metric flops
err: error: wrong.counters:2: 'SQ_NOTHING' is neither a counter of gfx942 nor a metric nor a constant; add the counter in a line of 8 fields, or see counters list --arch gfx942

(rpl) set counters file none

(rpl) counters metrics gemm_bf16 --metric lds_per_wave
err: error: no metric 'lds_per_wave'; metrics: flops_valu_f16, flops_valu_f32, flops_valu_f64, flops_mfma_f16, flops_mfma_bf16, flops_mfma_f32, flops_mfma_f64, flops_mfma_f8, iops_mfma_i8, flops_f16, flops_bf16, flops_f32, flops_f64, flops_f8, flops, hbm_read_bytes, hbm_write_bytes, hbm_bytes, l2_read_bytes, l2_write_bytes, l2_bytes, vl1d_bytes, lds_bytes, l2_hit_rate, vl1d_hit_rate, sl1d_hit_rate, icache_hit_rate, lds_bank_conflict_rate, gui_cycles, valu_utilization, mfma_utilization, active_lanes, occupancy, wait_share, issue_wait_share, instructions_per_wave
