# A captured dispatch on a GPU: here the double of the HSA runtime, which executes kernels on the emulated device.
# needs RPL_HSA_RUNTIME: hsa-double/libhsa-runtime64.so.1
# example softmax: captures/softmax
# example same.co: hip/objects/softmax.gfx942.co
# example old.co: hip/objects/softmax.gfx90a.co
# example other.co: hip/objects/vector_add.gfx942.co
# Whether its addresses can be had.
$ replay reserve-check softmax --target local
capture   c1
status    exact
attempts  1

base            size KiB  status  got  in_the_way  regions
0x7f0000000000      32.0  exact   -    -           argument 1
0x7f0000018000      32.0  exact   -    -           argument 2
(2 rows, measured)

$ replay reserve-check/q softmax --target local
exact

! RPL_HSA_DOUBLE_RELOCATE=2 rpl replay reserve-check softmax --target local | sed 's/0x7fff[0-9a-f]*/ELSEWHERE/'
capture   c1
status    relocation
attempts  2

base            size KiB  status     got             in_the_way  regions
0x7f0000000000      32.0  exact      -               -           argument 1
0x7f0000018000      32.0  relocated  ELSEWHERE  -           argument 2
(2 rows, measured)

# Without an option it is about the GPU, on every machine.
! unset RPL_TARGET; RPL_HSA_DOUBLE_RELOCATE=2 rpl replay reserve-check softmax >/dev/null
? 2

# A library that landed there: without address randomization it does not.
! LD_PRELOAD=$RPL_HSA_RUNTIME RPL_HSA_DOUBLE_OCCUPY=0x7f0000018000 rpl replay reserve-check softmax --target local | grep -e status -e attempts
status    exact
attempts  2
base            size KiB  status  got  in_the_way  regions

! RPL_HSA_DOUBLE_FAIL=hsa_amd_vmem_address_reserve:1:0x1008 rpl replay reserve-check softmax --target local
capture  c1
status   failed

base  size B  status  got  in_the_way  regions
(0 rows)
err: note: hsa_amd_vmem_address_reserve of argument 1 (32768 bytes at 0x7f0000000000) failed with HSA_STATUS_ERROR_OUT_OF_RESOURCES
? 1

# Times are the host's here, and differ from run to run.
! rpl replay softmax --target local --iterations 20 --warmup 2 | grep -v -e timing -e median -e setup_ns
capture      c1
kernel       name softmax, hsaco_path softmax/kernel.hsaco
execution    iterations 20, mode stateless, warmup 2, caches warm
target       local
time_source  measured
post_image   matched

region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      32.0  matched               -             -
argument 2  0x7f0000018000      32.0  matched               -             -
(2 rows, measured)

! rpl replay softmax --target local --iterations 3 --no-recopy --json | grep -e execution -e '"target"' -e time_source -e '"post_image"' -e provenance
  "execution": {"iterations": 3, "mode": "stateful", "warmup": 0, "caches": "warm"},
  "target": "local",
  "time_source": "measured",
  "post_image": "matched",
    {"region": "argument 1", "base": "0x7f0000000000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": "device"},
    {"region": "argument 2", "base": "0x7f0000018000", "size_bytes": 32768, "post_image": "matched", "differing_bytes": null, "first_offset": null, "mismatches": null, "max_relative": null, "placement": "device"}
  "provenance": "measured"

# Two ticks of 10 ns each; the calls and the packet.
! RPL_HSA_DOUBLE_FREQUENCY=100000000 RPL_HSA_DOUBLE_CLOCK_STEP=2 RPL_HSA_DOUBLE_LOG=$PWD/log rpl replay softmax --target local --json | grep -e raw_ns -e '"timing"'
  "timing": {"unit": "microseconds", "average": 0.02, "min": 0.02, "max": 0.02, "median": 0.02, "p5": 0.02, "p95": 0.02, "stdev": 0.0},
  "raw_ns": [20.0],

! grep -e packet -e vmem log | sort | uniq -c | sort -k2 | sed 's/^ *//'
1 hsa_amd_vmem_address_free 0x7f0000000000 32768 = ok
1 hsa_amd_vmem_address_free 0x7f0000018000 32768 = ok
1 hsa_amd_vmem_address_reserve 0x7f0000000000 32768 = ok
1 hsa_amd_vmem_address_reserve 0x7f0000018000 32768 = ok
2 hsa_amd_vmem_handle_create 21 32768 = ok
1 hsa_amd_vmem_handle_release 101 = ok
1 hsa_amd_vmem_handle_release 102 = ok
1 hsa_amd_vmem_map 0x7f0000000000 32768 101 = ok
1 hsa_amd_vmem_map 0x7f0000018000 32768 102 = ok
1 hsa_amd_vmem_set_access 0x7f0000000000 32768 = ok
1 hsa_amd_vmem_set_access 0x7f0000018000 32768 = ok
1 hsa_amd_vmem_unmap 0x7f0000000000 32768 = ok
1 hsa_amd_vmem_unmap 0x7f0000018000 32768 = ok
1 packet 0 header 0x1502 setup 1 workgroup 64 1 1 grid 128 1 1 private 0 group 0 signal yes reserved zero

! grep -c left: log; tail -1 log
0
hsa_shut_down = ok

# The version of the ROCm that the runtime is part of.
! mkdir -p rocm/lib rocm/.info; cp $RPL_HSA_RUNTIME rocm/lib; echo 6.4.2-120 >rocm/.info/version; RPL_HSA_RUNTIME=rocm/lib rpl replay softmax --target local --json | grep environment | sed 's/"pid": [0-9]*/"pid": N/'
  "environment": {"gpu_agent": "gfx942", "rocm_version": "6.4.2-120", "pid": N},

