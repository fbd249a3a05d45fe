# The documents that stay of an analysis: written, opened, compared.
# example made: counters
# fixture small.db: --dispatches 20 --queues 2 --streams 2 --kernels 3 --seed 7
# file old.json:
#| {"schema_version": "1.0", "kernel": {"name": "stencil", "grid": [4194304, 1, 1]}, "gpu": {"architecture": "gfx942"},
#|  "runtime_ms": 2.0, "roofline": {"flops": 786432, "bound": "compute"}, "headroom_fraction": 0.34}
$ export profile -o out --trace made/pmc_perf.csv
wrote out
  profile.json   1.479 KiB  the kernel with most time
  roofline.json  21.88 KiB  30 rows and the ceilings
  dag.json       3.267 KiB  9 nodes, 8 edges
  analysis.json  6.682 KiB  6 kernels

# What is there already stays, unless rpl made it.
! mkdir mine && echo '{"mine": 1}' > mine/dag.json

$ export profile -o mine --trace made/pmc_perf.csv
err: error: mine/dag.json is there already, and nothing shows that rpl made it; name another file, or replace it with --force
? 1

! ls mine
dag.json

$ export profile -o mine --force --trace made/pmc_perf.csv
wrote mine
  profile.json   1.479 KiB  the kernel with most time
  roofline.json  21.88 KiB  30 rows and the ceilings
  dag.json       3.267 KiB  9 nodes, 8 edges
  analysis.json  6.682 KiB  6 kernels

$ export profile -o mine --trace made/pmc_perf.csv --json
{
  "schema": "rpl.export.profile/1",
  "folder": "mine",
  "rows": [
    {"document": "profile.json", "path": "mine/profile.json", "size_bytes": 1514, "holds": "the kernel with most time"},
    {"document": "roofline.json", "path": "mine/roofline.json", "size_bytes": 22401, "holds": "30 rows and the ceilings"},
    {"document": "dag.json", "path": "mine/dag.json", "size_bytes": 3345, "holds": "9 nodes, 8 edges"},
    {"document": "analysis.json", "path": "mine/analysis.json", "size_bytes": 6842, "holds": "6 kernels"}
  ],
  "notes": [],
  "provenance": "recorded"
}

! cat out/profile.json
{
  "schema": "rpl.profile/1",
  "schema_version": "1.0",
  "runtime_ms": 1.696,
  "kernel_runtime_ms": 0.62,
  "kernel": {"name": "void stencil<double, 3>(double const*, double*, int)", "id": "kf6488b", "grid": [4194304, 1, 1], "block": [256, 1, 1]},
  "resources": {"vgpr_per_thread": 64, "sgpr_per_wave": 48, "lds_bytes": 0},
  "occupancy": {"theoretical": 1.0, "threads_per_block": 256, "wave_size": 64},
  "gpu": {"architecture": "gfx942", "product": "MI300X", "wave_size": 64, "compute_units": 304, "theoretical_peak_flops": 163430400000000.0},
  "stability": {"runs": 1, "mean_ms": 1.696, "stddev_ms": null, "cv": null, "classification": null, "samples_ms": [1.696]},
  "time_source": "kernels",
  "roofline": {"flops": 4608000000.0, "bytes": 805306368.0, "arithmetic_intensity": 5.7220458984375, "achieved_gflops": 14864.516129032258, "achieved_bandwidth_gbps": 2597.762477419355, "bound": "memory"},
  "critical_path": {"critical_path_ns": 1696000, "dominant_symbol": "void stencil<double, 3>(double const*, double*, int)", "fraction": 0.36556603773584906},
  "att": null,
  "bottleneck": {"primary": "insufficient data", "confidence": 0.0, "reasoning": []},
  "headroom_fraction": 0.5121389578163771,
  "headroom_low": 0.0,
  "recording": ["made/pmc_perf.csv"],
  "run": null,
  "emulation_s": null,
  "notes": ["times are those of the counting run, serialised and slowed down: rates are lower than in a normal run; --times TRACE takes those of 'rocprofv3 --kernel-trace'"],
  "provenance": "recorded"
}

