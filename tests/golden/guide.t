# What docs/USER_GUIDE.md shows, from a program to an approved change and a gate in CI.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example norms.hip.original: tutorial/norms.hip
# example gate.lua: ../scripts/gate.lua
# file budget.json:
#| {"trace": {"gpu_time_ns": {"max": 20000}}, "kernels": {"row_norms": {"mean_ns": {"max": 20000}}}}
! cat norms.hip.original > norms.hip

$ build /q norms.hip -o norms
norms

(rpl) profile --deep-analysis --focus-critical --output first -- ./norms
1000 norms are right
ran ./norms on 1 x MI300X, emulated: every time below is modelled
t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 113.9 us (rocpd 3)
  k1e0d77  row_norms                                 1 x    113.9 us  100.0 %
critical path: 134.5 us of kernels and copies, 85 % of them row_norms
roofline of row_norms, a dispatch: 519,000 FLOP, 1.355 MiB to and from memory
  12.48 GB/s, 4.557 GFLOP/s, 0.365 FLOP/byte: memory bound
att1: thread trace of row_norms: 95 % of cycles stalled, 2 % idle
limited by: under-occupied (confidence 0.90)
  small-grid, 91 to 100 % of its time
headroom: 91 to 100 % of its time
wrote first: profile.json roofline.json dag.json analysis.json, and the database
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter

(rpl) critpath
critical path: 134.5 us of kernels and copies in a span of 342.0 us (39.3 %), 3 operations
  kernel #############                           113.9 us  33.3 %  kernels run
  copy   ##                                      20.56 us   6.0 %  memory copies
  launch #######################                 205.5 us  60.1 %  launched, not started yet
  host   #                                       2.000 us   0.6 %  the host had not launched yet
edges: stream_order 1, launch 1

MEMORY_COPY_HOST_TO_DEVICE 20.48 us => gap 207.5 us (launch) => row_norms 113.9 us
  => MEMORY_COPY_DEVICE_TO_HOST 80 ns

id       kernel     calls  path_calls  path us  share %  min_slack ns  gain_if_2x %
k1e0d77  row_norms      1           1  113.896    84.71             0         16.65
(1 row, modelled)

(rpl) classify row_norms
k1e0d77 row_norms, modelled
under-occupied, confidence high (0.90)

1   small-grid                   91 to 100 %  
    the grid leaves most of the device without work
    16 waves
    1,216 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter

(rpl) advise
 1  k1e0d77 row_norms: under-occupied
      small-grid, 91 to 100 % of its time: launch more waves: divide the work of the kernel among more work-items
      > findings k1e0d77
      gains the trace 77.5 % to at most 84.7 %
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter

(rpl) whatif row_norms --speedup 4
row_norms 4x as fast:
342.0 us -> 256.5 us, gain 25.0 % (between 22.0 % and 29.2 %: times are modelled)

speedup  after us  gain %  gain_low %  gain_high %
      4   256.534   24.98       21.98        29.25
(1 row, estimated)

(rpl) capture run row_norms -o frozen -- ./norms
1000 norms are right
c1: row_norms on gfx942, 1024 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 1008 KiB, post image
captured dispatch 1 of 1 that 'row_norms' names, in frozen

(rpl) capture verify frozen
id                c1
path              frozen
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

(rpl) set optimize scope v1

(rpl) iterate --source norms.hip --capture frozen --to propose
profile  o1   baseline built and equal to the capture: 239177 cycles, 29488 wave-instructions
select   o1   row_norms is the only kernel of this capture; a wave waits 225460 cycles for memory and 918 for LDS
propose  o1   4 proposals, p1 to p4
              p1   unroll the loop in line 13 by 2
              p2   unroll the loop in line 13 by 4
              p3   unroll the loop in line 13 by 8
              p4   keep the loop in line 13 rolled
next     p1   guard

(rpl) continue
accepted    p1   unroll the loop in line 13 by 2: 1.929 times as fast
accepted    p2   unroll the loop in line 13 by 4: 3.671 times as fast
accepted    p3   unroll the loop in line 13 by 8: 6.645 times as fast
rejected    p4   keep the loop in line 13 rolled: not worth running: the compiler made the same 62 instructions of both sources
best     p3   6.645 times as fast: unroll the loop in line 13 by 8
next     p3   'approve p3 --accept-modelled' writes it

(rpl) info proposals
open      0
accepted  3
rejected  1

id  origin  title                            state     verdict   ratio x  decided_at
p1  rule    unroll the loop in line 13 by 2  accepted  improved    1.929  -
p2  rule    unroll the loop in line 13 by 4  accepted  improved    3.671  -
p3  rule    unroll the loop in line 13 by 8  accepted  improved    6.645  -
p4  rule    keep the loop in line 13 rolled  rejected  -               -  screen
(4 rows; no room for why: /v)

(rpl) info proposal p3
p3  accepted  unroll the loop in line 13 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
improved (modelled): 6.645 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
the gain: on other inputs, too
resources: 8 -> 16 VGPRs: 100 % more, 20 % are allowed

--- a/norms.hip
+++ b/norms.hip
@@ -10,6 +10,7 @@
   int row = blockIdx.x * blockDim.x + threadIdx.x;
   if (row >= rows) return;
   float sum = 0.0f;
