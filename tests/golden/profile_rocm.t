# A program under rocprofv3: here a stand-in that takes its command line, runs the program on the emulated device and writes what rocprofv3 would.
# needs example: rpl-hip-example
# needs recorder: rocprofv3
# file three.sh:
#| #!/bin/sh
#| rpl-hip-example & rpl-hip-example & rpl-hip-example & wait
$ profile --target local --output out -- rpl-hip-example
PASSED
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote out: profile.json roofline.json dag.json analysis.json, and the database

! ls -A out | grep -vx "$(hostname)"; ls out/*/*_results.db | wc -l
.rocpd_profile
analysis.json
dag.json
profile.json
roofline.json
stderr.txt
stdout.txt
1

# The first database of that name is the one that counts.
! readlink out/.rocpd_profile | sed "s/$(hostname)/HOST/; s/[0-9]*_results/PID_results/"
HOST/PID_results.db

# Counters take runs of their own; the times stay those of the run without them.
! export RPL_STAND_IN_LOG=$PWD/log; rpl profile --target local --roofline --quiet --output counted -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
counters of 3 more runs: the times are those of the run without counters
roofline of vector_add, a dispatch: 4,096 FLOP, 32.00 KiB to and from memory
  18.7 GB/s, 2.337 GFLOP/s, 0.125 FLOP/byte: memory bound
limited by: under-occupied (confidence 0.45)
  the grid leaves the device half empty: grid_fill 0.006579 <= 0.5
  and every roof is far: all_roofs_share 0.003511 <= 0.4
  device memory has room: hbm_share 0.003511 <= 0.4
  the arithmetic units have room: compute_share 1.43e-05 <= 0.4
headroom: 0 to 100 % of its time
wrote counted: profile.json roofline.json dag.json analysis.json, and the database
err: note: not collected: TCP_TOTAL_CACHE_ACCESSES_sum; counters plan TCP_TOTAL_CACHE_ACCESSES_sum --arch gfx942

! sed "s|$PWD|DIR|; s/--pmc .* --output-format/--pmc … --output-format/" log
rocprofv3 --kernel-trace --memory-copy-trace --memory-allocation-trace --hip-trace --marker-trace --output-format rocpd --output-directory DIR/counted -- rpl-hip-example
rocprofv3 --pmc … --output-format rocpd --output-directory DIR/counted/counters/pass_1 -- rpl-hip-example
rocprofv3 --pmc … --output-format rocpd --output-directory DIR/counted/counters/pass_2 -- rpl-hip-example
rocprofv3 --pmc … --output-format rocpd --output-directory DIR/counted/counters/pass_3 -- rpl-hip-example

! tr ' ' '\n' < log | grep -c '^[A-Z]*_'
34

(rpl) open counted/counted
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)

(rpl) info kernels
id       kernel      calls  total ns  mean ns  min ns  max ns  stddev ns  variation %  share %
k5e4c39  vector_add      2      3505     1752    1495    2010        364        20.78   100.00
(1 row, recorded)

(rpl) info counters/3
counter                dispatches  sum  mean  max  block  unit          description
SQ_INSTS_VALU_ADD_F16           2    0     0    0  SQ     instructions  F16 additions..e counts once
SQ_INSTS_VALU_MUL_F16           2    0     0    0  SQ     instructions  F16 multiplic..e counts once
SQ_INSTS_VALU_FMA_F16           2    0     0    0  SQ     instructions  F16 fused mul..e counts once
(3 of 33 rows; --limit 0 shows all, recorded)

(rpl) sql "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'counter%'"
tag           value
counters      joined
counter_runs  3
(2 rows, recorded)

! grep -c '"provenance": "measured"' counted/profile.json
1

# A thread trace, of kernels with this in their names.
(rpl) profile --target local --att vector --quiet --output traced -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
att1: thread trace of vector_add: 77 % of cycles stalled, 4 % idle
wrote traced: profile.json roofline.json dag.json analysis.json, and the database

(rpl) att summary
att1: vector_add, thread trace, 4 waves, 92 instructions executed, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 4 of 4 waves launched there (100.0 %)

where 6,118 wave-cycles went
  wait vmcnt       57.73 %  ##########################################
  wait lgkmcnt     19.06 %  ##############
  drain            14.06 %  ##########
  issue             4.97 %  ####
  idle              4.18 %  ###

states of the traced waves over 2,152 cycles
  EXEC   . . -..-.-...               .....   .... .                   -.        7.06 % of the time
  WAIT   =-==-=--=-#=#################==#=########=###################-#######  90.85 % of the time
  STALL                                                                         0.00 % of the time
waves in flight on all compute units of 1 shader engine, 2,152 cycles
  waves ..--===######################################==---....................  up to 4

pipe        executed            latency           stall/latency  cycles each
IMMED             12  13.0 %        4,698  80.1 %      100.0 %        391.5  ##############
MESSAGE            4   4.3 %          860  14.7 %        0.0 %        215.0  ###
VALU              32  34.8 %          128   2.2 %        0.0 %          4.0  #
SMEM              16  17.4 %           64   1.1 %        0.0 %          4.0  #
SALU              12  13.0 %           48   0.8 %        0.0 %          4.0  #
FLAT              12  13.0 %           48   0.8 %        0.0 %          4.0  #
NEXT               4   4.3 %           16   0.3 %        0.0 %          4.0  #

VALU 2.09 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.043

unit     waves  busy_cycles  instructions      ipc  avg_waves
se0/cu0      4        2,152            92  0.04275      2.843
(1 row, recorded)
err: note: wave states are from the timelines, for lack of wstates files

# Samples of program counters.
(rpl) profile --target local --pc-sampling stochastic --quiet --output sampled -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
att1: no kernel, PC samples, 73 samples
wrote sampled: profile.json roofline.json dag.json analysis.json, and the database

! basename -a sampled/pc_sampling/*/* | sed "s/^[0-9]*/PID/"
PID_pc_sampling_stochastic.csv
PID_results.json

