# The tutorial, typed by the program: every step has to do what it is about.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# What `build` prints names the compiler of this machine.
! rpl --allow approve tutorial all | grep -v -e '^command ' -e '^compiler ' -e '^size '
[1 of 15] a program
rpl-tutorial/norms.hip is a small HIP program with one kernel. No GPU is needed: an
emulated MI300X stands in, and every time that it gives is modelled. Build it.

  build rpl-tutorial/norms.hip -o rpl-tutorial/norms
\(rpl) build rpl-tutorial/norms.hip -o rpl-tutorial/norms
path          rpl-tutorial/norms
architecture  gfx942
chosen        clang 19 comes first: most was tried with it
headers       installed

severity  file  line  message
(0 rows)

[2 of 15] capture: record a run
Run it and record what it does: each dispatch and copy, with counters of the kernel
that matters. What stands behind `--` is the program and its arguments.

  profile --deep-analysis --focus-critical --output rpl-tutorial/profile -- rpl-tutorial/norms
\(rpl) profile --deep-analysis --focus-critical --output rpl-tutorial/profile -- rpl-tutorial/norms
1000 norms are right
ran rpl-tutorial/norms on 1 x MI300X, emulated: every time below is modelled
t1: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 113.9 us (rocpd 3)
  k1e0d77  row_norms                                 1 x    113.9 us  100.0 %
critical path: 134.5 us of kernels and copies, 85 % of them row_norms
roofline of row_norms, a dispatch: 519,000 FLOP, 1.355 MiB to and from memory
  12.48 GB/s, 4.557 GFLOP/s, 0.365 FLOP/byte: memory bound
att1: thread trace of row_norms: 95 % of cycles stalled, 2 % idle
limited by: under-occupied (confidence 0.90)
  small-grid, 91 to 100 % of its time
headroom: 91 to 100 % of its time
wrote rpl-tutorial/profile: profile.json roofline.json dag.json analysis.json, and the database

[3 of 15] analyze: what decides how long it takes
The critical path is the chain of work and waits that ends with the last operation.
Only what lies on it can make the program faster.

  critpath
\(rpl) critpath
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

[4 of 15] analyze: what limits the kernel
Which resource is it that row_norms waits for? Each possible answer is shown with the
evidence for and against it.

  classify row_norms --trace t1
\(rpl) classify row_norms --trace t1
k1e0d77 row_norms, modelled
under-occupied, confidence high (0.90)

1   small-grid                   91 to 100 %  
    the grid leaves most of the device without work
    16 waves
    1,216 SIMDs
    -> launch more waves: divide the work of the kernel among more work-items

[5 of 15] capture: freeze one dispatch
A frozen dispatch holds the machine code, the arguments, and the memory before and
after. From now on the kernel runs without its program.

  capture run row_norms -o rpl-tutorial/frozen -- rpl-tutorial/norms
\(rpl) capture run row_norms -o rpl-tutorial/frozen -- rpl-tutorial/norms
1000 norms are right
c1: row_norms on gfx942, 1024 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 1008 KiB, post image
captured dispatch 1 of 1 that 'row_norms' names, in rpl-tutorial/frozen

[6 of 15] replay: is it faithful?
Replayed, it has to leave the same memory; and a kernel that does nothing has to be
told from it, or no wrong change could be found out later.

  capture verify rpl-tutorial/frozen
\(rpl) capture verify rpl-tutorial/frozen
id                c1
path              rpl-tutorial/frozen
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

[7 of 15] propose: which rules are asked
All of them, unless you say otherwise; those that unroll loops are enough here.

  set optimize scope v1
\(rpl) set optimize scope v1

[8 of 15] propose: what could be changed
Rules read the source and what was measured, and propose changes of the kernel. Nothing
is written yet.

  iterate --source rpl-tutorial/norms.hip --capture rpl-tutorial/frozen --to propose
\(rpl) iterate --source rpl-tutorial/norms.hip --capture rpl-tutorial/frozen --to propose
profile  o1   baseline built and equal to the capture: 239177 cycles, 29488 wave-instructions
select   o1   row_norms is the only kernel of this capture; a wave waits 225460 cycles for memory and 918 for LDS
propose  o1   4 proposals, p1 to p4
              p1   unroll the loop in line 13 by 2
              p2   unroll the loop in line 13 by 4
              p3   unroll the loop in line 13 by 8
              p4   keep the loop in line 13 rolled
next     p1   guard

[9 of 15] propose: keep only what is proven
Each proposal is guarded, built, verified against the frozen memory on a dozen sets of
inputs, and timed. Only a measured improvement is accepted.

  continue
\(rpl) continue
accepted    p1   unroll the loop in line 13 by 2: 1.929 times as fast
accepted    p2   unroll the loop in line 13 by 4: 3.671 times as fast
accepted    p3   unroll the loop in line 13 by 8: 6.645 times as fast
rejected    p4   keep the loop in line 13 rolled: not worth running: the compiler made the same 62 instructions of both sources
best     p3   6.645 times as fast: unroll the loop in line 13 by 8
next     p3   'approve p3 --accept-modelled' writes it