+  #pragma unroll 8
   for (int column = 0; column < columns; ++column) {
     float value = in[(size_t)column * rows + row];
     sum += value * value;

(rpl) approve p3 --accept-modelled
p3 is in norms.hip; 'revert p3' takes it back

(rpl) replay --proposal p3
capture               c1
kernel                name row_norms, hsaco_path .rpl/proposals/p3/candidate.co
execution             iterations 1, mode stateless
timing                unit microseconds, average 17.14, min 17.14, max 17.14, median 17.14, p5 17.14, p95 17.14, stdev 0
target                emu
median                17.140 us
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                35,995 cycles
time                  17.140 us
time_low              14.227 us
time_high             21.940 us
time_class            latency
simulated_workgroups  1
workgroups            16
waves                 16
instructions          18,848
by_class              valu 8,592, transcendental 16, salu 1,264, smem 48, vmem 4,112, branch 592, wait 4,144, other 80
lane_share            97.66 %
load                  1000.0 KiB
store                 4000 B
transactions          18,111
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

region      base            size KiB  post_image  differing B  first_offset
argument 1  0x100000000000    1000.0  matched               -             -
argument 2  0x10000010a000       3.9  matched               -             -
(2 rows, modelled)
err: note: the last bits of v_sqrt_f32 may differ from a real device

# The program with the change, recorded again.
$ build /q norms.hip -o norms
norms

$ profile --quiet --output second -- ./norms
ran ./norms on 1 x MI300X, emulated: every time below is modelled
t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 17.14 us (rocpd 3)
  k1e0d77  row_norms                                 1 x    17.14 us  100.0 %
wrote second: profile.json roofline.json dag.json analysis.json, and the database

# The folder of a profile is its timed run, whatever else lies in it.
$ info trace/q first
1

$ compare first/.rocpd_profile second/.rocpd_profile
before           t1
after            t2
before_span      113.896 us
after_span       17.142 us
span_ratio       0.151 x
before_gpu_time  113.896 us
after_gpu_time   17.142 us
gpu_time_ratio   0.151 x
reasons          id k1e0d77, kernel row_norms, grid 1024x1x1, workgroup 64x1x1, before_calls 1, after_calls 1, before 113.896 us, after 17.142 us, change -96.754 us, share 100.00 %

id       kernel     before_calls  change us  before_mean us  after_mean us  mean_ratio x
k1e0d77  row_norms             1    -96.754         113.896         17.142         0.151
(1 row; no room for after_calls, before_total_ns, after_total_ns: /v, modelled)
err: note: two recordings differ by noise too: a ratio is not a verdict

$ export evidence p3 -o p3.tar.zst
wrote p3.tar.zst: the evidence of p3

$ audit p3.tar.zst
intact            yes
proposal          p3
kernel            row_norms
title             unroll the loop in line 13 by 8
program           rpl 0.1.0
time_source       modelled
model             rpl-cycle/0.5 MI300X
recorded_verdict  improved
verdict           improved
ratio             6.645 x
ci_low            5.274 x
ci_high           8.372 x
floor             0.00 %
samples           2
design            1 process × 1 block × 1 dispatch, modelled
looks             1
confidence        95.00 %

what              intact  message
seal              yes     is that of the manifest
base.hip          yes     has the hash of the manifest
candidate.hip     yes     has the hash of the manifest
base.co           yes     has the hash of the manifest
candidate.co      yes     has the hash of the manifest
patch.diff        yes     has the hash of the manifest
measurement.json  yes     has the hash of the manifest
verdict.json      yes     has the hash of the manifest
verdict           yes     improved again, ratio 6.6447
floor             yes     17140.5 ns are not faster than the machine can
other inputs      yes     the gain is there, too
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(13 rows, recorded)

$ -batch -x gate.lua -- second/.rocpd_profile budget.json
passed  yes
broken  0

what  metric  value  limit  verdict
(0 rows)

$ -batch -x gate.lua -- first/.rocpd_profile budget.json
passed  no
broken  2

what       metric           value  limit     verdict
trace      gpu_time_ns     113896  <= 20000  broken
row_norms  mean_ns      1.139e+05  <= 20000  broken
(2 rows)
? 3

$ info kernels/q second/.rocpd_profile
row_norms
err: note: times are modelled: nine of ten real ones lie between 0.83 and 1.28 times these (docs/cycle-model.md)

$ critpath second/.rocpd_profile --json | grep ceiling_speedup
  "ceiling_speedup": 1.8337548638132297,

$ report html -o report.html second/.rocpd_profile
wrote report.html: 33.47 KiB

# One question in three ways: a document, a request of another program, a script.
$ info trace second/.rocpd_profile --json | grep -e schema -e gpu_time
  "schema": "rpl.info.trace/1",
  "gpu_time_ns": 17142,

! echo '{"id": 1, "command": "info trace", "arguments": {"trace": "second/.rocpd_profile"}}' | rpl --interpreter jsonl -nx | cut -c 1-60
{"schema": "rpl.reply/1", "id": 1, "event": "result", "resul

! echo 'print(rpl.open("second/.rocpd_profile").kernels[1].mean_ns)' > ask.lua; rpl -batch -x ask.lua
17142.0

$ lineage
o1   row_norms in norms.hip
  p1   accepted 1.929 x: unroll the loop in line 13 by 2
  p2   accepted 3.671 x: unroll the loop in line 13 by 4
  p3   approved 6.645 x: unroll the loop in line 13 by 8
  p4   rejected (no-change): keep the loop in line 13 rolled