# Everything at once, for the kernel that matters most.
$ profile --target local --deep-analysis --quiet --output deep -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
counters of 5 more runs: the times are those of the run without counters
critical path: 4.161 us of kernels and copies, 84 % of them vector_add
roofline of vector_add, a dispatch: 4,096 FLOP, 32.00 KiB to and from memory
  18.7 GB/s, 2.337 GFLOP/s, 0.125 FLOP/byte: memory bound
att1: thread trace of vector_add: 77 % of cycles stalled, 4 % idle
limited by: under-occupied (confidence 0.71)
  few waves are in flight: measured_occupancy 0.002024 <= 0.25
  the grid leaves the device half empty: grid_fill 0.006579 <= 0.5
  and those wait: wait_share 0.7679 >= 0.3
  and are counted as waiting: counter_wait_share 0.6882 >= 0.5
  and every roof is far: all_roofs_share 0.003511 <= 0.4
  device memory has room: hbm_share 0.003511 <= 0.4
  the arithmetic units have room: compute_share 1.43e-05 <= 0.4
headroom: 0 to 100 % of its time
wrote deep: profile.json roofline.json dag.json analysis.json, and the database
err: note: not collected: TCP_TOTAL_CACHE_ACCESSES_sum; counters plan TCP_TOTAL_CACHE_ACCESSES_sum --arch gfx942

! ls deep | grep -vx "$(hostname)"; ls deep/counters
analysis.json
att
counted
counters
dag.json
profile.json
roofline.json
stderr.txt
stdout.txt
pass_1
pass_2
pass_3
pass_4
pass_5

# Three processes are one trace, and so are those of each pass.
! chmod +x three.sh

(rpl) profile --target local --counters SQ_WAVES --quiet --output three -- ./three.sh
ran ./three.sh under rocprofv3 (ROCm 7.1.1)
t1: 6 dispatches, 1 kernel, 6 streams, gfx942 x3, 3 processes, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                6 x    10.52 us  100.0 %
counters of 1 more run: the times are those of the run without counters
wrote three: profile.json roofline.json dag.json analysis.json, and the database
err: note: 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942

(rpl) info counters
counter   dispatches  sum  mean  max  block  unit   description
SQ_WAVES           6  384    64   64  SQ     waves  waves started
(1 row, recorded)

! ls three/*/*_results.db three/counters/pass_1/*/*_results.db | wc -l
6

# Runs, and the document.
$ profile --target local --runs 3 --quiet --json --output runs "rpl-hip-example --dispatches 4" | grep -E '"(runtime_ms|stability|run|provenance)"' | sed 's/"stddev_ms.*class/… "class/; s/"code": "[0-9a-f]*"/"code": "…"/'
  "runtime_ms": 0.008901,
  "stability": {"runs": 3, "mean_ms": 0.008901, … "classification": "stable", "samples_ms": [0.008901, 0.008901, 0.008901]},
  "run": {"program": "rpl-hip-example --dispatches 4", "code": "…", "target": "local", "gpu": "AMD Instinct MI300X", "devices": null, "processes": 1, "folder": "runs", "exit_code": 0, "complete": true, "failure": null, "refused": []},
  "provenance": "measured"

! ls runs | grep run; cat runs/run_2/stdout.txt
run_2
run_3
PASSED

# `run` does it again.
(rpl) profile --target local --quiet -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote DIR/.rpl/profiles/1: profile.json roofline.json dag.json analysis.json, and the database

(rpl) run
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t2: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote DIR/.rpl/profiles/2: profile.json roofline.json dag.json analysis.json, and the database

# --no-rocprof needs none of it.
$ profile --target local --no-rocprof --quiet --output host -- true | head -1
ran true: time of the whole process on the host, starting and ending included
err: note: runtime_ms is the host's time of the whole process: no kernel was looked at

# --target recorded answers from the session, for the same program and build.
(rpl) profile --target recorded -- rpl-hip-example
rpl-hip-example as it was recorded on local in DIR/.rpl/profiles/2: nothing ran
1 run: 3.505 us; --runs 5 tells how stable that is
err: note: nothing ran: this is DIR/.rpl/profiles/2

(rpl) profile --target recorded --roofline -- rpl-hip-example
err: error: a recorded profile holds what it was recorded with: nothing can be added to it; open its database: info profile, roofline, critpath

# It leaves no folder of its own.
! ls .rpl/profiles
1
2

! rpl profile --target recorded -- rpl-hip-example --dispatches 4 2>&1 | sed "s/code [0-9a-f]*/code …/; s|$PWD|DIR|"
error: no profile of 'rpl-hip-example --dispatches 4' with code … is in DIR/.rpl/profiles; record one: profile -- rpl-hip-example --dispatches 4
