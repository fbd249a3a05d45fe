# What the program of commit cd7f3be wrote is read by today's, and says the same; tests/fixtures/before_redesign/README.md tells how it was made.
# needs clang: /usr/lib/llvm-19/bin/clang
# kept before: before_redesign
! python3 before/relocate before && echo the paths in the copy are of this folder
the paths in the copy are of this folder

# Sessions of an earlier version have no identity: a person says yes once, and sees before what they would run and write.
$ --session before/tuning/session trust session /c
effect,name,value,outside
builds with,headers,auto,false
reads,capture,DIR/before/tuning/frozen,false
runs,command,"[""sh"", ""-c"", ""test {BLOCK_M} -ne 64 || test -e again || { touch again; kill -INT $PPID; sleep 1; }; echo took 1{num_warps} ms""]",false
runs,cwd,DIR/before/tuning,false
writes,source,DIR/before/tuning/tiled_matmul.hip,false
err: note: the session is not kept: before/tuning/session/session.db was made elsewhere, or by an earlier version and is only looked at; 'trust session' shows what it would run and write, and asks
err: note: nobody sits at a terminal to say yes; 'trust session --yes' does

! for kind in optimization application tuning slurm; do rpl --session before/$kind/session trust session --yes > trusted.txt 2>&1 || echo $kind; done

# A session: proposals in every state, what was measured of them, the log.
$ --session before/optimization/session info proposals/v
open      7
accepted  1
rejected  3
-- 1 --
id            p1
optimization  o1
origin        rule
title         unroll the loop in line 11 by 2
state         accepted
verdict       improved
ratio         1.221 x
decided_at    -
why           -
-- 2 --
id            p2
optimization  o1
origin        rule
title         unroll the loop in line 11 by 4
state         rejected
verdict       -
ratio         -
decided_at    person
why           too hard to read
-- 3 --
id            p3
optimization  o1
origin        rule
title         unroll the loop in line 11 by 8
state         approved
verdict       improved
ratio         1.452 x
decided_at    -
why           -
-- 4 --
id            p4
optimization  o1
origin        rule
title         keep the loop in line 11 rolled
state         rejected
verdict       -
ratio         -
decided_at    screen
why           the compiler made the same 109 instructions of both sources
-- 5 --
id            p5
optimization  o1
origin        rule
title         unroll the loop in line 13 by 2
state         verified
verdict       -
ratio         -
decided_at    -
why           -
-- 6 --
id            p6
optimization  o1
origin        rule
title         unroll the loop in line 13 by 4
state         proposed
verdict       -
ratio         -
decided_at    -
why           -
-- 7 --
id            p7
optimization  o1
origin        rule
title         unroll the loop in line 13 by 8
state         proposed
verdict       -
ratio         -
decided_at    -
why           -
-- 8 --
id            p8
optimization  o1
origin        rule
title         keep the loop in line 13 rolled
state         proposed
verdict       -
ratio         -
decided_at    -
why           -
-- 9 --
id            p9
optimization  o1
origin        rule
title         unroll the loop in line 15 by 2
state         rejected
verdict       equivalent
ratio         1.000 x
decided_at    decide
why           equivalent (modelled): ratio 0.9997, above 1.0100 is needed
-- 10 --
id            p10
optimization  o1
origin        rule
title         unroll the loop in line 15 by 4
state         proposed
verdict       -
ratio         -
decided_at    -
why           -
-- 11 --
id            p11
optimization  o1
origin        rule
title         unroll the loop in line 15 by 8
state         proposed
verdict       -
ratio         -
decided_at    -
why           -
-- 12 --
id            p12
optimization  o1
origin        rule
title         keep the loop in line 15 rolled
state         proposed
verdict       -
ratio         -
decided_at    -
why           -
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/optimization/session info proposals/c
id,optimization,origin,title,state,verdict,ratio,decided_at,why
p1,o1,rule,unroll the loop in line 11 by 2,accepted,improved,1.2208316762775897,,
p2,o1,rule,unroll the loop in line 11 by 4,rejected,,,person,too hard to read
p3,o1,rule,unroll the loop in line 11 by 8,approved,improved,1.4520339383905871,,
p4,o1,rule,keep the loop in line 11 rolled,rejected,,,screen,the compiler made the same 109 instructions of both sources
p5,o1,rule,unroll the loop in line 13 by 2,verified,,,,
p6,o1,rule,unroll the loop in line 13 by 4,proposed,,,,
p7,o1,rule,unroll the loop in line 13 by 8,proposed,,,,
p8,o1,rule,keep the loop in line 13 rolled,proposed,,,,
p9,o1,rule,unroll the loop in line 15 by 2,rejected,equivalent,0.9997150446260469,decide,"equivalent (modelled): ratio 0.9997, above 1.0100 is needed"
p10,o1,rule,unroll the loop in line 15 by 4,proposed,,,,
p11,o1,rule,unroll the loop in line 15 by 8,proposed,,,,
p12,o1,rule,keep the loop in line 15 rolled,proposed,,,,
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/optimization/session info proposal p3
p3  approved  unroll the loop in line 11 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
improved (modelled): 1.452 times as fast by rpl-cycle/0.3 MI300X; no silicon took part
resources: 13 -> 16 VGPRs: 23 % more, 20 % are allowed