[10 of 15] approve: read it first
This is what would be written to the file.

  info proposal p3
\(rpl) info proposal p3
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

[11 of 15] approve: write it
Only `approve` changes your file, and keeps the old one: `revert` takes it back. The gain
is modelled here, so that it wants to hear that you know.

  approve p3 --accept-modelled
\(rpl) approve p3 --accept-modelled
p3 is in rpl-tutorial/norms.hip; 'revert p3' takes it back

[12 of 15] replay: the new code on the frozen dispatch
The same memory before, and it must be the same after, in less time.

  replay --proposal p3
\(rpl) replay --proposal p3
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

[13 of 15] replay: the whole program again
A kernel that is faster where it was frozen is worth nothing if the program is not. Build
it with the changed source.

  build rpl-tutorial/norms.hip -o rpl-tutorial/norms
\(rpl) build rpl-tutorial/norms.hip -o rpl-tutorial/norms
path          rpl-tutorial/norms
architecture  gfx942
chosen        clang 19 comes first: most was tried with it
headers       installed

severity  file  line  message
(0 rows)

[14 of 15] replay: record it again
The program checks its own result, too.

  profile --output rpl-tutorial/after -- rpl-tutorial/norms
\(rpl) profile --output rpl-tutorial/after -- rpl-tutorial/norms
1000 norms are right
ran rpl-tutorial/norms on 1 x MI300X, emulated: every time below is modelled
t2: 1 dispatch, 1 kernel, 1 stream, gfx942 x1, 17.14 us (rocpd 3)
  k1e0d77  row_norms                                 1 x    17.14 us  100.0 %
wrote rpl-tutorial/after: profile.json roofline.json dag.json analysis.json, and the database

[15 of 15] before and after
Kernel by kernel.

  compare t1 t2
\(rpl) compare t1 t2
before           t1
after            t2
before_span      113.896 us
after_span       17.142 us
span_ratio       0.151 x
before_gpu_time  113.896 us
after_gpu_time   17.142 us
gpu_time_ratio   0.151 x
reasons          id k1e0d77, kernel row_norms, grid 1024x1x1, workgroup 64x1x1, before_calls 1, after_calls 1, before 113.896 us, after 17.142 us, change -96.754 us, share 100.00 %

id       kernel     before_calls  after_calls  before_total us  after_total us  change us  before_mean us  after_mean us  mean_ratio x
k1e0d77  row_norms             1            1          113.896          17.142    -96.754         113.896         17.142         0.151
(1 row, modelled)

That was all of it: capture, analyze, propose, approve, replay. On your own program one line does
the same kernel by kernel, and leaves the yes to you:  optimize SOURCE.hip ./program
  revert PROPOSAL      takes the change back
  tutorial restart     from the beginning
  help, apropos WORD   what else there is; docs/getting-started.md goes on with recordings
Every step did what it is about.
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter
err: note: TCP_TOTAL_CACHE_ACCESSES_sum not counted; the emulated device has no such counter
err: note: the last bits of v_sqrt_f32 may differ from a real device
err: note: two recordings differ by noise too: a ratio is not a verdict

$ tutorial
That was all of it: capture, analyze, propose, approve, replay. On your own program one line does
the same kernel by kernel, and leaves the yes to you:  optimize SOURCE.hip ./program
  revert PROPOSAL      takes the change back
  tutorial restart     from the beginning
  help, apropos WORD   what else there is; docs/getting-started.md goes on with recordings

$ tutorial --json
{
  "schema": "rpl.tutorial/1",
  "steps": 15,
  "done": 15,
  "ended": true,
  "step": null,
  "title": null,
  "line": null,
  "folder": "rpl-tutorial",
  "notes": [],
  "provenance": "none"
}

! tail -1 rpl-tutorial/progress; grep -c unroll rpl-tutorial/norms.hip
end
1

# Back over the approval takes the change out of the file again.
! for step in 14 13 12 11 10; do rpl --allow approve tutorial/q back; done; grep -c unroll rpl-tutorial/norms.hip; ls rpl-tutorial
14
13
12
11
10
0
frozen
norms
norms.hip
profile
progress

$ --allow approve tutorial restart
[1 of 15] a program
rpl-tutorial/norms.hip is a small HIP program with one kernel. No GPU is needed: an
emulated MI300X stands in, and every time that it gives is modelled. Build it.

  build rpl-tutorial/norms.hip -o rpl-tutorial/norms

! mkdir -p other/rpl-tutorial; cd other; rpl tutorial
err: error: the folder rpl-tutorial exists and is not this tutorial's; begin in another folder: !mkdir tour, and rpl there
? 1
