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
model                 rpl-cycle/0.5 MI300X
cycles                214,017 cycles
time                  101.913 us
time_low              84.588 us
time_high             130.448 us
time_class            latency
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
att1: softmax, thread trace, 1 waves, 5,841 instructions executed, modelled by rpl-cycle/0.5 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 1 of 1 waves launched there (100.0 %)

where 211,949 wave-cycles went
  wait vmcnt       84.48 %  #############################################################
  issue            10.66 %  ########
  idle              2.65 %  ##
  stall IMMED       1.13 %  #
  drain             0.66 %  #
  wait lgkmcnt      0.43 %  #

states of the traced waves over 211,949 cycles
  EXEC  ............---------.................................................  13.29 % of the time
  WAIT  #####====#==---------#################################################  86.69 % of the time
  STALL                                                                         0.00 % of the time
waves in flight on all compute units of 1 shader engine, 211,949 cycles
  waves ######################################################################  up to 1

pipe        executed            latency           stall/latency  cycles each
IMMED            800  13.7 %      182,353  88.4 %      100.0 %        227.9  ################
VALU           3,720  63.7 %       17,304   8.4 %        0.0 %          4.7  ##
SALU             614  10.5 %        2,456   1.2 %        0.0 %          4.0  #
FLAT             400   6.8 %        1,600   0.8 %        0.0 %          4.0  #
MESSAGE            1   0.0 %        1,396   0.7 %        0.0 %       1396.0  #
JUMP             296   5.1 %        1,184   0.6 %        0.0 %          4.0  #
NEXT               7   0.1 %           28   0.0 %        0.0 %          4.0  #
SMEM               3   0.1 %           12   0.0 %        0.0 %          4.0  #

VALU 8.16 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.028

unit     waves  busy_cycles  instructions      ipc  avg_waves
se0/cu0      1      211,949         5,841  0.02756          1
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 1 of 128 workgroups simulated, on one compute unit of 304

(rpl) att waits --top 2
att1: softmax, thread trace, 1 waves, 5,841 instructions executed, modelled by rpl-cycle/0.5 MI300X
waits are 98.68 % of all stall. Mean cycles from the issue of an instruction to the end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 73.60 %    1342.2          100    88  s_waitcnt vmcnt(0)
            1358.2          100    84  - global_load_dword v7, v[0:1], off
            1398.2           99   106  - global_store_dword v[2:3], v7, off
 15.47 %     284.9           99    26  s_waitcnt vmcnt(0)
             323.3           99    20  - global_load_dword v7, v[4:5], off
(2 of 6 waits; --top 0 shows all)

(rpl) classify
id    kernel   label           sure  because
att1  softmax  under-occupied  high  few waves are in flight: measured_occupancy 0.01303 <= 0.25
(1 row, modelled)

(rpl) kernel run ordering.co softmax_by_waves --grid 524288 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:8192 --arg i32:100 --att by_waves
object                o2
kernel                softmax_by_waves
architecture          gfx942
grid                  524288x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.5 MI300X
cycles                9,766 cycles
time                  4650 ns
time_low              3860 ns
time_high             5953 ns
time_class            latency
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
att2: softmax_by_waves, thread trace, 27 waves, 6,102 instructions executed, modelled by rpl-cycle/0.5 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 27 of 27 waves launched there (100.0 %)

where 138,707 wave-cycles went
  wait vmcnt       43.05 %  ###############################
  issue            18.22 %  #############
  stall VALU       15.47 %  ###########
  wait lgkmcnt     13.00 %  #########
  idle              5.37 %  ####
  drain             4.33 %  ###
  stall IMMED       0.31 %  #
  stall SALU        0.19 %  #
  stall BRANCH      0.06 %  #

states of the traced waves over 7,698 cycles
  EXEC  ..--..............................................-..-..-..-..---.--    22.97 % of the time
  WAIT  ----=============#####=======-=----.....--..-.-..-.--.==-=-.==.--#--##  60.70 % of the time
  STALL         .. ........  ..............--.--..-................. ...        15.71 % of the time