--- a/softmax.hip
+++ b/softmax.hip
@@ -8,6 +8,7 @@
   const float* x = in + static_cast<long>(row) * columns;
   float* y = out + static_cast<long>(row) * columns;
   float highest = x[0];
+  #pragma unroll 8
   for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);
   float sum = 0.0f;
   for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/optimization/session info proposal p9
p9  rejected  unroll the loop in line 15 by 2
2 iterations in one: independent loads and arithmetic overlap, less loop overhead
equivalent: equivalent (modelled): ratio 0.9997, above 1.0100 is needed
equivalent (modelled): 1.000 times as fast by rpl-cycle/0.3 MI300X; no silicon took part

--- a/softmax.hip
+++ b/softmax.hip
@@ -12,5 +12,6 @@
   float sum = 0.0f;
   for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);
   const float scale = 1.0f / sum;
+  #pragma unroll 2
   for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;
 }
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/optimization/session info measurements
id  proposal  baseline us  candidate us  time_source  verdict     ratio x  ci_low x  ci_high x
m1  p1             46.778        38.316  modelled     improved      1.221     1.221      1.221
m3  p3             46.778        32.215  modelled     improved      1.452     1.452      1.452
m9  p9             46.778        46.791  modelled     equivalent    1.000     1.000      1.000
(3 rows; no room for floor, model, about: /v, modelled)
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/optimization/session info measurements/j
{
  "schema": "rpl.info.measurements/1",
  "rows": [
    {"id": "m1", "proposal": "p1", "baseline_ns": 46777.619047619046, "candidate_ns": 38316.19047619048, "time_source": "modelled", "verdict": "improved", "ratio": 1.2208316762775897, "ci_low": 1.2208316762775897, "ci_high": 1.2208316762775897, "floor": 0.01, "model": "rpl-cycle/0.3 MI300X", "about": "unroll the loop in line 11 by 2"},
    {"id": "m3", "proposal": "p3", "baseline_ns": 46777.619047619046, "candidate_ns": 32215.23809523809, "time_source": "modelled", "verdict": "improved", "ratio": 1.4520339383905871, "ci_low": 1.4520339383905871, "ci_high": 1.4520339383905871, "floor": 0.01, "model": "rpl-cycle/0.3 MI300X", "about": "unroll the loop in line 11 by 8"},
    {"id": "m9", "proposal": "p9", "baseline_ns": 46777.619047619046, "candidate_ns": 46790.95238095238, "time_source": "modelled", "verdict": "equivalent", "ratio": 0.9997150446260469, "ci_low": 0.9997150446260469, "ci_high": 0.9997150446260469, "floor": 0.01, "model": "rpl-cycle/0.3 MI300X", "about": "unroll the loop in line 15 by 2"}
  ],
  "notes": [],
  "provenance": "modelled"
}
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/optimization/session lineage
o1   softmax in before/optimization/softmax.hip
  p1   accepted 1.221 x: unroll the loop in line 11 by 2
  p2   rejected (rejected-by-person): unroll the loop in line 11 by 4
  p3   approved 1.452 x: unroll the loop in line 11 by 8
  p4   rejected (no-change): keep the loop in line 11 rolled
  p5   verified: unroll the loop in line 13 by 2
  p6   proposed: unroll the loop in line 13 by 4
  p7   proposed: unroll the loop in line 13 by 8
  p8   proposed: keep the loop in line 13 rolled
  p9   rejected 1.000 x (equivalent): unroll the loop in line 15 by 2
  p10  proposed: unroll the loop in line 15 by 4
  p11  proposed: unroll the loop in line 15 by 8
  p12  proposed: keep the loop in line 15 rolled
