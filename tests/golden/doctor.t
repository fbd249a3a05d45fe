# What works on a machine, and what fixes the rest. The machine is a folder here: its GPU, driver and load; the compiler is that of this machine, and what
# differs between machines is named.
# own cache
# needs compiler: /usr/bin/clang-19
# needs recorder: rocprofv3
# needs RPL_HSA_RUNTIME: hsa-double/libhsa-runtime64.so.1
# file names.sh:
#| sed "s|$(dirname $(command -v rpl))|BUILD|g; s|$(dirname $(command -v rocprofv3))|ROCM/bin|g; s|(Debian clang [^)]*([^)]*)|(VERSION|; s| on [0-9]* processors| on N processors|; s|[0-9.]* GiB free|N GiB free|; s|/[^ ]*/bitcode-942-[0-9a-f]*|LIBRARIES|; s|/[^ ]*/amdgcn/bitcode|LIBRARIES|; /  other compilers  /d"
# file machines.sh:
#| mkdir -p plain/proc gpu/proc gpu/dev/dri gpu/opt gpu/sys/class/kfd/kfd/proc gpu/sys/class/kfd/kfd/topology/nodes/1 gpu/sys/class/drm/card0/device gpu/sys/devices/system/cpu/cpu0/cpufreq
#| echo '0.52 0.40 0.30 1/200 999' | tee plain/proc/loadavg > gpu/proc/loadavg
#| printf 'simd_count 1216\ngfx_target_version 90402\n' > gpu/sys/class/kfd/kfd/topology/nodes/1/properties
#| touch gpu/dev/kfd gpu/dev/dri/renderD128
#| mkdir -p gpu/proc/sys/kernel && echo 2 > gpu/proc/sys/kernel/perf_event_paranoid
#| echo powersave > gpu/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
#| echo auto > gpu/sys/class/drm/card0/device/power_dpm_force_performance_level
#| mkdir -p gpu/sys/class/kfd/kfd/proc/77 gpu/proc/77 && echo trainer > gpu/proc/77/comm
#| ln -s "$(dirname $(dirname $(command -v rocprofv3)))" gpu/opt/rocm
# One without a GPU.
! sh machines.sh; export RPL_MACHINE_ROOT=$PWD/plain RPL_HSA_RUNTIME=/nonexistent/libhsa-runtime64.so.1; rpl -batch --width 200 -ex 'set build headers own' -ex doctor > out; echo "status $?"; sh names.sh < out
status 0
the emulated device
  ok          emulated HIP runtime   BUILD/emulated-hip

an AMD GPU
  not needed  AMD GPU                there is none: programs run on the emulated device (for: times of silicon)
  not needed  /dev/kfd               the driver amdgpu makes it (for: running anything on it)
  not needed  ROCm                   no /opt/rocm (for: its runtime and its tools)
  not needed  rocprofv3              nothing records kernels and counters of a GPU (for: profile --target local)
  not needed  rocprofv3-avail        not there: that counters fit one pass is known from tables alone (for: asking whether counters fit one pass)
  not needed  thread trace decoder   rocprofv3 --att fails without it (for: profile --att)
  not needed  counter permission     no perf_event_paranoid (for: roofline and counters)
  not needed  HSA runtime            no HSA runtime could be opened: /nonexistent/libhsa-runtime64.so.1: cannot open shared object file: No such file or directory (for: replay --target local)
  ok          capture tool           BUILD/capture-tool/librpl_capture.so

quality of measurements
  unknown     CPU governor           the system does not say (a virtual machine?) (for: host times that repeat)
  unknown     GPU clocks             no AMD GPU shows any (for: kernel times that repeat)
  unknown     other GPU processes    no AMD driver that would list them (for: a GPU to itself)
  ok          load                   0.52 on N processors

building kernels
  ok          kernel compiler        /usr/lib/llvm-19/bin/clang (VERSION): clang 19 comes first: most was tried with it
  ok          HIP headers            BUILD/emulated-hip/include
  ok          linker and bundler     /usr/lib/llvm-19/bin
  ok          device libraries       LIBRARIES