waves in flight on all compute units of 1 shader engine, 7,698 cycles
  waves ......----====##############################======---------...........  up to 27

pipe        executed            latency           stall/latency  cycles each
IMMED            648  10.6 %       78,184  59.6 %      100.0 %        120.7  ###########
VALU           3,780  61.9 %       38,841  29.6 %       55.2 %         10.3  #####
MESSAGE           27   0.4 %        6,005   4.6 %        0.0 %        222.4  #
SALU             756  12.4 %        3,283   2.5 %        7.9 %          4.3  #
LDS              324   5.3 %        2,592   2.0 %        0.0 %          8.0  #
FLAT             216   3.5 %          864   0.7 %        0.0 %          4.0  #
NEXT             189   3.1 %          824   0.6 %        8.3 %          4.4  #
JUMP              81   1.3 %          338   0.3 %        4.1 %          4.2  #
SMEM              81   1.3 %          324   0.2 %        0.0 %          4.0  #

VALU 58.43 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.793

unit     waves  busy_cycles  instructions     ipc  avg_waves
se0/cu0     27        7,698         6,102  0.7927      18.02
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 27 of 8192 workgroups simulated, on one compute unit of 304

(rpl) classify
id    kernel            label           sure  because
att1  softmax           under-occupied  high  few waves are in flight: m.._occupancy 0.01303 <= 0.25
att2  softmax_by_waves  latency bound   high  waves spend their time wai..: wait_share 0.5605 >= 0.3
(2 rows, modelled)

(rpl) classify att2
att2 softmax_by_waves, modelled
latency bound, confidence high (1.00)

memory-bandwidth bound        2 points, lacks what it needs
   +1  arithmetic intensity is on the memory side of the ridge: intensity_ratio 0.187 <= 1
   +1  waves wait for memory: wait_share 0.5605 >= 0.4
latency bound                 8 points
   +3  waves spend their time waiting: wait_share 0.5605 >= 0.3
       waves are counted as waiting: counter_wait_share 0.559 >= 0.5
       the dispatch is so short that start and end are most of it: duration_ns 4650 <= 10000
   +2  no roof is near: all_roofs_share 0.1316 <= 0.6
   +1  device memory has room: hbm_share 0.1316 <= 0.4
   +1  the arithmetic units have room: compute_share 0.02462 <= 0.4
   +1  many waves fit, and they still wait: occupancy_limit 1 >= 0.5
under-occupied                4 points, lacks what it needs
   +2  and those wait: wait_share 0.5605 >= 0.3
       and are counted as waiting: counter_wait_share 0.559 >= 0.5
       and every roof is far: all_roofs_share 0.1316 <= 0.4
   +1  device memory has room: hbm_share 0.1316 <= 0.4
   +1  the arithmetic units have room: compute_share 0.02462 <= 0.4
divergence limited            3 points, lacks what it needs
   +2  and the vector ALUs matter: valu_utilization 0.4442 >= 0.3
   +1  no roof is near: all_roofs_share 0.1316 <= 0.6
compute throughput limited   -1 points, lacks what it needs
   -1  but waves wait: wait_share 0.5605 >= 0.5

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
att1  softmax            0.00   98.41                 -           -  -              1.59    84.90
att2  softmax_by_waves   0.00   86.84                 -           -  -             13.16    56.05
(2 rows; no room for step, physical: /v, modelled)

(rpl) att list
id    current  kernel            kind          waves  path
att1  no       softmax           thread trace      1  by_rows/ui_output_agent_1_dispatch_1
att2  yes      softmax_by_waves  thread trace     27  by_waves/ui_output_agent_1_dispatch_1
(2 rows, modelled)

(rpl) plot cycles
att2: softmax_by_waves, thread trace, 27 waves, 6,102 instructions executed, modelled by rpl-cycle/0.5 MI300X
coverage: 1 of 304 compute units in 1 shader engine; 27 of 27 waves launched there (100.0 %)

