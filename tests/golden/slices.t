# A slice of a program: two kernels in a row in one capture, replayed one after the other; programs that change memory in between.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example scale_add.hip: hip/host/scale_add_main.hip
# file space.json:
#| {"parameters": {"BLOCK": [64, 128]}}
$ build /q scale_add.hip -o scale_add
scale_add

$ capture run --slice 1..2 -o slice -- ./scale_add
PASSED
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.4 KiB, post image
captured dispatches 1..2 of 2, in slice

$ capture info slice | grep -v 'captured_at\|code_hash'
id                c1
path              slice
kernel            scale
dispatches        number 1, kernel scale, grid 10240x1x1, workgroup 256x1x1
                  number 2, kernel add, grid 10240x1x1, workgroup 256x1x1
architecture      gfx942
grid              10240x1x1
workgroup         256x1x1
dynamic_lds       0 B
kernarg           20 B
regions           4
memory            234.4 KiB
changed_regions   2
target            emu
model             rpl-cycle/0.5 MI300X
tool              rpl, emulated HIP runtime
origin            dispatches 1..2 of the process
layout            rpl
hidden_arguments  none
source_name       scale(float const*, float*, int)
dispatch_index    0

argument  kind    element  count  offset B  size B  value
       1  buffer  f32          -         0       8  0x100000000000
       2  buffer  f32          -         8       8  0x10000001a000
       3  value   i32          -        16       4  10000
(3 rows, recorded)

$ capture regions slice
region                    base            size KiB  changed KiB  first_offset  kind  owner  flags
argument 1                0x100000000000      39.1          0.0             -  pool  -      -
argument 2                0x10000001a000      39.1         21.7             6  pool  -      -
argument 2 of dispatch 2  0x100000034000      39.1          0.0             -  pool  -      -
argument 3 of dispatch 2  0x10000004e000      39.1         21.7             2  pool  -      -
(4 rows, recorded)

$ capture list
id  current  kernel  architecture  regions  memory KiB  path   grid       stored KiB  state
-   no       scale   gfx942              4       234.4  slice  10240x1x1       165.5  complete
(1 row; no room for post_image: /v, recorded)
err: note: slice: 2 dispatches in a row

$ replay slice
capture               c1
kernel                name scale, hsaco_path slice/kernel.hsaco
execution             iterations 1, mode stateless
timing                unit microseconds, average 3.722, min 3.722, max 3.722, median 3.722, p5 3.722, p95 3.722, stdev 0
target                emu
median                3722 ns
dispatches            number 1, kernel scale, time 2008 ns
                      number 2, kernel add, time 1714 ns
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                7,816 cycles
time                  3722 ns
time_low              3573 ns
time_high             5508 ns
time_class            launch
simulated_workgroups  2
workgroups            80
waves                 320
instructions          6,811
by_class              valu 2,367, salu 960, smem 1,111, vmem 785, branch 320, wait 948, other 320
lane_share            99.62 %
load                  117.2 KiB
store                 78.1 KiB
transactions          3,125
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

region                    base            size KiB  post_image  differing B  first_offset
argument 1                0x100000000000      39.1  matched               -             -
argument 2                0x10000001a000      39.1  matched               -             -
argument 2 of dispatch 2  0x100000034000      39.1  matched               -             -
argument 3 of dispatch 2  0x10000004e000      39.1  matched               -             -
(4 rows, modelled)

$ replay slice --json | jq -c '.dispatches, (.raw_ns[0] - ([.dispatches[].time_ns] | add))'
[{"number":1,"kernel":"_Z5scalePKfPfi","time_ns":2007.6190476190475},{"number":2,"kernel":"_Z3addPKfS0_Pfi","time_ns":1714.2857142857142}]
0

$ capture verify slice
id                c1
path              slice
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ capture pack slice -o slice.tar.zst | sed 's|, [0-9.]* KiB packed||'
packed slice into slice.tar.zst: 243.6 KiB in 14 files

$ capture unpack slice.tar.zst -o twin
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.4 KiB, post image
unpacked into twin

! diff -r slice twin && ls twin
capture.json
dispatch.json
following.bin
following.json
kernarg.bin
kernel.hsaco
memory
memory_regions.json
post
self_check.json

