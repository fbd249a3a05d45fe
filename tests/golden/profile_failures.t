# What can go wrong under rocprofv3, played by a stand-in, and what is said of it.
# needs example: rpl-hip-example
# needs recorder: rocprofv3
! RPL_STAND_IN_FAILURE=kfd rpl profile --target local --quiet --output kfd -- rpl-hip-example
err: error: this user may not open /dev/kfd; sudo usermod -aG render,video $USER   (then log in again)
? 1

! RPL_STAND_IN_FAILURE=counter-lock rpl profile --target local --counters SQ_WAVES --quiet --output lock -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
counters of 1 more run: the times are those of the run without counters
wrote lock: profile.json roofline.json dag.json analysis.json, and the database
err: note: 30 counters of the set 'roofline' were not collected, SQ_INSTS_VALU_ADD_F16 among them: counters plan --set roofline --arch gfx942
err: note: pass 1 (SQ_WAVES): the GPU could not be locked for counting: what was counted may be wrong; sudo sysctl kernel.perf_event_paranoid=2   (or give rocprofv3 CAP_PERFMON)

! RPL_STAND_IN_FAILURE=decoder rpl profile --target local --att vector --quiet --output decoder -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote decoder: profile.json roofline.json dag.json analysis.json, and the database
err: note: thread trace: rocprofv3 found no librocprof-trace-decoder.so, and ran nothing; put it in /opt/rocm/lib, or name its folder: ROCPROF_ATT_LIBRARY_PATH=DIR (github.com/ROCm/rocprof-trace-decoder)

! RPL_STAND_IN_FAILURE=decoder-broken rpl profile --target local --att vector --quiet --output broken -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote broken: profile.json roofline.json dag.json analysis.json, and the database
err: note: thread trace: librocprof-trace-decoder.so and this rocprofv3 do not fit together; install the decoder of the same ROCm; the raw .att files are kept

$ profile --target local --att no_such --quiet --output untraced -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote untraced: profile.json roofline.json dag.json analysis.json, and the database
err: note: thread trace: none came of it: no such kernel ran, or no wave of it on the compute unit that is traced; info kernels lists the names; a larger grid reaches every compute unit

! RPL_STAND_IN_FAILURE=too-many rpl profile --target local --counters SQ_WAVES,SQ_BUSY_CYCLES --quiet --output many -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote many: profile.json roofline.json dag.json analysis.json, and the database
err: note: pass 1 (SQ_WAVES SQ_BUSY_CYCLES): the counters do not fit one pass on this GPU; fewer counters at once: rocprofv3-avail pmc-check SQ_WAVES SQ_BUSY_CYCLES
err: note: pass 1 is done again in two halves
err: note: pass 2 (SQ_WAVES): the counters do not fit one pass on this GPU; fewer counters at once: rocprofv3-avail pmc-check SQ_WAVES
err: note: pass 3 (SQ_BUSY_CYCLES): the counters do not fit one pass on this GPU; fewer counters at once: rocprofv3-avail pmc-check SQ_BUSY_CYCLES

! RPL_STAND_IN_FAILURE=hang rpl profile --target local --counters SQ_WAVES --timeout 5 --quiet --output hang -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote hang: profile.json roofline.json dag.json analysis.json, and the database
err: note: pass 1 (SQ_WAVES): the counting run hung and was stopped after 5 s: the set is probably too large for one pass; fewer counters at once: rocprofv3-avail pmc-check SQ_WAVES

! RPL_STAND_IN_FAILURE=no-kernels rpl profile --target local --quiet --output none -- rpl-hip-example
err: error: no kernel was recorded; does this run of the program use the GPU? info capabilities says whether there is one for it
? 5

! RPL_STAND_IN_FAILURE=half rpl profile --target local --quiet --output half -- rpl-hip-example 2>&1 | sed "s|half/[^ ]*/[0-9]*_|half/HOST/PID_|"
error: half/HOST/PID_results.db is half-written: rocprofv3 ended before it had finished it; run it again; --debug shows what rocprofv3 said