! head -c 700 out/dag.json
{
  "schema": "rpl.dag/1",
  "span_ns": 1736000,
  "kernels": [
    {"id": "kf6488b", "kernel": "void stencil<double, 3>(double const*, double*, int)", "calls": 2, "criticality": 0.36556603773584906, "min_slack_ns": 0, "overlap_ns": 741000, "priority": 0.1872206095791001},
    {"id": "k3cddfe", "kernel": "void gemm_bf16<256, 128>(bf16 const*, bf16 const*, float*, int)", "calls": 2, "criticality": 0.28360849056603776, "min_slack_ns": 0, "overlap_ns": 621000, "priority": 0.1596457535347804},
    {"id": "ke39260", "kernel": "saxpy(float, float const*, float*, int)", "calls": 2, "criticality": 0.2240566037735849, "min_slack_ns": 0, "overlap_ns": 760000, "priority": 0.045711175616836},
    {"id":
\no newline

(rpl) open out/profile.json
prof1: stencil<double, 3> on gfx942, 1.696 ms (profile document 1.0)

(rpl) compare old.json prof1
before         old.json
after          prof1
runtime_ratio  0.848 x

field                             before   after                                             ratio x
kernel.name                       stencil  void stencil<double, 3>.. const*, double*, int)         -
runtime_ms                        2        1.696                                               0.848
roofline.flops                    786432   4.608e+09                                        5859.375
roofline.bound                    compute  memory                                                  -
headroom_fraction                 0.34     0.5121                                              1.506
kernel_runtime_ms                 -        0.62                                                    -
kernel.id                         -        kf6488b                                                 -
kernel.block[0]                   -        256                                                     -
kernel.block[1]                   -        1                                                       -
kernel.block[2]                   -        1                                                       -
resources.vgpr_per_thread         -        64                                                      -
resources.sgpr_per_wave           -        48                                                      -
resources.lds_bytes               -        0                                                       -
occupancy.theoretical             -        1                                                       -
occupancy.threads_per_block       -        256                                                     -
occupancy.wave_size               -        64                                                      -
gpu.product                       -        MI300X                                                  -
gpu.wave_size                     -        64                                                      -
gpu.compute_units                 -        304                                                     -
gpu.theoretical_peak_flops        -        1.634e+14                                               -
stability.runs                    -        1                                                       -
stability.mean_ms                 -        1.696                                                   -
stability.samples_ms[0]           -        1.696                                                   -
time_source                       -        kernels                                                 -
roofline.bytes                    -        8.053e+08                                               -
roofline.arithmetic_intensity     -        5.722                                                   -
roofline.achieved_gflops          -        1.486e+04                                               -
roofline.achieved_bandwidth_gbps  -        2598                                                    -
critical_path.critical_path_ns    -        1696000                                                 -
critical_path.dominant_symbol     -        void stencil<double, 3>.. const*, double*, int)         -
critical_path.fraction            -        0.3656                                                  -
bottleneck.primary                -        insufficient data                                       -
bottleneck.confidence             -        0                                                       -
headroom_low                      -        0                                                       -
(34 rows, recorded)
err: note: the dominant kernels differ: 'stencil' and 'void stencil<double, 3>(double const*, double*, int)'
err: note: old.json is the older tool's: its roofline, att and headroom_fraction follow formulas that are wrong; runtime_ms is that of one run where it kept a database
err: note: two runs differ by noise too: a ratio is not a verdict; bench decides

(rpl) info profile
id            prof1
path          out/profile.json
version       1.0
kernel        stencil<double, 3>
architecture  gfx942

field                             value
schema                            rpl.profile/1
schema_version                    1.0
runtime_ms                        1.696
kernel_runtime_ms                 0.62
kernel.name                       void stencil<double, 3>(double const*, double*, int)
kernel.id                         kf6488b
kernel.grid[0]                    4194304
kernel.grid[1]                    1
kernel.grid[2]                    1
kernel.block[0]                   256
kernel.block[1]                   1
kernel.block[2]                   1
resources.vgpr_per_thread         64
resources.sgpr_per_wave           48
resources.lds_bytes               0
occupancy.theoretical             1
occupancy.threads_per_block       256
occupancy.wave_size               64
gpu.architecture                  gfx942
gpu.product                       MI300X
gpu.wave_size                     64
gpu.compute_units                 304
gpu.theoretical_peak_flops        1.634e+14
stability.runs                    1
stability.mean_ms                 1.696
stability.samples_ms[0]           1.696
time_source                       kernels
roofline.flops                    4.608e+09
roofline.bytes                    8.053e+08
roofline.arithmetic_intensity     5.722
roofline.achieved_gflops          1.486e+04
roofline.achieved_bandwidth_gbps  2598
roofline.bound                    memory
critical_path.critical_path_ns    1696000
critical_path.dominant_symbol     void stencil<double, 3>(double const*, double*, int)
critical_path.fraction            0.3656
bottleneck.primary                insufficient data
bottleneck.confidence             0
headroom_fraction                 0.5121
headroom_low                      0
recording[0]                      made/pmc_perf.csv
notes[0]                          times are those of the counting ..se of 'rocprofv3 --kernel-trace'
provenance                        recorded
(43 rows, recorded)

(rpl) close prof1
closed prof1; no trace is open

(rpl) info profile
id            prof2
path          old.json
version       1.0
kernel        stencil
architecture  gfx942

field              value
schema_version     1.0
kernel.name        stencil
kernel.grid[0]     4194304
kernel.grid[1]     1
kernel.grid[2]     1
gpu.architecture   gfx942
runtime_ms         2
roofline.flops     786432
roofline.bound     compute
headroom_fraction  0.34
(10 rows, recorded)
err: note: the older tool wrote this: its roofline, att and headroom_fraction follow formulas that are wrong

$ info profile old.json --json
{
  "schema": "rpl.info.profile/1",
  "id": "prof1",
  "path": "old.json",
  "version": "1.0",
  "kernel": "stencil",
  "architecture": "gfx942",
  "rows": [
    {"field": "schema_version", "value": "1.0"},
    {"field": "kernel.name", "value": "stencil"},
    {"field": "kernel.grid[0]", "value": 4194304},
    {"field": "kernel.grid[1]", "value": 1},
    {"field": "kernel.grid[2]", "value": 1},
    {"field": "gpu.architecture", "value": "gfx942"},
    {"field": "runtime_ms", "value": 2.0},
    {"field": "roofline.flops", "value": 786432},
    {"field": "roofline.bound", "value": "compute"},
    {"field": "headroom_fraction", "value": 0.34}
  ],
  "notes": ["the older tool wrote this: its roofline, att and headroom_fraction follow formulas that are wrong"],
  "provenance": "recorded"
}

$ open out/analysis.json
err: error: out/analysis.json is a document of this program (rpl.analysis/1), not a recording; open the recording that it was made of, or profile.json beside it
? 2

$ compare old.json small.db
err: error: old.json is a profile document and small.db is a recording: they cannot be compared; make a profile document of the recording: export profile -o DIR --trace small.db; then compare old.json DIR/profile.json
? 2

$ compare small.db out/dag.json
err: error: small.db is a recording and out/dag.json is a document of this program (rpl.dag/1): they cannot be compared; make a profile document of the recording: export profile -o DIR --trace small.db; then compare DIR/profile.json out/dag.json
? 2

$ compare old.json out/roofline.json
err: error: old.json is a profile document and out/roofline.json is a document of this program (rpl.roofline/1): they cannot be compared; name two profile documents or two recordings
? 2

$ export profile --trace small.db --json
{
  "schema": "rpl.export.profile/1",
  "folder": "DIR/.rpl/profiles/1",
  "rows": [
    {"document": "profile.json", "path": "DIR/.rpl/profiles/1/profile.json", "size_bytes": 1163, "holds": "the kernel with most time"},
    {"document": "roofline.json", "path": "DIR/.rpl/profiles/1/roofline.json", "size_bytes": 627, "holds": "0 rows and the ceilings"},
    {"document": "dag.json", "path": "DIR/.rpl/profiles/1/dag.json", "size_bytes": 5534, "holds": "20 nodes, 20 edges"},
    {"document": "analysis.json", "path": "DIR/.rpl/profiles/1/analysis.json", "size_bytes": 3575, "holds": "3 kernels"}
  ],
  "notes": [],
  "provenance": "recorded"
}

! ls .rpl/profiles/1
analysis.json
dag.json
profile.json
roofline.json