$ capture diff slice twin
a                 c1
b                 c2
same              yes
arguments_differ  0
regions_differ    0
differing         0 B

part  a  b  differing B  first_offset
(0 rows, recorded)
err: note: the captures are equal

# Another build runs in all of them.
$ build /q scale_add.hip --arch gfx942 -o again.co
again.co

$ replay slice --hsaco again.co | grep post_image
post_image            matched
region                    base            size KiB  post_image  differing B  first_offset

$ bench ab slice/kernel.hsaco again.co --capture slice | grep -E '^(verdict|ratio)'
verdict      equivalent
ratio        1.000 x

# One dispatch is an ordinary capture; numbers count all dispatches of the process.
$ capture run --slice 2..2 -o second --quiet -- ./scale_add
c1: add on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 3 regions, 156.2 KiB, post image
captured dispatches 2..2 of 2, in second

! grep -o 'rpl.capture/[0-9]' second/capture.json slice/capture.json; ls second
second/capture.json:rpl.capture/2
slice/capture.json:rpl.capture/3
capture.json
dispatch.json
kernarg.bin
kernel.hsaco
memory
memory_regions.json
post
self_check.json

$ capture diff second slice
a                 c1
b                 c2
same              no
arguments_differ  3
regions_differ    3
differing         52.3 KiB

part                      a                   b                   differing KiB  first_offset
kernel                    _Z3addPKfS0_Pfi     _Z5scalePKfPfi                  -             -
dispatches                1                   2                               -             -
argument 1                0x000010000001a000  0x0000100000000000              -             -
argument 2                0x0000100000034000  0x000010000001a000              -             -
argument 3                0x000010000004e000  10000                           -             -
arguments                 4                   3                               -             -
argument 1 before         1.25                0.5                          16.7             6
argument 2 before         -3                  0                            14.0             2
argument 2 after          -3                  0                            21.6             2
argument 2 of dispatch 2  none                40000 B                         -             -
(10 rows, recorded)

# What takes one dispatch alone.
$ replay slice --stop
err: error: the debugger takes one dispatch, and the capture holds 2 in a row; capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; 'replay --target emu' runs all of them
? 1

$ replay slice --target local
err: error: a GPU captures and replays one dispatch at a time; --target emu, or one dispatch: capture run KERNEL --dispatch N -- ./app
? 2

$ kernel counts slice
err: error: a count by instruction takes one dispatch, and the capture holds 2 in a row; capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; 'replay --target emu' runs all of them
? 1

$ findings slice
err: error: a count by instruction takes one dispatch, and the capture holds 2 in a row; capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; 'replay --target emu' runs all of them
? 1

$ autotune --space space.json --source scale_add.hip --capture slice --target emu
err: error: tuning takes one dispatch, and the capture holds 2 in a row; capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; 'replay --target emu' runs all of them
? 1

(rpl) open slice
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.4 KiB, post image

(rpl) break add
Breakpoint 1 at add

(rpl) replay
err: error: the debugger takes one dispatch, and the capture holds 2 in a row; capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; 'replay --target emu' runs all of them

$ bench ab slice/kernel.hsaco again.co --capture slice --target local
err: error: a replay on a GPU takes one dispatch, and the capture holds 2 in a row; capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; 'replay --target emu' runs all of them
? 1

$ capture run --slice 1..2 --target local -- ./scale_add
err: error: a GPU captures and replays one dispatch at a time; --target emu, or one dispatch: capture run KERNEL --dispatch N -- ./app
? 2

# Names of slices that cannot be.
$ capture run --slice 2..3 -o none -- ./scale_add
PASSED
err: error: ./scale_add made 2 dispatches, slice 2..3 has others; --slice FROM..TO counts the dispatches of a process from 1
? 1

$ capture run --slice 2..1 -o none -- ./scale_add
err: error: --slice 2..1 is not a range of up to 4096 dispatches, counted from 1; --slice 3..4
? 2

$ capture run scale --slice 1..2 -o none -- ./scale_add
err: error: --slice names dispatches by number: KERNEL, --dispatch, --grid and --longer do not go with it; capture run --slice FROM..TO -- ./app
? 2