! RPL_STAND_IN_FAILURE=abort rpl profile --target local --quiet --output abort -- rpl-hip-example 'a; b'
err: error: rocprofv3 of ROCm 7.0 cannot record a program with ';' in its arguments, and ended it; put the text with ';' into a file and run that, or upgrade to ROCm 7.1
? 1

! RPL_STAND_IN_FAILURE=old rpl profile --target local --quiet --output old -- rpl-hip-example
err: error: this rocprofv3 is older than an option that is needed; install ROCm 7 or later
? 6

! RPL_STAND_IN_FAILURE=no-sampling rpl profile --target local --pc-sampling stochastic --quiet --output samples -- rpl-hip-example
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote samples: profile.json roofline.json dag.json analysis.json, and the database
err: note: PC sampling: this GPU or its driver cannot sample that way; rocprofv3-avail list --pc-sampling; host_trap needs gfx90a, stochastic gfx942 or later

! RPL_STAND_IN_FAILURE=leave-nothing rpl profile --target local --quiet --output nothing -- rpl-hip-example
err: error: rocprofv3 left no database; does this program use the GPU? --debug shows what rocprofv3 printed; any program can be timed: profile --no-rocprof
? 5

$ profile --target local --quiet --output crash -- rpl-hip-example --crash
ran rpl-hip-example --crash under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote crash: profile.json roofline.json dag.json analysis.json, and the database
err: note: the program was ended by SIGABRT; what was recorded until then is here; run it without rocprofv3 first: profile --no-rocprof
? 1

$ profile --target local --quiet --timeout 15 --output slow -- rpl-hip-example --hang
ran rpl-hip-example --hang under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote slow: profile.json roofline.json dag.json analysis.json, and the database
err: note: stopped after 15 s; --timeout gives it longer; 0 is not a limit
? 124

$ profile --target local --quiet --output missing -- no-such-program
err: error: no program 'no-such-program'; give its path: profile -- ./app
? 1

$ profile --target local --quiet --output ls -- /bin/ls
err: error: rocprofv3 left no database; does this program use the GPU? --debug shows what rocprofv3 printed; any program can be timed: profile --no-rocprof
? 5

! rpl profile --target local --debug --quiet --output debug -- rpl-hip-example 2>&1 | sed "s|$PWD|DIR|g; s|/[^ ]*/rocprofv3|rocprofv3|; s|debug/[^ ]*/[0-9]*_|debug/HOST/PID_|"
PASSED
Opened result file: DIR/debug/HOST/PID_results.db (UUID=_)
ran rpl-hip-example under rocprofv3 (ROCm 7.1.1)
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote debug: profile.json roofline.json dag.json analysis.json, and the database
note: debug: rocprofv3 --kernel-trace --memory-copy-trace --memory-allocation-trace --hip-trace --marker-trace --output-format rocpd --output-directory DIR/debug -- rpl-hip-example

