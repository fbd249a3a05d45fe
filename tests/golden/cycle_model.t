# The cycle model: the modelled thread trace of a kernel and of a better one, what limits them, another GPU, the last run as a kernel, a thread trace beside the model.
# modelled
# example softmax.co: hip/objects/softmax.gfx942.co
# example ordering.co: ../tests/engine/device/execute/kernels/objects/ordering.gfx942.co
# example rowsum: att/rowsum
(rpl) kernel run softmax.co --grid 8192 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:8192 --arg i32:100 --att by_rows
object                o1
kernel                softmax
architecture          gfx942
grid                  8192x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.3 MI300X
cycles                128,294 cycles
time                  61.092 us
simulated_workgroups  1
workgroups            128
waves                 128
instructions          747,648
by_class              valu 450,432, transcendental 25,728, salu 78,592, smem 384, vmem 51,200, branch 38,784, wait 51,200, other 51,328
lane_share            100.00 %
load                  9600.0 KiB
store                 3200.0 KiB
transactions          3,276,800
lds_accesses          0
lds_conflicts         0 cycles
atomics               0
att                   att1
att_path              by_rows/ui_output_agent_1_dispatch_1

argument  kind    element    count  size KiB  first                                changed  expected
       1  buffer  f32      819,200    3200.0  -0.86687684, -0.5.., 0.8887184, …    no       -
       2  buffer  f32      819,200    3200.0  0.00391279, 0.005..0.022642892, …    yes      -
       3  value   i32            -       0.0  8192                                 -        -
       4  value   i32            -       0.0  100                                  -        -