err: note: the session's proposal: hashes is missing; its default holds

! rpl --session before/optimization/session session log/c --limit 100 | cut -d, -f4,5 | head -52
kind,what
asked,iterate --source softmax.hip --capture frozen --to propose
optimizing,softmax in DIR/before/optimization/softmax.hip
optimizing,softmax in DIR/before/optimization/softmax.hip
proposal,p1 proposed: unroll the loop in line 11 by 2
proposal,p2 proposed: unroll the loop in line 11 by 4
proposal,p3 proposed: unroll the loop in line 11 by 8
proposal,p4 proposed: keep the loop in line 11 rolled
proposal,p5 proposed: unroll the loop in line 13 by 2
proposal,p6 proposed: unroll the loop in line 13 by 4
proposal,p7 proposed: unroll the loop in line 13 by 8
proposal,p8 proposed: keep the loop in line 13 rolled
proposal,p9 proposed: unroll the loop in line 15 by 2
proposal,p10 proposed: unroll the loop in line 15 by 4
proposal,p11 proposed: unroll the loop in line 15 by 8
proposal,p12 proposed: keep the loop in line 15 rolled
optimizing,softmax in DIR/before/optimization/softmax.hip
asked,finish p1
proposal,p1 guarded: unroll the loop in line 11 by 2
proposal,p1 built: unroll the loop in line 11 by 2
proposal,p1 screened: unroll the loop in line 11 by 2
proposal,p1 verified: unroll the loop in line 11 by 2
proposal,p1 measured: unroll the loop in line 11 by 2
proposal,p1 accepted: unroll the loop in line 11 by 2
asked,reject p2 --why too hard to read
proposal,p2 rejected: unroll the loop in line 11 by 4
asked,finish p3
proposal,p3 guarded: unroll the loop in line 11 by 8
proposal,p3 built: unroll the loop in line 11 by 8
proposal,p3 screened: unroll the loop in line 11 by 8
proposal,p3 verified: unroll the loop in line 11 by 8
proposal,p3 measured: unroll the loop in line 11 by 8
proposal,p3 accepted: unroll the loop in line 11 by 8
asked,finish p4
proposal,p4 guarded: keep the loop in line 11 rolled
proposal,p4 built: keep the loop in line 11 rolled
proposal,p4 rejected: keep the loop in line 11 rolled
asked,verify p5
proposal,p5 guarded: unroll the loop in line 13 by 2
proposal,p5 built: unroll the loop in line 13 by 2
proposal,p5 screened: unroll the loop in line 13 by 2
proposal,p5 verified: unroll the loop in line 13 by 2
asked,finish p9
proposal,p9 guarded: unroll the loop in line 15 by 2
proposal,p9 built: unroll the loop in line 15 by 2
proposal,p9 screened: unroll the loop in line 15 by 2
proposal,p9 verified: unroll the loop in line 15 by 2
proposal,p9 measured: unroll the loop in line 15 by 2
proposal,p9 rejected: unroll the loop in line 15 by 2
asked,export evidence p3 -o ../evidence.tar.zst
asked,approve p3 --accept-modelled
proposal,p3 approved: unroll the loop in line 11 by 8

