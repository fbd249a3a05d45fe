# The options of profile on the emulated device, and what profiles of other programs say.
# modelled
# needs example: rpl-hip-example
$ profile --runs 3 --quiet --output runs rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
3 runs: mean 3.505 us, standard deviation 0 ns, cv 0.000: stable
wrote runs: profile.json roofline.json dag.json analysis.json, and the database

! ls runs | grep run; ls runs/run_3/*/*_results.db | wc -l
run_2
run_3
1

# One word is taken apart as a shell would.
$ profile "rpl-hip-example --dispatches 5" --output five
PASSED
ran rpl-hip-example --dispatches 5 on 1 x MI300X, emulated: every time below is modelled
t1: 7 dispatches, 1 kernel, 3 streams, gfx942 x1, 46.58 us (rocpd 3)
  k5e4c39  vector_add                                7 x    10.25 us  100.0 %
wrote five: profile.json roofline.json dag.json analysis.json, and the database

! cat five/stdout.txt
PASSED

# Counters, under the hardware's names.
(rpl) profile --quiet --roofline --output counted -- rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
roofline of vector_add, a dispatch: 4,096 FLOP, 32.00 KiB to and from memory
  18.7 GB/s, 2.337 GFLOP/s, 0.125 FLOP/byte: memory bound
limited by: under-occupied (confidence 0.90)
  small-grid, 42 to 58 % of its time
headroom: 42 to 58 % of its time
wrote counted: profile.json roofline.json dag.json analysis.json, and the database
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter

(rpl) info counters/4
counter                dispatches  sum  mean  max  block  unit          description
SQ_WAVES                        2  128    64   64  SQ     waves         waves started
SQ_INSTS_VALU_ADD_F16           2    0     0    0  SQ     instructions  F16 additions..e counts once
SQ_INSTS_VALU_MUL_F16           2    0     0    0  SQ     instructions  F16 multiplic..e counts once
SQ_INSTS_VALU_FMA_F16           2    0     0    0  SQ     instructions  F16 fused mul..e counts once
(4 of 36 rows; --limit 0 shows all, modelled)

(rpl) roofline --level hbm
GFLOP/s  MI300X (gfx942), HBM, ceilings: spec
  1e6 +
      |
  1e5 +                                                    /////----------------- vector f32 163 TF
      |                                           /////////
      |                                  /////////
  1e4 +                         ///////// HBM 5.32 TB/s
      |                /////////
 1000 +       /////////
      |///////
      |
  100 +
      |
   10 +
      |
      |  A
    1 +
      ++----------------------+----------------------+---------------------+----------------------+
       0.1                    1                      10                    100                  1000
                                                                                          FLOP/byte

  kernel                                      FLOP/byte    FLOP/s    bytes/s     roof  bound       n
A vector_add                                      0.125   2.34 GF  18.7 GB/s    0.4 %  memory      2
    of the bandwidth: HBM 0.4 %, L2 0.1 %, LDS 0.0 %, MALL 0.1 %
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter

(rpl) profile --quiet --counters SQ_WAVES,TCC_EA0_WRREQ --att vector --output traced -- rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t2: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
att1: thread trace of vector_add: 77 % of cycles stalled, 4 % idle
wrote traced: profile.json roofline.json dag.json analysis.json, and the database
err: note: 29 counters of the set 'roofline' not counted; 'profile --roofline' counts what the emulated device has

(rpl) info counters
counter            dispatches  sum  mean  max  block  unit      description
SQ_WAVES                    2  128    64   64  SQ     waves     waves started
TCC_EA0_WRREQ_sum           2  512   256  256  TCC    requests  writes to the fabric of any size
(2 rows, modelled)

(rpl) att summary
att1: vector_add, thread trace, 4 waves, 92 instructions executed, modelled by rpl-cycle/0.5 MI300X, gfx942, 2100 MHz
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
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 1 of 16 workgroups simulated, on one compute unit of 304

(rpl) profile --quiet --att softmax --output none -- rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t3: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote none: profile.json roofline.json dag.json analysis.json, and the database
err: note: no thread trace: no kernel that ran has 'softmax' in its name; 'info kernels' lists them

$ profile --counters SQ_WAVE --output x rpl-hip-example
err: error: the emulated device does not count SQ_WAVE on gfx942; did you mean 'SQ_WAVES' or 'SQ_WAVE_CYCLES'?
? 1

$ profile --counters SQ_INSTS_GDS --output x rpl-hip-example
err: error: the emulated device does not count SQ_INSTS_GDS on gfx942; did you mean 'SQ_INSTS_LDS', 'SQ_INSTS' or 'SQ_INSTS_FLAT'?
? 1

# What limits the kernel that matters most.
$ profile --quiet --deep-analysis --focus-critical --output deep rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
critical path: 4.161 us of kernels and copies, 84 % of them vector_add
roofline of vector_add, a dispatch: 4,096 FLOP, 32.00 KiB to and from memory
  18.7 GB/s, 2.337 GFLOP/s, 0.125 FLOP/byte: memory bound
att1: thread trace of vector_add: 77 % of cycles stalled, 4 % idle
limited by: under-occupied (confidence 0.90)
  small-grid, 42 to 58 % of its time
headroom: 42 to 58 % of its time
wrote deep: profile.json roofline.json dag.json analysis.json, and the database
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter

# The last profile again.
(rpl) profile --quiet --output again -- rpl-hip-example
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote again: profile.json roofline.json dag.json analysis.json, and the database

(rpl) run
ran rpl-hip-example on 1 x MI300X, emulated: every time below is modelled
t2: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote DIR/.rpl/profiles/1: profile.json roofline.json dag.json analysis.json, and the database

# The host's time of any program.
! rpl profile "sleep 0.05" --no-rocprof --output host --json 2>/dev/null | grep -oE '"(time_source|schema_version|kernel|provenance|target|runs)": [^,]*'
"schema_version": "1.0"
"kernel": null
"runs": 1
"time_source": "host"
"target": "local"
"provenance": "measured"

$ profile /bin/ls
err: error: /bin/ls is not a HIP program: it does not use libamdhip64; build one: rpl build SOURCE -o app; the host's time of any program: profile --no-rocprof
? 6

$ profile --no-rocprof --roofline -- true
err: error: --no-rocprof records nothing: it leaves no kernels for --roofline, --counters, --att, --focus-critical and --deep-analysis; leave one or the other out
? 2

$ profile "ls | wc"
err: error: a pipeline is not a program; profile -- sh -c 'A | B'
? 2

$ profile --runs 0 rpl-hip-example
err: error: --runs takes a whole number, 1 to 1000, not 0; help profile
? 2

$ info capabilities /q
emu

# What a machine has, and what fixes what it lacks: one with another vendor's GPU.
! mkdir -p nvidia/proc/driver/nvidia && echo x > nvidia/proc/driver/nvidia/version && PATH=/nowhere RPL_MACHINE_ROOT=$PWD/nvidia $(command -v rpl) info capabilities --csv | grep -v '^emu,emulated'
target,name,state,detail,fix
emu,HIP compiler,missing,programs that are built already run,scripts/setup --kernels
recorded,recordings,available,"rocpd, RPD, rocprofv3 CSV and JSON, thread traces, pmc_perf.csv: open FILE",
local,AMD GPU,missing,"the GPU of this machine is NVIDIA's: ROCm does not run on it, the emulated device does",profile -- ./app
local,/dev/kfd,missing,the driver amdgpu makes it,sudo modprobe amdgpu
local,ROCm,missing,no /opt/rocm,sudo apt-get install rocm   (from AMD's repository)
local,rocprofv3,missing,nothing records kernels and counters of a GPU,sudo apt-get install rocprofiler-sdk
local,rocprofv3-avail,unknown,not there: that counters fit one pass is known from tables alone,
local,thread trace decoder,missing,rocprofv3 --att fails without it,put librocprof-trace-decoder.so in /opt/rocm/lib   (github.com/ROCm/rocprof-trace-decoder)
local,counter permission,unknown,no perf_event_paranoid,
measuring,CPU governor,unknown,the system does not say (a virtual machine?),
measuring,GPU clocks,unknown,no AMD GPU shows any,
measuring,other GPU processes,unknown,no AMD driver that would list them,

# One with an older ROCm.
! mkdir -p rocm/opt/rocm/.info rocm/opt/rocm/bin && echo 6.4.1-83 > rocm/opt/rocm/.info/version && touch rocm/opt/rocm/bin/rocprofv3 && PATH=/nowhere RPL_MACHINE_ROOT=$PWD/rocm $(command -v rpl) info capabilities | grep -A12 '^local'
local: an AMD GPU of this machine
  no   AMD GPU                 there is none: programs run on the emulated device
       profile -- ./app
  no   /dev/kfd                the driver amdgpu makes it
       sudo modprobe amdgpu
  but  ROCm                    6.4.1-83: rocprofv3 before 7.0 writes no rocpd databases
       rocprofv3 --sys-trace -f csv -- ./app   (or upgrade to ROCm 7)
  yes  rocprofv3               /opt/rocm/bin/rocprofv3
  ?    rocprofv3-avail         not there: that counters fit one pass is known from tables alone
  no   thread trace decoder    rocprofv3 --att fails without it
       put librocprof-trace-decoder.so in /opt/rocm/lib   (github.com/ROCm/rocprof-trace-decoder)
  ?    counter permission      no perf_event_paranoid


# What launches no kernel, what dies in its first one, and what does not end there.
$ profile --quiet --output none -- rpl-hip-example --no-kernel
ran rpl-hip-example --no-kernel on 1 x MI300X, emulated: every time below is modelled
t1: no kernel ran, 9 HIP calls
wrote none: profile.json, and the database
err: note: no kernel was launched: there are calls, copies and memory to look at, and no times of kernels

$ profile --quiet --output fault -- rpl-hip-example --fault
ran rpl-hip-example --fault on 1 x MI300X, emulated: every time below is modelled
t1: no kernel ended, 5 HIP calls
wrote fault: profile.json, and the database
err: note: the program ended with status 7; what it did before is here
err: note: kernel vector_add: wave 0 of workgroup 0 at 0x1960, global_load_dword v6, v[4:5], off: lane 0 reads 4 bytes at 0x0: 13194139533312 bytes before the code object (2240 bytes at 0xc0000000000)
? 1

$ profile --quiet --timeout 10 --output endless -- rpl-hip-example --endless
ran rpl-hip-example --endless on 1 x MI300X, emulated: every time below is modelled
t1: no kernel ended, 3 HIP calls
wrote endless: profile.json, and the database
err: note: the program was stopped after its time
err: note: a process ended without its last records
? 124

# Options of other profilers are answered with what does it here.
$ profile --kernel-trace -- ./app
err: error: 'profile' has no option --kernel-trace; 'rpl profile -- ./app' records kernels, copies and calls, and opens them; 'rpl summary FILE' and 'rpl info kernels FILE' have the statistics
? 2

$ profile --pmc SQ_WAVES -- ./app
err: error: 'profile' has no option --pmc; 'rpl profile --roofline -- ./app' or 'rpl profile --counters A,B -- ./app' records counters; 'rpl classify', 'rpl roofline' and 'rpl occupancy' say what they mean
? 2

$ --list-avail
err: error: unknown option --list-avail; 'rpl counters list' lists counters, 'rpl counters plan roofline' those of a question
? 2