a cluster
  not needed  Slurm                  no sbatch in PATH (for: profile, tune and bench as jobs of a cluster)

a language model
  not needed  endpoint               none is set: recorded exchanges alone (for: propose llm, llm-optimize; rules need none)

files
  ok          session                .rpl, to be made
  ok          cache folder           HOME/.cache/rpl
  ok          disk space             N GiB free beside the cache
  ok          scripts                BUILD/scripts

the terminal
  not needed  output                 it is not a terminal: no colour, nothing cut (for: tables, plots, editing of lines)

The main job works here: profile, capture, analyze, propose, approve, replay, on the emulated device.
Programs run on emu (RPL_TARGET).

# One with a GPU, ROCm and rocprofv3, which is a stand-in.
! export RPL_MACHINE_ROOT=$PWD/gpu; unset RPL_TARGET; rpl -batch --width 200 -ex 'set build headers own' -ex doctor > out; echo "status $?"; sh names.sh < out
status 0
the emulated device
  ok          emulated HIP runtime   BUILD/emulated-hip

an AMD GPU
  ok          AMD GPU                1: gfx942
  ok          /dev/kfd               may be read and written
  ok          /dev/dri/renderD128    may be read and written
  ok          ROCm                   7.1.1-38
  ok          rocprofv3              /opt/rocm/bin/rocprofv3: rocpd databases, times of kernels, counters, thread traces, PC samples
  ok          rocprofv3-avail        /opt/rocm/bin/rocprofv3-avail
  missing     thread trace decoder   rocprofv3 --att fails without it (for: profile --att)
              put librocprof-trace-decoder.so in /opt/rocm/lib   (github.com/ROCm/rocprof-trace-decoder)
  ok          counter permission     perf_event_paranoid is 2
  ok          HSA runtime            BUILD/hsa-double/libhsa-runtime64.so.1
  ok          capture tool           BUILD/capture-tool/librpl_capture.so