where 138,707 wave-cycles went
  wait vmcnt       43.05 %  ###############################
  issue            18.22 %  #############
  stall VALU       15.47 %  ###########
  wait lgkmcnt     13.00 %  #########
  idle              5.37 %  ####
  drain             4.33 %  ###
  stall IMMED       0.31 %  #
  stall SALU        0.19 %  #
  stall BRANCH      0.06 %  #

(rpl) att diff att1 att2 --top 1
before  att1: softmax, thread trace, 1 waves, 5,841 instructions executed, modelled by rpl-cycle/0.5 MI300X
after   att2: softmax_by_waves, thread trace, 27 waves, 6,102 instructions executed, modelled by rpl-cycle/0.5 MI300X
a wave lives 5137 cycles, before 211949: -206811.7 (-97.6 %)
45 instructions matched, 133 added, 65 removed

by cause
  wait vmcnt           -176835.2
  issue                 -21648.0
  idle                   -5340.0
  stall IMMED            -2384.0
  drain                  -1173.6
  stall VALU              +794.6
  wait lgkmcnt            -238.1
  stall SALU                +9.6
  stall BRANCH              +3.0

    before      after     change           line
  195975.0     5137.3  -190837.7  both     (no source)
(1 of 2; --top 0 shows all)
err: note: the kernels have different names: softmax and softmax_by_waves

(rpl) set emu gpu MI300A

(rpl) kernel run/q softmax.co --grid 8192 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:8192 --arg i32:100
102172.85714285714
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

(rpl) classify run
run softmax, modelled
memory-bandwidth bound, confidence high (0.90)

1   uncoalesced-store            47 to 63 %   global_store_dword v[2:3], v7, off
    neighbouring lanes store to different lines
    32 times as many lines as the bytes of its stores fill
    -> have neighbouring work-items of global_store_dword v[2:3] store neighbouring elements: swap
    the indices, or collect the results in LDS first
2   small-grid                   77 to 93 %   
    the grid leaves most of the device without work
    128 waves
    912 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
3   redundant-loads              0 to 13 %    global_load_dword v9, v[4:5], off
    a wave loads again what it had loaded before
    -> keep what global_load_dword v9 loads in a register or in LDS, and load it once
4   narrow-loads                 0 to 10 %    global_load_dword v9, v[4:5], off
    a wave loads one line piece by piece
    -> load 16 bytes at once at global_load_dword v9: float4, or an unrolled loop over aligned data

(rpl) advise run
 1  run softmax: memory-bandwidth bound
      uncoalesced-store, 47 to 63 % of its time: global_store_dword v[2:3], v7, off: have neighbouring work-items of global_store_dword v[2:3] store neighbouring elements: swap the indices, or collect the results in LDS first
      > findings run
      gains the trace 46.6 % to at most 62.6 %
 2  run softmax: memory-bandwidth bound
      small-grid, 77 to 93 % of its time: launch more waves: divide the work of the kernel among more work-items
      > findings run
      gains the trace 77.2 % to at most 93.2 %
 3  run softmax: memory-bandwidth bound
      redundant-loads, 0 to 13 % of its time: global_load_dword v9, v[4:5], off: keep what global_load_dword v9 loads in a register or in LDS, and load it once
      > findings run
      gains the trace 0.0 % to at most 13.4 %
 4  run softmax: memory-bandwidth bound
      narrow-loads, 0 to 10 % of its time: global_load_dword v9, v[4:5], off: load 16 bytes at once at global_load_dword v9: float4, or an unrolled loop over aligned data
      > findings run
      gains the trace 0.0 % to at most 10.1 %