# What was decided can be taken back, and the loop goes on where it was.
$ --allow approve --session before/optimization/session revert p3
before/optimization/softmax.hip is as it was before p3
err: note: the session's proposal: hashes is missing; its default holds

! cmp before/optimization/softmax.hip before/optimization/session/optimizations/o1/base.hip && echo as before
as before

$ --session before/optimization/session finish p5
measure  p5   155906 -> 149370 cycles, 3811 -> 3498 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 17 VGPRs: 31 % more, 20 % are allowed
decide   p5   undecided (modelled): 1.044 times as fast, 0.828 to 1.315 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p5   rejected: unroll the loop in line 13 by 2
next     p6   guard
err: note: the session's proposal: hashes is missing; its default holds
? 4

$ --allow approve --session before/optimization/session approve p1 --accept-modelled
p1 is in before/optimization/softmax.hip; 'revert p1' takes it back
err: note: the session's proposal: hashes is missing; its default holds
err: note: p1 was timed by rpl-cycle/0.3 MI300X; the model is rpl-cycle/0.5 now and may see it otherwise; 'step --again' times it anew

$ --session before/optimization/session export evidence p1 -o again.tar.zst
wrote again.tar.zst: the evidence of p1
err: note: the session's proposal: hashes is missing; its default holds

$ audit again.tar.zst
intact            yes
proposal          p1
kernel            softmax
title             unroll the loop in line 11 by 2
program           rpl 0.1.0
time_source       modelled
model             rpl-cycle/0.3 MI300X
recorded_verdict  improved
verdict           improved
ratio             1.221 x
ci_low            1.221 x
ci_high           1.221 x
floor             1.00 %
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
verdict           yes     improved again, ratio 1.2208
floor             yes     38316.2 ns are not faster than the machine can
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(12 rows, recorded)

# Evidence.
$ audit before/evidence.tar.zst
intact            yes
proposal          p3
kernel            softmax
title             unroll the loop in line 11 by 8
program           rpl 0.1.0
time_source       modelled
model             rpl-cycle/0.3 MI300X
recorded_verdict  improved
verdict           improved
ratio             1.452 x
ci_low            1.452 x
ci_high           1.452 x
floor             1.00 %
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
verdict           yes     improved again, ratio 1.4520
floor             yes     32215.2 ns are not faster than the machine can
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(12 rows, recorded)

# An application.
$ --session before/application/session lineage
o1   row_norms in before/application/features.hip
  p1   accepted 1.644 x: unroll the loop in line 9 by 2
  p2   accepted 2.425 x: unroll the loop in line 9 by 4
  p3   accepted 3.011 x: unroll the loop in line 9 by 8
  p4   rejected (no-change): keep the loop in line 9 rolled
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/application/session info proposals/c
id,optimization,origin,title,state,verdict,ratio,decided_at,why
p1,o1,rule,unroll the loop in line 9 by 2,accepted,improved,1.6440209341364669,,
p2,o1,rule,unroll the loop in line 9 by 4,accepted,improved,2.425200291332848,,
p3,o1,rule,unroll the loop in line 9 by 8,accepted,improved,3.011213601012841,,
p4,o1,rule,keep the loop in line 9 rolled,rejected,,,screen,the compiler made the same 35 instructions of both sources
err: note: the session's proposal: hashes is missing; its default holds

$ --session before/application/session info proposal p3
p3  accepted  unroll the loop in line 9 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
improved (modelled): 3.011 times as fast by rpl-cycle/0.3 MI300X; no silicon took part
resources: 6 -> 16 VGPRs: 167 % more, 20 % are allowed

--- a/features.hip
+++ b/features.hip
@@ -6,6 +6,7 @@
   const int row = blockIdx.x * blockDim.x + threadIdx.x;
   if (row >= rows) return;
   float sum = 0.0f;
+  #pragma unroll 8
   for (int i = 0; i < columns; ++i) sum += x[row * columns + i] * x[row * columns + i];
   norms[row] = sum;
 }