quality of measurements
  warning     CPU governor           powersave: host times move with the clock (for: host times that repeat)
              sudo cpupower frequency-set -g performance
  warning     GPU clocks             auto: they rise and fall with load and heat (for: kernel times that repeat)
              sudo rocm-smi --setperfdeterminism 1900   (below the GPU's highest clock)
  warning     other GPU processes    trainer (77) (for: a GPU to itself)
              wait for them, or take another GPU: ROCR_VISIBLE_DEVICES=1
  ok          load                   0.52 on N processors

building kernels
  ok          kernel compiler        /usr/lib/llvm-19/bin/clang (VERSION): clang 19 comes first: most was tried with it
  ok          HIP headers            BUILD/emulated-hip/include
  ok          linker and bundler     /usr/lib/llvm-19/bin
  ok          device libraries       LIBRARIES

a cluster
  not needed  Slurm                  no sbatch in PATH (for: profile, tune and bench as jobs of a cluster)

a language model
  not needed  endpoint               none is set: recorded exchanges alone (for: propose llm, llm-optimize; rules need none)

files
  ok          session                .rpl, to be made
  ok          cache folder           HOME/.cache/rpl
  ok          disk space             N GiB free beside the cache
  ok          scripts                BUILD/scripts

the terminal
  not needed  output                 it is not a terminal: no colour, nothing cut (for: tables, plots, editing of lines)

The main job works here: profile, capture, analyze, propose, approve, replay, on the GPU.
Besides: 1 missing, 3 to look at.
Programs run on local (an AMD GPU and rocprofv3 are here).

# A broken installation: the emulated devices' library and the compiler are gone, the cache folder is none.
! cp "$(command -v rpl)" lonely; export RPL_MACHINE_ROOT=$PWD/plain XDG_CACHE_HOME=$PWD/out RPL_HSA_RUNTIME=/nonexistent/libhsa-runtime64.so.1; ./lonely -batch --width 200 -ex 'set build compiler /nowhere/clang' -ex doctor > told; echo "status $?"; sh names.sh < told
status 6
the emulated device
  missing     emulated HIP runtime   profile has nothing to run programs on (for: profile and capture without a GPU)
              sudo apt-get install --reinstall rocm-perf-lab

an AMD GPU
  not needed  AMD GPU                there is none: programs run on the emulated device (for: times of silicon)
  not needed  /dev/kfd               the driver amdgpu makes it (for: running anything on it)
  not needed  ROCm                   no /opt/rocm (for: its runtime and its tools)
  not needed  rocprofv3              nothing records kernels and counters of a GPU (for: profile --target local)
  not needed  rocprofv3-avail        not there: that counters fit one pass is known from tables alone (for: asking whether counters fit one pass)
  not needed  thread trace decoder   rocprofv3 --att fails without it (for: profile --att)
  not needed  counter permission     no perf_event_paranoid (for: roofline and counters)
  not needed  HSA runtime            no HSA runtime could be opened: /nonexistent/libhsa-runtime64.so.1: cannot open shared object file: No such file or directory (for: replay --target local)
  not needed  capture tool           the capture tool librpl_capture.so is not there (for: capture run --target local)

quality of measurements
  unknown     CPU governor           the system does not say (a virtual machine?) (for: host times that repeat)
  unknown     GPU clocks             no AMD GPU shows any (for: kernel times that repeat)
  unknown     other GPU processes    no AMD driver that would list them (for: a GPU to itself)
  ok          load                   0.52 on N processors

building kernels
  missing     kernel compiler        no compiler '/nowhere/clang' (for: build, guards of proposals, candidates)
              set build compiler clang-19

a cluster
  not needed  Slurm                  no sbatch in PATH (for: profile, tune and bench as jobs of a cluster)

a language model
  not needed  endpoint               none is set: recorded exchanges alone (for: propose llm, llm-optimize; rules need none)

files
  ok          session                .rpl, to be made
  missing     cache folder           DIR/out is not a folder (for: built kernels)
              export XDG_CACHE_HOME=/tmp/cache   (a folder that you may write)
  ok          disk space             N GiB free beside the cache
  missing     scripts                those that come with rpl are not beside it (for: source NAME.lua)
              sudo apt-get install --reinstall rocm-perf-lab

the terminal
  not needed  output                 it is not a terminal: no colour, nothing cut (for: tables, plots, editing of lines)

Broken: emulated HIP runtime, kernel compiler, cache folder. The main job does not work to its end; recordings can still be read.
Besides: 1 missing, 0 to look at.
Programs run on emu (RPL_TARGET).

# A rocprofv3 that is there and fails, on a machine with a GPU.
! rm gpu/opt/rocm; mkdir -p gpu/opt/rocm/bin; printf '#!/bin/sh\necho "ModuleNotFoundError: No module named rocprofv3" >&2\nexit 1\n' > gpu/opt/rocm/bin/rocprofv3; chmod +x gpu/opt/rocm/bin/rocprofv3; RPL_TARGET=local PATH=$(dirname $(command -v rpl)):/usr/bin:/bin RPL_MACHINE_ROOT=$PWD/gpu rpl doctor --csv > out; echo "status $?"; grep ',missing,' out
status 6
an AMD GPU,ROCm,missing,false,no /opt/rocm,its runtime and its tools,sudo apt-get install rocm   (from AMD's repository)
an AMD GPU,rocprofv3,missing,true,/opt/rocm/bin/rocprofv3: it does not even print its help (exit status 1): ModuleNotFoundError: No module named rocprofv3,profile --target local,sudo apt-get install --reinstall rocprofiler-sdk
an AMD GPU,thread trace decoder,missing,false,rocprofv3 --att fails without it,profile --att,put librocprof-trace-decoder.so in /opt/rocm/lib   (github.com/ROCm/rocprof-trace-decoder)

# For programs.
! RPL_MACHINE_ROOT=$PWD/plain rpl doctor --json > out; grep -A5 '"works"' out; grep '"a cluster"' out
  "works": true,
  "default_target": "emu",
  "because": "RPL_TARGET",
  "broken": [],
  "missing": 0,
  "warnings": 0,
    {"group": "a cluster", "check": "Slurm", "status": "not needed", "needed": false, "found": "no sbatch in PATH", "purpose": "profile, tune and bench as jobs of a cluster", "fix": null},

$ doctor /q
true