# Ctrl-C, once the kernels are behind it, ends the program, and names what was recorded until then.
! sh -c 'echo $$ >pid; exec rpl profile --target local --debug --output stopped -- rpl-hip-example --hang' 2>&1 | while read -r line; do echo "$line"; [ "$line" != waiting ] || kill -INT "$(cat pid)"; done | sed "s|/[^ ]*/rocprofv3|rocprofv3|; s|stopped/[^ ]*/[0-9]*_|stopped/HOST/PID_|"; ls stopped/*/*_results.db | wc -l
PASSED
waiting
Opened result file: DIR/stopped/HOST/PID_results.db (UUID=_)
error: interrupted 'rocprofv3'; what was recorded until then was kept: open stopped/HOST/PID_results.db
1

# ROCm before 7, a machine with NVIDIA's GPU, and one without rocprofv3.
! mkdir -p old6/bin old6/.info && echo 6.4.1 > old6/.info/version && cp "$(command -v rocprofv3)" old6/bin && PATH=$PWD/old6/bin:$PATH rpl profile --target local -- rpl-hip-example
err: error: rocprofv3 of ROCm 6.4.1 writes no rocpd databases; upgrade to ROCm 7, or: rocprofv3 --sys-trace -f csv -d out -- ./app; rpl out
? 1

! mkdir -p nvidia/proc/driver/nvidia && echo x > nvidia/proc/driver/nvidia/version && RPL_MACHINE_ROOT=$PWD/nvidia rpl profile --target local -- rpl-hip-example
err: error: the GPU of this machine is NVIDIA's, on which ROCm does not run; profile --target emu -- ./app
? 6

! mkdir -p empty && RPL_MACHINE_ROOT=$PWD/empty rpl profile --target local -- rpl-hip-example
err: error: there is no rocprofv3, neither in PATH nor in /opt/rocm/bin; sudo apt-get install rocprofiler-sdk; info capabilities; without a GPU: profile --target emu
? 6

# Governor, clocks and other processes on the GPU are named with the times. This machine has its rocprofv3 at the same place.
! here=$(dirname "$(command -v rocprofv3)"); m=$PWD/busy; mkdir -p $m/sys/devices/system/cpu/cpu0/cpufreq $m/sys/class/drm/card0/device $m/sys/class/kfd/kfd/proc/999999 $m/sys/class/kfd/kfd/topology/nodes/1 $m/dev $m/proc/999999 $m$here; echo powersave > $m/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor; echo auto > $m/sys/class/drm/card0/device/power_dpm_force_performance_level; echo trainer > $m/proc/999999/comm; printf 'simd_count 1216\ngfx_target_version 90402\n' > $m/sys/class/kfd/kfd/topology/nodes/1/properties; touch $m/dev/kfd $m$here/rocprofv3

! unset RPL_TARGET; RPL_MACHINE_ROOT=$PWD/busy rpl profile --quiet --output busy -- rpl-hip-example
ran rpl-hip-example under rocprofv3
t1: 2 dispatches, 1 kernel, 2 streams, gfx942 x1, 6.805 us (rocpd 3)
  k5e4c39  vector_add                                2 x    3.505 us  100.0 %
wrote busy: profile.json roofline.json dag.json analysis.json, and the database
err: note: CPU governor: powersave: host times move with the clock; sudo cpupower frequency-set -g performance
err: note: GPU clocks: auto: they rise and fall with load and heat; sudo rocm-smi --setperfdeterminism 1900   (below the GPU's highest clock)
err: note: other GPU processes: trainer (999999); wait for them, or take another GPU: ROCR_VISIBLE_DEVICES=1

# What does not go together.
$ profile --target local --gpu MI210 -- rpl-hip-example
err: error: --gpu and --devices choose emulated devices; a program on hardware takes what is there; leave them out, or --target emu; HIP_VISIBLE_DEVICES=0 chooses GPUs
? 2

$ profile --target emu --pc-sampling stochastic -- rpl-hip-example
err: error: the emulated device has no PC samples: a thread trace says more there; --att KERNEL, or --target local
? 2

$ profile --target local --pc-sampling often -- rpl-hip-example
err: error: 'often' is not a way of sampling; host_trap (gfx90a and later) or stochastic (gfx942 and later)
? 2

$ profile --target local --counters all --output all -- rpl-hip-example
err: error: all counters of a GPU take dozens of runs; name sets: roofline, memory, lds, occupancy, stalls; counters list
? 2

$ profile --target local --counters NO_SUCH --quiet --output nosuch -- rpl-hip-example
err: error: gfx942 has no counter 'NO_SUCH' that is known here; 'counters list --arch gfx942' names them
? 1

! RPL_TARGET=gpu rpl profile -- rpl-hip-example
err: error: RPL_TARGET is 'gpu', which is not a target; emu, local, recorded or slurm
? 2

# Ranks are tasks of a job on a cluster.
$ profile --ranks 2 --target emu -- rpl-hip-example
err: error: --ranks is for jobs of a cluster; --target slurm
? 2

$ profile --target slurm --no-rocprof -- rpl-hip-example
err: error: --no-rocprof measures a process of this machine; leave --target slurm out, or put srun before rpl
? 2