err: note: the session's proposal: hashes is missing; its default holds

# Captures: a folder, the same in one file, and that of an application.
$ capture verify before/optimization/frozen
id                c1
path              before/optimization/frozen
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ capture unpack before/capture.tar.zst -o unpacked
c1: softmax on gfx942, 64 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 48.75 KiB, post image
unpacked into unpacked

! diff -r unpacked before/optimization/frozen && echo equal
equal

$ replay unpacked
capture               c1
kernel                name softmax, hsaco_path unpacked/kernel.hsaco
execution             iterations 1, mode stateless
timing                unit microseconds, average 74.24, min 74.24, max 74.24, median 74.24, p5 74.24, p95 74.24, stdev 0
target                emu
median                74.241 us
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                155,906 cycles
time                  74.241 us
time_low              61.620 us
time_high             95.028 us
time_class            latency
simulated_workgroups  1
workgroups            1
waves                 1
instructions          3,811
by_class              valu 2,294, transcendental 131, salu 404, smem 3, vmem 260, branch 198, wait 260, other 261
lane_share            100.00 %
load                  48.8 KiB
store                 16.2 KiB
transactions          16,640
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      16.2  matched               -             -
argument 2  0x7f0000015000      16.2  matched               -             -
(2 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ capture verify before/application/session/applications/a1/capture-1
id                c1
path              before/application/session/applications/a1/capture-1
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ replay/q before/application/session/applications/a1/capture-1
14893.333333333332

$ capture list before/optimization
id  current  kernel   memory KiB  path                      grid    stored KiB  state
-   no       softmax        48.8  before/opti..tion/frozen  64x1x1        56.7  complete
(1 row; no room for architecture, regions, post_image: /v, recorded)

# Tunings: one is done, one was interrupted and goes on.
$ --session before/tuning/session tune status/v
tunings  2
-- 1 --
tuning             n1
state              done
strategy           exhaustive
target             emu
search_space_size  6
evaluated_configs  6
failed_configs     0
requeued           0
best_ns            3632 ns
best               TILE=16 UNROLL=4
-- 2 --
tuning             n2
state              unfinished
strategy           exhaustive
target             host
search_space_size  4
evaluated_configs  2
failed_configs     0
requeued           0
best_ns            14.000 ms
best               BLOCK_M=128 num_warps=4

$ --session before/tuning/session tune best n1
tuning       n1
parameters   TILE 16, UNROLL 4
time         3632 ns
time_source  modelled
verified     against the captured code on 3 input sets
defines      -DTILE=16 -DUNROLL=4
facts        vgprs 20, sgprs 28, lds_bytes 2048, scratch_bytes 0, code_bytes 480

parameter  share %  best_value
TILE         32.15  16
UNROLL       15.49  4
(2 rows, modelled)

! cd before/tuning && rpl --session session tune resume n1
6 of 6 configurations evaluated, 0 failed
default 4.703 us  TILE=16 UNROLL=1
best    3.632 us  TILE=16 UNROLL=4  (modelled)
measured again  improved (modelled): 1.284 times as fast as the default (1.019 to 1.618), 1 process × 1 block × 1 dispatch, modelled
  TILE             ######               32.2 %  best 16
  UNROLL           ###                  15.5 %  best 4
 4.703 us |#############
          |             ###
          |
          |
          |
          |                ###
          |
 3.632 us |                   #
          +--------------------
           1      6 evaluations
           #: best so far, this search
err: note: 6 evaluations were known from before

! cd before/tuning && rpl --session session tune resume n2
4 of 4 configurations evaluated, 0 failed
default 14.00 ms  BLOCK_M=128 num_warps=4
best    11.00 ms  BLOCK_M=32 num_warps=1  (program)
measured again  improved: 1.273 times as fast as the default (1.273 to 1.273), 6 processes × 2 blocks × 1 dispatch
  BLOCK_M          #################### 100.0 %  best 32
  num_warps        #################### 100.0 %  best 1
 14.00 ms |##############
          |
          |
          |
          |              #####
          |
          |
 11.00 ms |                   #
          +--------------------
           1      4 evaluations
           #: best so far, this search
err: note: 2 evaluations were known from before

$ --session before/tuning/session tune status/c
tuning,state,strategy,target,search_space_size,evaluated_configs,failed_configs,requeued,best_ns,best
n1,done,exhaustive,emu,6,6,0,0,3632.3809523809523,TILE=16 UNROLL=4
n2,done,exhaustive,host,4,4,0,0,11000000.0,BLOCK_M=32 num_warps=1

$ tune best before/tuning/cache.json
tuning       before/tuning/cache.json
parameters   TILE 16, UNROLL 4
time         3632 ns
time_source  modelled
verified     against the captured code on 3 input sets
defines      -DTILE=16 -DUNROLL=4
facts        vgprs 20, sgprs 28, lds_bytes 2048, scratch_bytes 0, code_bytes 480

parameter  share %  best_value
TILE         32.15  16
UNROLL       15.49  4
(2 rows, modelled)

$ --session imported tune import before/tuning/cache.json
n1: 6 evaluations of 6 configurations

$ tune simulate before/tuning/cache.json
guided on 6 known configurations, nothing ran
4 evaluations, best TILE=8 UNROLL=4
to within 5 % of the best of all, median of 21 seeds: guided 4 evaluations, random 4
 4.703 us |******
          |      ***####
          |
          |
          |
          |         ....
          |
 3.632 us |             *******
          +--------------------
           1      6 evaluations
           #: best so far, guided (median); .: random; *: both

$ space count before/tuning/session/tunings/n1/space.json
search_space_size  6
default            TILE 16, UNROLL 1
digest             df98d5f3feb3bd46
file               before/tuning/session/tunings/n1/space.json

parameter  values  ordered  list
TILE            2  yes      8, 16
UNROLL          3  yes      1, 2, 4
(2 rows)

# A tuning through a cluster: its session, and the folder that jobs read.
$ --session before/slurm/session tune status/v
tunings  1
-- 1 --
tuning             n1
state              done
strategy           exhaustive
target             slurm
search_space_size  4
evaluated_configs  4
failed_configs     0
requeued           0
best_ns            31.000 ms
best               BLOCK_M=32 num_warps=1

$ --session before/slurm/session tune best n1
tuning       n1
parameters   BLOCK_M 32, num_warps 1
time         31.000 ms
time_source  program
verified     exit status
defines      -DBLOCK_M=32 -Dnum_warps=1
facts        -

parameter  share %  best_value
BLOCK_M     100.00  32
num_warps   100.00  1
(2 rows, measured)

$ tune evaluate before/slurm/session/tunings/n1 --point 2
configuration  BLOCK_M 64, num_warps 2
state          ok
time           32.000 ms
time_source    program
stage          -
reason         -
(measured)

# A profile: its documents and its database.
$ info profile before/profile/profile.json
id            prof1
path          before/profile/profile.json
version       1.0
kernel        row_norms
architecture  gfx942

field                           value
schema                          rpl.profile/1
schema_version                  1.0
runtime_ms                      0.02469
kernel_runtime_ms               0.01586
kernel.name                     row_norms(float const*, float*, int, int)
kernel.id                       k1e0d77
kernel.grid[0]                  64
kernel.grid[1]                  1
kernel.grid[2]                  1
kernel.block[0]                 64
kernel.block[1]                 1
kernel.block[2]                 1
resources.vgpr_per_thread       8
resources.sgpr_per_wave         16
resources.lds_bytes             0
occupancy.theoretical           1
occupancy.threads_per_block     64
occupancy.wave_size             64
gpu.architecture                gfx942
gpu.product                     MI300X
gpu.wave_size                   64
gpu.compute_units               304
gpu.theoretical_peak_flops      1.634e+14
stability.runs                  1
stability.mean_ms               0.02469
stability.samples_ms[0]         0.02469
time_source                     kernels
critical_path.critical_path_ns  25354
critical_path.dominant_symbol   row_norms(float const*, float*, int, int)
critical_path.fraction          0.6255
bottleneck.primary              insufficient data
bottleneck.confidence           0
recording[0]                    all/example/15353_results.db
run.program                     ../application/features
run.code                        32b2aaa3cd317853
run.target                      emu
run.gpu                         MI300X
run.devices                     1
run.processes                   1
run.folder                      all
run.exit_code                   0
run.complete                    yes
provenance                      modelled
(43 rows, recorded)

$ info profile before/older/printed.json | head -8
id            prof1
path          before/older/printed.json
version       1.0
kernel        row_norms
architecture  gfx942

field                           value
schema                          rpl.profile/1

$ compare before/profile/profile.json before/older/printed.json
before         before/profile/profile.json
after          before/older/printed.json
runtime_ratio  1.000 x

field        before      after  ratio x
emulation_s       -  3.313e-03        -
(1 row, recorded)
err: note: two runs differ by noise too: a ratio is not a verdict; bench decides

$ info trace before/profile/results.db
id          t1
path        before/profile/results.db
format      rocpd 3
dispatches  2
kernels     2
streams     1
queues      1
agents      1
processes   1
span        25.689 us
gpu_time    24.689 us
busy        24.689 us
busy_share  96.11 %
device      gfx942 x1
recorded    copies, api
file        140.0 KiB
memory      56 B
warnings    0
(modelled)

$ info kernels before/profile/results.db
id       kernel     calls  total us  mean us  min us  max us  stddev ns  variation %  share %
k1e0d77  row_norms      1    15.858   15.858  15.858  15.858          -            -    64.23
k987f2e  row_peaks      1     8.831    8.831   8.831   8.831          -            -    35.77
(2 rows, modelled)

$ critpath before/profile/results.db
critical path: 25.35 us of kernels and copies in a span of 287.4 us (8.8 %), 5 operations
  kernel ###                                     24.69 us   8.6 %  kernels run
  copy   #                                         665 ns   0.2 %  memory copies
  launch #############################           218.0 us  75.9 %  launched, not started yet
  host   ######                                  44.00 us  15.3 %  the host had not launched yet
edges: stream_order 2, launch 2

MEMORY_COPY_HOST_TO_DEVICE 655 ns => gap 249.0 us (launch) => row_norms 15.86 us
  => row_peaks 8.831 us => MEMORY_COPY_DEVICE_TO_HOST 5 ns => gap 12.00 us (launch)
  => MEMORY_COPY_DEVICE_TO_HOST 5 ns

id       kernel     calls  path_calls  path us  share %  min_slack ns  gain_if_2x %
k1e0d77  row_norms      1           1   15.858    62.55             0          2.76
k987f2e  row_peaks      1           1    8.831    34.83             0          1.54
(2 rows, modelled)

! rpl -q -batch -ex 'open before/profile/results.db' -ex 'export profile -o again' && for f in profile roofline dag analysis; do diff -I '"recording"' -I '"run"' before/profile/$f.json again/$f.json; done
t1: 2 dispatches, 2 kernels, 1 stream, gfx942 x1, 25.69 us (rocpd 3)
wrote again
  profile.json   1.116 KiB  the kernel with most time
  roofline.json      627 B  0 rows and the ceilings
  dag.json       3.585 KiB  13 nodes, 18 edges
  analysis.json  1.231 KiB  2 kernels

# A thread trace.
$ att summary before/thread_trace
att1: row_scale, thread trace, 1 waves, 183 instructions executed, modelled by rpl-cycle/0.3 MI300X, gfx942, 2100 MHz
coverage: 1 of 304 compute units in 1 shader engine; 1 of 1 waves launched there (100.0 %)

where 8,642 wave-cycles went
  wait vmcnt       73.26 %  #####################################################
  wait lgkmcnt      9.45 %  #######
  issue             7.73 %  ######
  idle              4.95 %  ####
  drain             4.61 %  ###

states of the traced waves over 8,642 cycles
  EXEC  .     .=.      -  ..  -  -. .-  -  ..  -  ..  -  -  .-  -  ..  -  .     12.31 % of the time
  WAIT  =#####=.#######-##==##-##-###-##-##==##-##==##-##-###-##-##==##-##=###  87.32 % of the time
  STALL                                                                         0.00 % of the time
waves in flight on all compute units of 1 shader engine, 8,642 cycles
  waves ######################################################################  up to 1

pipe        executed            latency           stall/latency  cycles each
IMMED             18   9.8 %        7,148  87.0 %      100.0 %        397.1  ################
MESSAGE            1   0.5 %          398   4.8 %        0.0 %        398.0  #
VALU              58  31.7 %          244   3.0 %        0.0 %          4.2  #
FLAT              48  26.2 %          192   2.3 %        0.0 %          4.0  #
SALU              36  19.7 %          144   1.8 %        0.0 %          4.0  #
JUMP              15   8.2 %           60   0.7 %        0.0 %          4.0  #
SMEM               4   2.2 %           16   0.2 %        0.0 %          4.0  #
NEXT               3   1.6 %           12   0.1 %        0.0 %          4.0  #

VALU 2.82 %, MFMA 0.00 % of the cycles in which a SIMD had a wave; IPC of a compute unit 0.021

unit     waves  busy_cycles  instructions      ipc  avg_waves
se0/cu0      1        8,642           183  0.02118          1
(1 row, modelled)
err: note: wave states are from the timelines, for lack of wstates files
err: note: modelled, not recorded: 1 of 1 workgroups simulated, on one compute unit of 304

$ att lines before/thread_trace --limit 5
att1: row_scale, thread trace, 1 waves, 183 instructions executed, modelled by rpl-cycle/0.3 MI300X
  cycles  stalled               line         source
100.00 %   87.0 %  ##########-- (no source)

$ att waits before/thread_trace --limit 5
att1: row_scale, thread trace, 1 waves, 183 instructions executed, modelled by rpl-cycle/0.3 MI300X
waits are 100.00 % of all stall. Mean cycles from the issue of an instruction to the end of the wait: exact for the youngest waited for, an upper bound for others
   stall      mean     executed  line  wait, and what it waited for
 88.57 %     395.7           16    28  s_waitcnt vmcnt(0)
             411.7           16    24  - global_load_dword v7, v[0:1], off
             415.7           16    23  - global_load_dword v6, v[2:3], off
             410.1           15    30  - global_store_dword v[4:5], v6, off
 11.12 %     795.0            1     3  s_waitcnt lgkmcnt(0)
             799.0            1     2  - s_load_dwordx2 s[4:5], s[0:1], 0x18
             803.0            1     1  - s_load_dword s3, s[0:1], 0x2c
  0.31 %      22.0            1    17  s_waitcnt lgkmcnt(0)
              50.0            1    13  - s_load_dwordx2 s[2:3], s[0:1], 0x10
              54.0            1    12  - s_load_dwordx4 s[8:11], s[0:1], 0x0

# What a person left: typed lines, the script of them, a project that is trusted.
! mkdir -p $HOME/.local/state/rpl before/person/project/.rpl && cp before/person/history before/person/trusted $HOME/.local/state/rpl && echo 'echo the project is set up' > before/person/project/.rpl/init.rpl

$ show commands
number  line
     1  record start typed.rpl
     2  set emu gpu MI250X
     3  capture open ../optimization/frozen
     4  capture regions
     5  record stop
     6  quit
(6 rows)

! cd before/person && rpl -batch -x typed.rpl
c1: softmax on gfx942, 64 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 48.75 KiB, post image
region      base            size KiB  changed KiB  first_offset  kind  owner  flags
argument 1  0x7f0000000000      16.2          0.0             -  -     -      -
argument 2  0x7f0000015000      16.2         16.2             0  -     -      -
(2 rows, recorded)

! cd before/person/project && rpl -batch -ex 'echo it ran'
the project is set up
it ran