(rpl) explain run.hbm_share
hbm_share = 0.6043 %  [modelled]  run, rpl-cycle/0.5 MI300A

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
      intensity_ratio = 0.163342  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule memory-waits = 1 points  docs/diagnosis.md
        = wait_share >= 0.4
        (waves wait for memory)
      wait_share = 84.9 %  [modelled]  att1
  points of latency bound = 4
    rule waits = 3 points  docs/diagnosis.md
        = wait_share >= 0.3
        (waves spend their time waiting)
      wait_share = 84.9 %  [modelled]  att1
    rule counted-waits = 0 points  docs/diagnosis.md
        = counter_wait_share >= 0.5
        (waves are counted as waiting; a stronger rule of its group counts)
      counter_wait_share = 84.72 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule latency-below-roofs = 2 points  docs/diagnosis.md
        = all_roofs_share <= 0.6
        (no roof is near)
      all_roofs_share = 1.589 %  [modelled]  l2_share (att1, rpl-cycle/0.5 MI300X)
    rule latency-memory-low = 1 points  docs/diagnosis.md
        = hbm_share <= 0.4
        (device memory has room)
      hbm_share = 0.6058 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule latency-compute-low = 1 points  docs/diagnosis.md
        = compute_share <= 0.4
        (the arithmetic units have room)
      compute_share = 0.09896 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule latency-enough-waves = 1 points  docs/diagnosis.md
        = occupancy_limit >= 0.5
        (many waves fit, and they still wait)
      occupancy_limit = 100 %  [estimated]  occupancy: wave slots limits
    rule latency-few-in-flight = -2 points  docs/diagnosis.md
        = measured_occupancy <= 0.25
        (few waves are in flight, which explains the waiting)
      measured_occupancy = 1.303 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule latency-small-grid = -2 points  docs/diagnosis.md
        = grid_fill <= 0.5
        (the grid leaves the device half empty, which explains the waiting)
      grid_fill = 1.316 %  [estimated]  grid of 128 workgroups
  points of under-occupied = 7
    rule measured-few-waves = 3 points  docs/diagnosis.md
        = measured_occupancy <= 0.25
        (few waves are in flight)
      measured_occupancy = 1.303 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule small-grid = 0 points  docs/diagnosis.md
        = grid_fill <= 0.5
        (the grid leaves the device half empty; a stronger rule of its group counts)
      grid_fill = 1.316 %  [estimated]  grid of 128 workgroups
    rule few-and-waiting = 2 points  docs/diagnosis.md
        = wait_share >= 0.3
        (and those wait)
      wait_share = 84.9 %  [modelled]  att1
    rule few-and-counted-waiting = 0 points  docs/diagnosis.md
        = counter_wait_share >= 0.5
        (and are counted as waiting; a stronger rule of its group counts)
      counter_wait_share = 84.72 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule few-below-roofs = 0 points  docs/diagnosis.md
        = all_roofs_share <= 0.4
        (and every roof is far; a stronger rule of its group counts)
      all_roofs_share = 1.589 %  [modelled]  l2_share (att1, rpl-cycle/0.5 MI300X)
    rule few-memory-low = 1 points  docs/diagnosis.md
        = hbm_share <= 0.4
        (device memory has room)
      hbm_share = 0.6058 %  [modelled]  att1, rpl-cycle/0.5 MI300X
    rule few-compute-low = 1 points  docs/diagnosis.md
        = compute_share <= 0.4
        (the arithmetic units have room)
      compute_share = 0.09896 %  [modelled]  att1, rpl-cycle/0.5 MI300X
  points of divergence limited = 1
      (lacks a rule of one of its groups)
    rule divergent-below-roofs = 1 points  docs/diagnosis.md
        = all_roofs_share <= 0.6
        (no roof is near)
      all_roofs_share = 1.589 %  [modelled]  l2_share (att1, rpl-cycle/0.5 MI300X)
  points of compute throughput limited = -1
      (lacks a rule of one of its groups)
    rule compute-but-waits = -1 points  docs/diagnosis.md
        = wait_share >= 0.5
        (but waves wait)
      wait_share = 84.9 %  [modelled]  att1

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
model                 rpl-cycle/0.5 MI350X
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