(4 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 1 of 128 workgroups simulated, on one compute unit of 304

(rpl) att summary
att1: softmax, thread trace, 1 waves, 5,841 instructions executed, modelled by rpl-cycle/0.3 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 1 of 1 waves launched there (100.0 %)

where 126,284 wave-cycles went
  wait vmcnt       74.71 %  ######################################################
  issue            17.88 %  #############
  idle              4.45 %  ###
  stall IMMED       1.90 %  #
  wait lgkmcnt      0.65 %  #
  drain             0.40 %  #

states of the traced waves over 126,284 cycles
  EXEC  ....................--..-..--..--..-..................................  22.31 % of the time
  WAIT  ##====####====##====--==-==--==--==-==================================  77.67 % of the time
  STALL                                                                         0.00 % of the time
waves in flight on all compute units of 1 shader engine, 126,284 cycles
  waves ######################################################################  up to 1

pipe        executed            latency           stall/latency  cycles each
IMMED            800  13.7 %       97,576  80.9 %      100.0 %        122.0  ###############
VALU           3,720  63.7 %       17,304  14.3 %        0.0 %          4.7  ###
SALU             614  10.5 %        2,456   2.0 %        0.0 %          4.0  #
FLAT             400   6.8 %        1,600   1.3 %        0.0 %          4.0  #
JUMP             296   5.1 %        1,184   1.0 %        0.0 %          4.0  #
MESSAGE            1   0.0 %          508   0.4 %        0.0 %        508.0  #
NEXT               7   0.1 %           28   0.0 %        0.0 %          4.0  #
SMEM               3   0.1 %           12   0.0 %        0.0 %          4.0  #

VALU 13.70 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.046

unit     waves  busy_cycles  instructions      ipc  avg_waves
se0/cu0      1      126,284         5,841  0.04625          1
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 1 of 128 workgroups simulated, on one compute unit of 304

(rpl) att waits --top 2
att1: softmax, thread trace, 1 waves, 5,841 instructions executed, modelled by rpl-cycle/0.3 MI300X
waits are 97.54 % of all stall. Mean cycles from the issue of an instruction to the
end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 48.59 %     474.1          100    88  s_waitcnt vmcnt(0)
               490       100    84  - global_load_dword v7, v[0:1], off
               521        99   106  - global_store_dword v[2:3], v7, off
 29.11 %     286.9           99    26  s_waitcnt vmcnt(0)
               324        99    20  - global_load_dword v7, v[4:5], off
(2 of 6 waits; --top 0 shows all)

(rpl) classify
id    kernel   label           sure  because
att1  softmax  under-occupied  high  few waves are in flight: measured_occupancy 0.01295 <= 0.25
(1 row, modelled)

(rpl) kernel run ordering.co softmax_by_waves --grid 524288 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:8192 --arg i32:100 --att by_waves
object                o2
kernel                softmax_by_waves
architecture          gfx942
grid                  524288x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.3 MI300X
cycles                9,639 cycles
time                  4590 ns
simulated_workgroups  27
workgroups            8,192
waves                 8,192
instructions          1,851,392
by_class              valu 1,097,728, transcendental 49,152, salu 229,376, smem 24,576, vmem 65,536, lds 98,304, branch 81,920, wait 163,840, other 40,960
lane_share            90.43 %
load                  9600.0 KiB
store                 3200.0 KiB
transactions          253,952
lds_accesses          0
lds_conflicts         0 cycles
atomics               0
att                   att2
att_path              by_waves/ui_output_agent_1_dispatch_1

argument  kind    element    count  size KiB  first                                changed  expected
       1  buffer  f32      819,200    3200.0  -0.86687684, -0.5.., 0.8887184, …    no       -
       2  buffer  f32      819,200    3200.0  0.0039127897, 0.0..0.022642892, …    yes      -
       3  value   i32            -       0.0  8192                                 -        -
       4  value   i32            -       0.0  100                                  -        -
(4 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 27 of 8192 workgroups simulated, on one compute unit of 304

(rpl) att summary
att2: softmax_by_waves, thread trace, 27 waves, 6,102 instructions executed, modelled by rpl-cycle/0.3 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 27 of 27 waves launched there (100.0 %)

where 150,802 wave-cycles went
  wait vmcnt       40.92 %  #############################
  stall VALU       19.12 %  ##############
  issue            16.76 %  ############
  wait lgkmcnt     11.83 %  #########
  drain             5.91 %  ####
  idle              4.94 %  ####
  stall IMMED       0.29 %  #
  stall SALU        0.20 %  #
  stall BRANCH      0.03 %  #

states of the traced waves over 7,629 cycles
  EXEC  .....................................................-.....-.......     21.13 % of the time
  WAIT  -...-==############===--......---...--..---------===--=-=-=-=#===#=###  58.95 % of the time
  STALL  ..-...            .....----......-...--.................. ..           19.35 % of the time
waves in flight on all compute units of 1 shader engine, 7,629 cycles
  waves .-#########################################====-------................  up to 27

pipe        executed            latency           stall/latency  cycles each
IMMED            648  10.6 %       79,984  55.8 %      100.0 %        123.4  ##########
VALU           3,780  61.9 %       46,228  32.2 %       62.4 %         12.2  ######
MESSAGE           27   0.4 %        8,916   6.2 %        0.0 %        330.2  #
SALU             756  12.4 %        3,322   2.3 %        9.0 %          4.4  #
LDS              324   5.3 %        2,592   1.8 %        0.0 %          8.0  #
FLAT             216   3.5 %          864   0.6 %        0.0 %          4.0  #
NEXT             189   3.1 %          796   0.6 %        5.0 %          4.2  #
SMEM              81   1.3 %          324   0.2 %        0.0 %          4.0  #
JUMP              81   1.3 %          324   0.2 %        0.0 %          4.0  #

VALU 60.18 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.800

unit     waves  busy_cycles  instructions     ipc  avg_waves
se0/cu0     27        7,629         6,102  0.7998      19.77
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 27 of 8192 workgroups simulated, on one compute unit of 304

(rpl) classify
id    kernel            label           sure  because
att1  softmax           under-occupied  high  few waves are in flight: m.._occupancy 0.01295 <= 0.25
att2  softmax_by_waves  latency bound   high  waves spend their time wai..: wait_share 0.5275 >= 0.3
(2 rows, modelled)

(rpl) classify att2
att2 softmax_by_waves, modelled
latency bound, confidence high (1.00)

memory-bandwidth bound        2 points, lacks what it needs
   +1  arithmetic intensity is on the memory side of the ridge: intensity_ratio 0.09297 <= 1
   +1  waves wait for memory: wait_share 0.5275 >= 0.4
latency bound                 8 points
   +3  waves spend their time waiting: wait_share 0.5275 >= 0.3
       waves are counted as waiting: counter_wait_share 0.5262 >= 0.5
       the dispatch is so short that start and end are most of it: duration_ns 4590 <= 1e+04
   +2  no roof is near: all_roofs_share 0.2683 <= 0.6
   +1  device memory has room: hbm_share 0.2683 <= 0.4
   +1  the arithmetic units have room: compute_share 0.02494 <= 0.4
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
under-occupied                4 points, lacks what it needs
   +2  and those wait: wait_share 0.5275 >= 0.3
       and are counted as waiting: counter_wait_share 0.5262 >= 0.5
       and every roof is far: all_roofs_share 0.2683 <= 0.4
   +1  device memory has room: hbm_share 0.2683 <= 0.4
   +1  the arithmetic units have room: compute_share 0.02494 <= 0.4
divergence limited            3 points, lacks what it needs
   +2  and the vector ALUs matter: valu_utilization 0.4501 >= 0.3
   +1  no roof is near: all_roofs_share 0.2683 <= 0.6
compute throughput limited   -1 points, lacks what it needs
   -1  but waves wait: wait_share 0.5275 >= 0.5

(rpl) advise
 1  att1 softmax: under-occupied
      launch more workgroups: smaller ones, split the reduction, or run beside another stream
      > occupancy --arch MI300X --vgpr 16 --sgpr 15 --lds 0 --workgroup 64
 2  att1 softmax: under-occupied
      see what lets no more waves in: registers, LDS, the size of the workgroup, or the grid
      > occupancy --arch MI300X --vgpr 16 --sgpr 15 --lds 0 --workgroup 64
 3  att2 softmax_by_waves: latency bound
      do more in a launch: fuse with its neighbours, or put them into a graph
      > classify att2
 4  att2 softmax_by_waves: latency bound
      issue loads earlier and more of them at once: unroll, prefetch, load wider
      > att waits att2

(rpl) headroom
id    kernel            low %  high %  critical_share %  priority %  cause  roof_share %  waits %
att1  softmax            0.00   97.35                 -           -  -              2.65    75.37
att2  softmax_by_waves   0.00   73.17                 -           -  -             26.83    52.75
(2 rows; no room for step: /v, modelled)

(rpl) att list
id    current  kernel            kind          waves  path
att1  no       softmax           thread trace      1  by_rows/ui_output_agent_1_dispatch_1
att2  yes      softmax_by_waves  thread trace     27  by_waves/ui_output_agent_1_dispatch_1
(2 rows, modelled)

(rpl) plot cycles
att2: softmax_by_waves, thread trace, 27 waves, 6,102 instructions executed, modelled by rpl-cycle/0.3 MI300X
coverage: 1 of 304 compute units in 1 shader engine; 27 of 27 waves launched there (100.0 %)

where 150,802 wave-cycles went
  wait vmcnt       40.92 %  #############################
  stall VALU       19.12 %  ##############
  issue            16.76 %  ############
  wait lgkmcnt     11.83 %  #########
  drain             5.91 %  ####
  idle              4.94 %  ####
  stall IMMED       0.29 %  #
  stall SALU        0.20 %  #
  stall BRANCH      0.03 %  #

(rpl) att diff att1 att2 --top 1
before  att1: softmax, thread trace, 1 waves, 5,841 instructions executed, modelled by rpl-cycle/0.3 MI300X
after   att2: softmax_by_waves, thread trace, 27 waves, 6,102 instructions executed, modelled by rpl-cycle/0.3 MI300X
a wave lives 5585 cycles, before 126284: -120698.7 (-95.6 %)
306 instructions matched, 1314 added, 70 removed

by cause
  wait vmcnt            -92066.6
  issue                 -21648.0
  idle                   -5340.0
  stall IMMED            -2384.0
  stall VALU             +1068.1
  drain                   -177.8
  wait lgkmcnt            -163.0
  stall SALU               +11.0
  stall BRANCH              +1.5

    before      after     change           line
  105760.0     5585.3  -100174.7  both     (no source)
(1 of 2; --top 0 shows all)
err: note: the kernels have different names: softmax and softmax_by_waves

(rpl) set emu gpu MI300A

(rpl) kernel run/q softmax.co --grid 8192 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:8192 --arg i32:100
61092.38095238095
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

(rpl) classify run
run softmax, modelled
under-occupied, confidence high (0.71)

memory-bandwidth bound        1 point, lacks what it needs
   +1  arithmetic intensity is on the memory side of the ridge: intensity_ratio 0.1091 <= 1
latency bound                 4 points
   +3  waves are counted as waiting: counter_wait_share 0.7505 >= 0.5
   +2  no roof is near: all_roofs_share 0.03534 <= 0.6
   +1  device memory has room: hbm_share 0.02018 <= 0.4
   +1  the arithmetic units have room: compute_share 0.002201 <= 0.4
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
   -2  few waves are in flight, which explains the waiting: measured_occupancy 0.01727 <= 0.25
   -2  the grid leaves the device half empty, which explains the waiting: grid_fill 0.01754 <= 0.5
under-occupied                7 points
   +3  few waves are in flight: measured_occupancy 0.01727 <= 0.25
       the grid leaves the device half empty: grid_fill 0.01754 <= 0.5
   +2  and are counted as waiting: counter_wait_share 0.7505 >= 0.5
       and every roof is far: all_roofs_share 0.03534 <= 0.4
   +1  device memory has room: hbm_share 0.02018 <= 0.4
   +1  the arithmetic units have room: compute_share 0.002201 <= 0.4
divergence limited            1 point, lacks what it needs
   +1  no roof is near: all_roofs_share 0.03534 <= 0.6
compute throughput limited    0 points, lacks what it needs

to be surer, collect
  a thread trace (wait_share): kernel run … --att DIR

(rpl) advise run
 1  run softmax: under-occupied
      launch more workgroups: smaller ones, split the reduction, or run beside another stream
      > occupancy --arch MI300A --vgpr 16 --sgpr 15 --lds 0 --workgroup 64
 2  run softmax: under-occupied
      see what lets no more waves in: registers, LDS, the size of the workgroup, or the grid
      > occupancy --arch MI300A --vgpr 16 --sgpr 15 --lds 0 --workgroup 64

(rpl) explain run.hbm_share
hbm_share = 2.018 %  [modelled]  run, rpl-cycle/0.3 MI300A

(rpl) explain att1.label
confidence = 0.714286  [estimated]
    = points / possible points * (1 - points of the runner-up / points / 2); at least 4 points and a
    rule of each group
    (under-occupied)
  points of memory-bandwidth bound = 2
      (lacks a rule of one of its groups)
    rule memory-side = 1 points  docs/diagnosis.md
        = intensity_ratio <= 1
        (arithmetic intensity is on the memory side of the ridge)
      intensity_ratio = 0.0818193  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule memory-waits = 1 points  docs/diagnosis.md
        = wait_share >= 0.4
        (waves wait for memory)
      wait_share = 75.37 %  [modelled]  att1
  points of latency bound = 4
    rule waits = 3 points  docs/diagnosis.md
        = wait_share >= 0.3
        (waves spend their time waiting)
      wait_share = 75.37 %  [modelled]  att1
    rule counted-waits = 0 points  docs/diagnosis.md
        = counter_wait_share >= 0.5
        (waves are counted as waiting; a stronger rule of its group counts)
      counter_wait_share = 75.05 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule latency-below-roofs = 2 points  docs/diagnosis.md
        = all_roofs_share <= 0.6
        (no roof is near)
      all_roofs_share = 2.651 %  [modelled]  l2_share (att1, rpl-cycle/0.3 MI300X)
    rule latency-memory-low = 1 points  docs/diagnosis.md
        = hbm_share <= 0.4
        (device memory has room)
      hbm_share = 2.018 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule latency-compute-low = 1 points  docs/diagnosis.md
        = compute_share <= 0.4
        (the arithmetic units have room)
      compute_share = 0.1651 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule latency-enough-waves = 1 points  docs/diagnosis.md
        = occupancy_limit >= 0.5
        (many waves fit, and they still wait)
      occupancy_limit = 100 %  [estimated]  occupancy: wave slots limits
    rule latency-few-in-flight = -2 points  docs/diagnosis.md
        = measured_occupancy <= 0.25
        (few waves are in flight, which explains the waiting)
      measured_occupancy = 1.295 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule latency-small-grid = -2 points  docs/diagnosis.md
        = grid_fill <= 0.5
        (the grid leaves the device half empty, which explains the waiting)
      grid_fill = 1.316 %  [estimated]  grid of 128 workgroups
  points of under-occupied = 7
    rule measured-few-waves = 3 points  docs/diagnosis.md
        = measured_occupancy <= 0.25
        (few waves are in flight)
      measured_occupancy = 1.295 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule small-grid = 0 points  docs/diagnosis.md
        = grid_fill <= 0.5
        (the grid leaves the device half empty; a stronger rule of its group counts)
      grid_fill = 1.316 %  [estimated]  grid of 128 workgroups
    rule few-and-waiting = 2 points  docs/diagnosis.md
        = wait_share >= 0.3
        (and those wait)
      wait_share = 75.37 %  [modelled]  att1
    rule few-and-counted-waiting = 0 points  docs/diagnosis.md
        = counter_wait_share >= 0.5
        (and are counted as waiting; a stronger rule of its group counts)
      counter_wait_share = 75.05 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule few-below-roofs = 0 points  docs/diagnosis.md
        = all_roofs_share <= 0.4
        (and every roof is far; a stronger rule of its group counts)
      all_roofs_share = 2.651 %  [modelled]  l2_share (att1, rpl-cycle/0.3 MI300X)
    rule few-memory-low = 1 points  docs/diagnosis.md
        = hbm_share <= 0.4
        (device memory has room)
      hbm_share = 2.018 %  [modelled]  att1, rpl-cycle/0.3 MI300X
    rule few-compute-low = 1 points  docs/diagnosis.md
        = compute_share <= 0.4
        (the arithmetic units have room)
      compute_share = 0.1651 %  [modelled]  att1, rpl-cycle/0.3 MI300X
  points of divergence limited = 1
      (lacks a rule of one of its groups)
    rule divergent-below-roofs = 1 points  docs/diagnosis.md
        = all_roofs_share <= 0.6
        (no roof is near)
      all_roofs_share = 2.651 %  [modelled]  l2_share (att1, rpl-cycle/0.3 MI300X)
  points of compute throughput limited = -1
      (lacks a rule of one of its groups)
    rule compute-but-waits = -1 points  docs/diagnosis.md
        = wait_share >= 0.5
        (but waves wait)
      wait_share = 75.37 %  [modelled]  att1

the older tool has in its place
bottleneck.primary = unknown  older tool, bottleneck_classifier.py
    = fixed tests of stall_fraction, avg_memory_latency > 200 and the instruction mix
    (wrong: v_ and s_ are tested before mfma and branches, so that these are always 0 and divergence
    cannot be found; the memory latency is divided by static instructions; a roof is never asked)

(rpl) set emu gpu MI250X

(rpl) kernel run softmax.co --grid 64 --workgroup 64 --arg f32:random:12800 --arg f32:nan:12800 --arg i32:64 --arg i32:200
err: error: the code is for gfx942, MI250X is gfx90a; 'set emu gpu none' takes a GPU of gfx942

(rpl) set emu gpu MI9

(rpl) kernel run softmax.co --grid 64 --workgroup 64 --arg f32:random:12800 --arg f32:nan:12800 --arg i32:64 --arg i32:200
err: error: no architecture or product 'MI9'; known: RX 6900 XT, RX 7900 XTX, W7900, RX 9070 XT, MI50, MI60, Radeon VII, MI100, MI210, MI250, MI250X, MI300X, MI300A, MI325X, MI308X, MI350X, MI355X; docs/architectures.md says how to add one

$ kernel run softmax.co --grid 64 --workgroup 64 --arg f32:one:64 --arg f32:nan:64 --arg i32:64 --arg i32:1 --att traced --counted
err: error: --att writes the trace of the cycle model; leave --functional, --counted, --max-waves and --races out
? 2

$ att model rowsum --gpu MI350X
id                    att1
kernel                rowsum
model                 rpl-cycle/0.3 MI350X
waves                 4
instructions          220
recorded_wave_cycles  15,816 cycles
modelled_wave_cycles  12,584 cycles
loads_from            L2
error                 -20.44 %

class          executed  recorded_issue  modelled_issue  recorded_stall  modelled_stall
VALU                 56             224             224               0               0
matrix               16             256              64               0               0
SALU                 32             128             128               0               0
scalar memory         4              16              16               0               0
vector memory        36             144             144              80               0
LDS                   8              32              48               0               0
branch               16              64              64               0               0
wait                 44              28               0          12,716          10,092
barrier               4               0               0             252              37
end                   4           1,620           1,351               0               0
(10 rows; no room for issue_error, stall_error: /v, modelled)
err: note: thread traces have no addresses: every load comes from the L2 in the model