# Another build; another GPU; another interface.
! rpl replay softmax --target local --hsaco same.co --json | grep -e '"post_image": "[a-z]*",$'
  "post_image": "matched",

$ replay softmax --target local --hsaco old.co
err: error: the code is for gfx90a, and this machine has amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-; give code that was compiled for that GPU with --hsaco, or --target emu
? 6

! RPL_HSA_DOUBLE_ARCH=gfx90a rpl replay softmax --target local
err: error: the code is for gfx942, and this machine has amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-; give code that was compiled for that GPU with --hsaco, or --target emu
? 6

! RPL_HSA_DOUBLE_ARCH=gfx90a rpl replay softmax --target local --hsaco old.co --json | grep -e gpu_agent -e '"post_image": "[a-z]*",$' -e notes | sed 's/"pid": [0-9]*/"pid": N/'
  "environment": {"gpu_agent": "gfx90a", "rocm_version": null, "pid": N},
  "post_image": "matched",
  "notes": ["compiled again: the code is for gfx90a, the capture is of gfx942"],

$ replay softmax --target local --hsaco other.co --kernel vector_add
err: error: 'vector_add' does not fit the captured arguments: parameter 3 is 8 bytes at 16 (global_buffer), the captured one 4 bytes at 16 (by_value); a variant must take the parameters of the captured kernel
? 2

# Failures are named: what cannot be placed, a call, a crash, a hang.
! RPL_HSA_DOUBLE_RELOCATE=2 rpl replay softmax --target local 2>&1 | sed 's/0x7fff[0-9a-f]*/ELSEWHERE/'
error: memory cannot lie where it lay, after 2 attempts: argument 2 (32768 bytes at 0x7f0000018000) was put at ELSEWHERE; 'replay reserve-check' lists all of them; --target emu replays anywhere

! RPL_HSA_DOUBLE_FAIL=hsa_amd_vmem_map:2:0x1008 rpl replay softmax --target local
err: error: hsa_amd_vmem_map of argument 2 (32768 bytes at 0x7f0000018000) failed with HSA_STATUS_ERROR_OUT_OF_RESOURCES
? 1

! RPL_HSA_DOUBLE_FAIL=hsa_amd_vmem_unmap:1:0x1000 rpl replay softmax --target local --json | grep notes
  "notes": ["while freeing memory: hsa_amd_vmem_unmap of argument 2 (32768 bytes at 0x7f0000018000) failed with HSA_STATUS_ERROR"],

! RPL_HSA_DOUBLE_FAIL=hsa_queue_create:1:crash rpl replay softmax --target local
err: error: the process that replays was ended by signal 6 in hsa_queue_create of the queue
? 1

! RPL_HSA_DOUBLE_FAIL=hsa_queue_create:1:0x1008,hsa_executable_destroy:1:crash rpl replay softmax --target local
err: error: the process that replays was ended by signal 6 in hsa_executable_destroy of the code of 'softmax', after: hsa_queue_create of the queue failed with HSA_STATUS_ERROR_OUT_OF_RESOURCES
? 1

! RPL_HSA_DOUBLE_FAIL=hsa_executable_freeze:1:hang rpl replay softmax --target local --timeout 1
err: error: the process that replays did not end within 2 s; it was in hsa_executable_freeze of the code of 'softmax'; --timeout gives each run more time
? 124

! RPL_HSA_DOUBLE_VMEM=0 rpl replay softmax --target local
err: error: the runtime cannot map memory at given addresses on this machine; that needs ROCm 6.0 and its kernel driver; --target emu replays anywhere
? 6

! RPL_HSA_RUNTIME=/nonexistent rpl replay softmax --target local
err: error: no HSA runtime could be opened: /nonexistent: cannot open shared object file: No such file or directory; replay on a GPU needs ROCm; RPL_HSA_RUNTIME names its libhsa-runtime64.so.1; or use --target emu
? 6

$ replay softmax --cold
err: error: --cold is of --target local; on the emulated device every run begins with empty caches
? 2

$ replay softmax --warmup -1
err: error: --warmup takes a whole number, 0 or more, not -1; help replay
? 2

# A post image that is another by the last bit of a number, and by more.
! cp -rL softmax changed; python3 -c "import hashlib, json; p = 'changed/post/region_7f0000018000.bin'; d = bytearray(open(p, 'rb').read()); d[40] ^= 1; open(p, 'wb').write(d); h = json.load(open('changed/capture.json')); [f.update(sha256=hashlib.sha256(d).hexdigest()) for f in h['files'] if f['path'] == p[8:]]; json.dump(h, open('changed/capture.json', 'w'))"

! rpl replay changed --target local >table.txt
err: note: bytes differ from the post image, and no number by more than its type's tolerance
err: note: argument 2: 0 of 8192 numbers differ by more than their type's tolerance; largest relative difference 6.7e-08

! tail -4 table.txt
region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      32.0  matched               -             -
argument 2  0x7f0000018000      32.0  close                 1            40
(2 rows, measured)

! python3 -c "import hashlib, json; p = 'changed/post/region_7f0000018000.bin'; d = bytearray(open(p, 'rb').read()); d[43] ^= 1; open(p, 'wb').write(d); h = json.load(open('changed/capture.json')); [f.update(sha256=hashlib.sha256(d).hexdigest()) for f in h['files'] if f['path'] == p[8:]]; json.dump(h, open('changed/capture.json', 'w'))"

! rpl replay changed --target local >table.txt
err: note: memory after the replay is not what the capture holds
err: note: argument 2: 1 of 8192 numbers differ by more than their type's tolerance; largest relative difference 0.75
? 5

! tail -4 table.txt
region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      32.0  matched               -             -
argument 2  0x7f0000018000      32.0  differs               2            40
(2 rows, measured)
