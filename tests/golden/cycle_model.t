# The cycle model: the modelled thread trace of a kernel and of a better one, another GPU, a thread trace beside the model.
# example softmax.co: hip/objects/softmax.gfx942.co
# example ordering.co: ../tests/engine/emu/kernels/objects/ordering.gfx942.co
# example rowsum: att/rowsum
(rpl) kernel run softmax.co --grid 4096 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:4096 --arg i32:200 --att by_rows
object                o1
kernel                softmax
architecture          gfx942
grid                  4096x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.2 MI300X
cycles                249,416 cycles
time                  118.770 us
simulated_workgroups  1
workgroups            64
waves                 64
instructions          745,024
by_class              valu 449,216, transcendental 25,664, salu 77,696, smem 192, vmem 51,200, branch 38,592, wait 51,200, other 51,264
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
       2  buffer  f32      819,200    3200.0  0.001773937, 0.00..0.010265581, …    yes      -
       3  value   i32            -       0.0  4096                                 -        -
       4  value   i32            -       0.0  200                                  -        -
(4 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 1 of 64 workgroups simulated, on one compute unit of 304

(rpl) att summary
att1: softmax, thread trace, 1 waves, 11,641 instructions executed, modelled by rpl-cycle/0.2 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 1 of 1 waves launched there (100.0 %)

where 247,406 wave-cycles went
  wait vmcnt       74.81 %  ######################################################
  issue            18.18 %  #############
  idle              4.53 %  ###
  stall IMMED       1.94 %  #
  wait lgkmcnt      0.33 %  #
  drain             0.21 %  #

states of the traced waves over 247,406 cycles
  EXEC  ......................................................................  22.70 % of the time
  WAIT  ======================================================================  77.28 % of the time
  STALL                                                                         0.00 % of the time
waves in flight on all compute units of 1 shader engine, 247,406 cycles
  waves ######################################################################  up to 1

pipe        executed            latency           stall/latency  cycles each
IMMED          1,600  13.7 %      190,698  80.7 %      100.0 %        119.2  ###############
VALU           7,420  63.7 %       34,504  14.6 %        0.0 %          4.7  ###
SALU           1,214  10.4 %        4,856   2.1 %        0.0 %          4.0  #
FLAT             800   6.9 %        3,200   1.4 %        0.0 %          4.0  #
JUMP             596   5.1 %        2,384   1.0 %        0.0 %          4.0  #
MESSAGE            1   0.0 %          508   0.2 %        0.0 %        508.0  #
NEXT               7   0.1 %           28   0.0 %        0.0 %          4.0  #
SMEM               3   0.0 %           12   0.0 %        0.0 %          4.0  #

VALU 13.95 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.047

unit     waves  busy_cycles  instructions      ipc  avg_waves
se0/cu0      1      247,406        11,641  0.04705          1
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 1 of 64 workgroups simulated, on one compute unit of 304

(rpl) att waits --top 2
att1: softmax, thread trace, 1 waves, 11,641 instructions executed, modelled by rpl-cycle/0.2 MI300X
waits are 97.48 % of all stall. Mean cycles from the issue of an instruction to the
end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 50.38 %     480.3          200    88  s_waitcnt vmcnt(0)
               496       200    84  - global_load_dword v7, v[0:1], off
               525       199   106  - global_store_dword v[2:3], v7, off
 25.20 %     241.5          199    26  s_waitcnt vmcnt(0)
               271       199    20  - global_load_dword v7, v[4:5], off
(2 of 6 waits; --top 0 shows all)

(rpl) classify
id    kernel   label              sure  because
att1  softmax  insufficient data  none  collect counters of the roofline: counters plan roofline
(1 row, estimated)

(rpl) kernel run ordering.co softmax_by_waves --grid 262144 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:4096 --arg i32:200 --att by_waves
object                o2
kernel                softmax_by_waves
architecture          gfx942
grid                  262144x1x1
workgroup             64x1x1
dynamic_lds           0 B
model                 rpl-cycle/0.2 MI300X
cycles                11,178 cycles
time                  5323 ns
simulated_workgroups  14
workgroups            4,096
waves                 4,096
instructions          1,327,104
by_class              valu 778,240, transcendental 49,152, salu 163,840, smem 12,288, vmem 65,536, lds 49,152, branch 65,536, wait 106,496, other 36,864
lane_share            86.68 %
load                  9600.0 KiB
store                 3200.0 KiB
transactions          237,568
lds_accesses          0
lds_conflicts         0 cycles
atomics               0
att                   att2
att_path              by_waves/ui_output_agent_1_dispatch_1

argument  kind    element    count  size KiB  first                                changed  expected
       1  buffer  f32      819,200    3200.0  -0.86687684, -0.5.., 0.8887184, …    no       -
       2  buffer  f32      819,200    3200.0  0.0017739359, 0.0..0.010265575, …    yes      -
       3  value   i32            -       0.0  4096                                 -        -
       4  value   i32            -       0.0  200                                  -        -
(4 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 14 of 4096 workgroups simulated, on one compute unit of 304

(rpl) att summary
att2: softmax_by_waves, thread trace, 14 waves, 4,536 instructions executed, modelled by rpl-cycle/0.2 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 14 of 14 waves launched there (100.0 %)

where 112,115 wave-cycles went
  wait vmcnt       58.50 %  ##########################################
  issue            16.98 %  ############
  wait lgkmcnt      8.87 %  ######
  stall VALU        5.70 %  ####
  idle              5.44 %  ####
  drain             3.99 %  ###
  stall IMMED       0.40 %  #
  stall SALU        0.10 %  #
  stall BRANCH      0.00 %  #

states of the traced waves over 9,168 cycles
  EXEC  .--.  ...... ...... ...... ....---..-..-.-..--.--................ .-    22.03 % of the time
  WAIT  -..=#####==#####==######=####=----------=-==--------===---===##==#=-##  71.77 % of the time
  STALL  ...                        ................................            5.80 % of the time
waves in flight on all compute units of 1 shader engine, 9,168 cycles
  waves -#########################################################==--........  up to 14

pipe        executed            latency           stall/latency  cycles each
IMMED            476  10.5 %       75,987  71.7 %      100.0 %        159.6  #############
VALU           2,828  62.3 %       19,892  18.8 %       32.2 %          7.0  ###
MESSAGE           14   0.3 %        4,477   4.2 %        0.0 %        319.8  #
SALU             560  12.3 %        2,347   2.2 %        4.6 %          4.2  #
LDS              168   3.7 %        1,344   1.3 %        0.0 %          8.0  #
FLAT             224   4.9 %          896   0.8 %        0.0 %          4.0  #
JUMP             126   2.8 %          508   0.5 %        0.8 %          4.0  #
NEXT              98   2.2 %          392   0.4 %        0.0 %          4.0  #
SMEM              42   0.9 %          168   0.2 %        0.0 %          4.0  #

VALU 39.72 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.495

unit     waves  busy_cycles  instructions     ipc  avg_waves
se0/cu0     14        9,168         4,536  0.4948      12.23
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 14 of 4096 workgroups simulated, on one compute unit of 304

(rpl) classify
id    kernel            label              sure  because
att1  softmax           insufficient data  none  collect counters of the r..: counters plan roofline
att2  softmax_by_waves  insufficient data  none  collect counters of the r..: counters plan roofline
(2 rows, estimated)

(rpl) att list
id    current  kernel            kind          waves  path
att1  no       softmax           thread trace      1  by_rows/ui_output_agent_1_dispatch_1
att2  yes      softmax_by_waves  thread trace     14  by_waves/ui_output_agent_1_dispatch_1
(2 rows, modelled)

(rpl) plot cycles
att2: softmax_by_waves, thread trace, 14 waves, 4,536 instructions executed, modelled by rpl-cycle/0.2 MI300X
coverage: 1 of 304 compute units in 1 shader engine; 14 of 14 waves launched there (100.0 %)

where 112,115 wave-cycles went
  wait vmcnt       58.50 %  ##########################################
  issue            16.98 %  ############
  wait lgkmcnt      8.87 %  ######
  stall VALU        5.70 %  ####
  idle              5.44 %  ####
  drain             3.99 %  ###
  stall IMMED       0.40 %  #
  stall SALU        0.10 %  #
  stall BRANCH      0.00 %  #

(rpl) att diff att1 att2 --top 1
before  att1: softmax, thread trace, 1 waves, 11,641 instructions executed, modelled by rpl-cycle/0.2 MI300X
after   att2: softmax_by_waves, thread trace, 14 waves, 4,536 instructions executed, modelled by rpl-cycle/0.2 MI300X
a wave lives 8008 cycles, before 247406: -239397.8 (-96.8 %)
306 instructions matched, 1314 added, 70 removed

by cause
  wait vmcnt           -180390.9
  issue                 -43624.0
  idle                  -10780.0
  stall IMMED            -4768.0
  stall VALU              +456.9
  drain                   -188.2
  wait lgkmcnt            -111.5
  stall SALU                +7.6
  stall BRANCH              +0.3

    before      after     change           line
  206482.0     8008.2  -198473.8  both     (no source)
(1 of 2; --top 0 shows all)
err: note: the kernels have different names: softmax and softmax_by_waves

(rpl) set emu gpu MI300A

(rpl) kernel run/q softmax.co --grid 4096 --workgroup 64 --arg f32:random:819200 --arg f32:nan:819200 --arg i32:4096 --arg i32:200
118769.5238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

(rpl) set emu gpu MI250X

(rpl) kernel run softmax.co --grid 64 --workgroup 64 --arg f32:random:12800 --arg f32:nan:12800 --arg i32:64 --arg i32:200
err: error: the code is for gfx942, MI250X is gfx90a; `set emu gpu none` takes a GPU of gfx942

(rpl) set emu gpu MI9

(rpl) kernel run softmax.co --grid 64 --workgroup 64 --arg f32:random:12800 --arg f32:nan:12800 --arg i32:64 --arg i32:200
err: error: no architecture or product 'MI9'; known: RX 6900 XT, RX 7900 XTX, W7900, RX 9070 XT, MI50, MI60, Radeon VII, MI100, MI210, MI250, MI250X, MI300X, MI300A, MI325X, MI308X, MI350X, MI355X; docs/architectures.md says how to add one

$ kernel run softmax.co --grid 64 --workgroup 64 --arg f32:one:64 --arg f32:nan:64 --arg i32:64 --arg i32:1 --att traced --counted
err: error: --att writes the trace of the cycle model; leave --functional, --counted, --max-waves and --races out
? 2

$ att model rowsum --gpu MI350X
id                    att1
kernel                rowsum
model                 rpl-cycle/0.2 MI350X
waves                 4
instructions          220
recorded_wave_cycles  15,816 cycles
modelled_wave_cycles  11,488 cycles
error                 -27.36 %

class          executed  recorded_issue  modelled_issue  recorded_stall  modelled_stall
VALU                 56             224             224               0               0
matrix               16             256              64               0               0
SALU                 32             128             128               0               0
scalar memory         4              16              16               0               0
vector memory        36             144             144              80               0
LDS                   8              32              48               0               0
branch               16              64              64               0               0
wait                 44              28               0          12,716           6,914
barrier               4               0               0             252              48
end                   4           1,620           3,422               0               0
(10 rows; no room for issue_error, stall_error: /v, modelled)
err: note: thread traces have no addresses: memory has one latency in the model