$ capture run -- ./scale_add
err: error: which kernel's dispatch is to be captured?; capture run KERNEL -- ./app, or capture run --slice FROM..TO -- ./app
? 2

$ capture run --slice 1..2 --limit 0 -o slice -- ./scale_add
err: error: slice exists already; name another folder: -o DIR
? 1

# Between the two kernels memory is filled, copied on the device and brought by the host.
! sed 's/^  add<<</  (void)hipMemset(y, 1, 4);\n  (void)hipMemcpyAsync(out, y, bytes, hipMemcpyDeviceToDevice, nullptr);\n  (void)hipMemcpy2D(y, 8, out, 8, 4, 5000, hipMemcpyDeviceToDevice);\n  (void)hipMemcpy(z, host_z.data(), 400, hipMemcpyHostToDevice);\n&/' scale_add.hip >between.hip

$ build /q between.hip -o between
between

$ capture run --slice 1..2 -o steps -- ./between
PASSED
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.8 KiB, post image
captured dispatches 1..2 of 2, in steps

$ capture info steps | grep -A2 '^dispatches'
dispatches        number 1, kernel scale, grid 10240x1x1, workgroup 256x1x1
                  number 2, kernel add, grid 10240x1x1, workgroup 256x1x1, after fill 4 B, copy 39.06 KiB, copy 19.53 KiB, upload 400 B
architecture      gfx942

$ replay steps | grep -A6 '^\(dispatches\|post_image\)'
dispatches            number 1, kernel scale, time 2008 ns
                      number 2, kernel add, time 1714 ns
steps                 before 2, kind fill, region argument 2, bytes 4, time 952 ns
                      before 2, kind copy, region argument 3 of dispatch 2, bytes 40,000, time 970 ns
                      before 2, kind copy, region argument 2, bytes 20,000, time 959 ns
                      before 2, kind upload, region argument 2 of dispatch 2, bytes 400, time 8 ns
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                7,816 cycles
time                  6611 ns
time_low              6346 ns
time_high             9784 ns
time_class            launch

! jq -c '.dispatches[0].steps[] | .time_ns |= floor' steps/following.json; wc -c <steps/steps.bin; jq -r .schema steps/capture.json
{"kind":"fill","to":17592186150912,"from":0,"width":4,"rows":1,"to_pitch":4,"from_pitch":0,"data_bytes":1,"time_ns":952}
{"kind":"copy","to":17592186363904,"from":17592186150912,"width":40000,"rows":1,"to_pitch":40000,"from_pitch":40000,"data_bytes":0,"time_ns":970}
{"kind":"copy","to":17592186150912,"from":17592186363904,"width":4,"rows":5000,"to_pitch":8,"from_pitch":8,"data_bytes":0,"time_ns":959}
{"kind":"upload","to":17592186257408,"from":0,"width":400,"rows":1,"to_pitch":400,"from_pitch":0,"data_bytes":400,"time_ns":8}
401
rpl.capture/4

$ capture verify steps | grep -v path
id                c1
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ capture diff slice steps
a                 c1
b                 c2
same              no
arguments_differ  0
regions_differ    1
differing         4 B

part               a        b                                              differing B  first_offset
before dispatch 2  nothing  fill 4 B to 0x10000001..0 B to 0x100000034000            -             -
argument 2 after   0        2.3694278e-38                                            4             0
(2 rows, recorded)

# The host reads what the first kernel computed, and what it launches then may depend on that.
! sed 's/^  add<<</  (void)hipMemcpy(got.data(), y, bytes, hipMemcpyDeviceToHost);\n&/' scale_add.hip >reads.hip

$ build /q reads.hip -o reads
reads

$ capture run --slice 1..2 -o none -- ./reads
PASSED
err: error: slice 1..2 was not captured: hipMemcpy read what was computed (memory at 0x10000001a000) before dispatch 2 (add(float const*, float const*, float*, int)): the host may have decided by it what follows; capture another slice: --slice FROM..TO
? 5

! sed 's/^  add<<</  (void)hipMemcpyAsync(got.data(), y, bytes, hipMemcpyDeviceToHost, nullptr);\n  (void)hipDeviceSynchronize();\n&/' scale_add.hip >waits.hip

$ build /q waits.hip -o waits
waits

$ capture run --slice 1..2 -o none -- ./waits
PASSED
err: error: slice 1..2 was not captured: hipMemcpyAsync read what was computed (memory at 0x10000001a000) before dispatch 2 (add(float const*, float const*, float*, int)): the host may have decided by it what follows; capture another slice: --slice FROM..TO
? 5

# Nobody waits for this one.
! sed 's/^  add<<</  (void)hipMemcpyAsync(got.data(), y, bytes, hipMemcpyDeviceToHost, nullptr);\n&/' scale_add.hip >unread.hip

$ build /q unread.hip -o unread
unread

$ capture run --slice 1..2 -o unread_slice -- ./unread
PASSED
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.4 KiB, post image
captured dispatches 1..2 of 2, in unread_slice

# The host changes what the second kernel reads.
! sed 's/{&x, &y, &z, &out}/{\&x, \&y, \&out}/; s/^  const int blocks/  if (hipHostMalloc(reinterpret_cast<void**>(\&z), bytes, 0) != hipSuccess) return 1;\n&/; s/^  if (hipMemcpy(z, .*//; s/^  scale<<</  for (int i = 0; i < n; ++i) z[i] = host_z[i];\n&/; s/^  add<<</  z[1] += 1, host_z[1] += 1;\n&/' scale_add.hip >host.hip

$ build /q host.hip -o host
host

$ capture run --slice 1..2 -o none -- ./host
PASSED
err: error: slice 1..2 was not captured: argument 2 of dispatch 2 was changed by the host between dispatch 1 (scale(float const*, float*, int)) and dispatch 2 (add(float const*, float const*, float*, int)); capture another slice: --slice FROM..TO
? 5

# It could read what kernels left in its own memory.
! sed 's/{&x, &y, &z, &out}/{\&x, \&z, \&out}/; s/^  const int blocks/  if (hipHostMalloc(reinterpret_cast<void**>(\&y), bytes, 0) != hipSuccess) return 1;\n&/; s/^  add<<</  (void)hipDeviceSynchronize();\n&/' scale_add.hip >sees.hip

$ build /q sees.hip -o sees
sees

$ capture run --slice 1..2 -o seen -- ./sees
PASSED
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.4 KiB, post image
captured dispatches 1..2 of 2, in seen
err: note: after hipDeviceSynchronize the host could read what dispatches before it had changed in memory of its own: a replay takes it that nothing was decided by that

$ replay seen | grep ^post_image
post_image            matched
err: note: after hipDeviceSynchronize the host could read what dispatches before it had changed in memory of its own: a replay takes it that nothing was decided by that

# What no dispatch of the slice reaches may change.
! sed 's/^  add<<</  (void)hipMemset(other, 1, 4);\n&/; s/^  const int blocks/  float* other = nullptr;\n  if (hipMalloc(reinterpret_cast<void**>(\&other), 4096) != hipSuccess) return 1;\n&/' scale_add.hip >beside.hip

$ build /q beside.hip -o beside
beside

$ capture run --slice 1..2 -o besides -- ./beside
PASSED
c1: scale and 1 more on gfx942, 10240 x 1 x 1 work-items in workgroups of 256 x 1 x 1, 4 regions, 234.4 KiB, post image
captured dispatches 1..2 of 2, in besides

# Memory that did not lie there when the slice began.
! sed 's/{&x, &y, &z, &out}/{\&x, \&y, \&z}/; s/^  add<<</  if (hipMalloc(reinterpret_cast<void**>(\&out), bytes) != hipSuccess) return 1;\n&/' scale_add.hip >later.hip

$ build /q later.hip -o later
later

$ capture run --slice 1..2 -o none -- ./later
PASSED
err: error: slice 1..2 was not captured: memory at 0x10000004e000, which dispatch 2 (add(float const*, float const*, float*, int)) uses, was allocated after dispatch 1 (scale(float const*, float*, int)) began; capture another slice: --slice FROM..TO
? 5

! ls -d none
err: ls: cannot access 'none': No such file or directory
? 2
