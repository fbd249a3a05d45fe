# The whole loop on a kernel whose loops have trip counts known at run time only: run and capture it, step through the proposals of the
# rules, approve the best, replay the capture with the new code.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip

$ build /q softmax.hip --device-only --arch gfx942 -o softmax.co
softmax.co

$ kernel run /q softmax.co softmax --grid 256 --workgroup 64 --arg 'f32:random(1):16640' --arg f32:zero:16640 --arg i32:256 --arg i32:65 --capture frozen
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

# Nothing to step yet.
(rpl) step
err: error: the program is not being run: no kernel is stopped; 'break KERNEL' and 'kernel run OBJECT KERNEL …' or 'replay CAPTURE', or either with --stop; or 'step --source FILE.hip --capture DIR' begins an optimization

(rpl) info proposals
open      0
accepted  0

id  origin  title  state  verdict  ratio x  decided_at  why
(0 rows)
err: note: no proposal yet: 'step --source FILE.hip --capture DIR' begins

# By prompt, one stage at a time.
(rpl) step --source softmax.hip --capture frozen
profile  o1   baseline built and equal to the capture: 155906 cycles, 15244 wave-instructions
next     o1   select

(rpl) step
select   o1   softmax is the only kernel of this capture; a wave waits 131324 cycles for memory and 902 for LDS
next     o1   propose

(rpl) step
propose  o1   12 proposals, p1 to p12
              p1   unroll the loop in line 11 by 2
              p2   unroll the loop in line 11 by 4
              p3   unroll the loop in line 11 by 8
              p4   keep the loop in line 11 rolled
              p5   unroll the loop in line 13 by 2
              p6   unroll the loop in line 13 by 4
              p7   unroll the loop in line 13 by 8
              p8   keep the loop in line 13 rolled
              p9   unroll the loop in line 15 by 2
              p10  unroll the loop in line 15 by 4
              p11  unroll the loop in line 15 by 8
              p12  keep the loop in line 15 rolled
next     p1   guard

(rpl) step
guard    p1   only the body of softmax changed
next     p1   build

(rpl) next
build    p1   compiled for gfx942
next     p1   screen

(rpl) step
screen   p1   instructions 109 -> 125
next     p1   verify

(rpl) step
verify   p1   16640 elements equal bit by bit on 10 input sets
next     p1   measure

(rpl) step
measure  p1   155906 -> 137146 cycles, 15244 -> 13616 wave-instructions (rpl-cycle/0.5 MI300X)
next     p1   decide

(rpl) step
decide   p1   undecided (modelled): 1.137 times as fast, 0.902 to 1.432 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p1   rejected: unroll the loop in line 11 by 2
next     p2   guard

# Other programs continue where that one ended.
$ finish
guard    p2   only the body of softmax changed
build    p2   compiled for gfx942
screen   p2   instructions 109 -> 138
verify   p2   16640 elements equal bit by bit on 10 input sets
measure  p2   155906 -> 127954 cycles, 15244 -> 13304 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p2   undecided (modelled): 1.218 times as fast, 0.967 to 1.535 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p2   rejected: unroll the loop in line 11 by 4
next     p3   guard
? 4

$ finish p3 --json
{
  "schema": "rpl.finish/1",
  "optimization": "o1",
  "kernel": "softmax",
  "source": "softmax.hip",
  "stage": "decide",
  "proposal": "p3",
  "state": "accepted",
  "passed": true,
  "found": "improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000",
  "verdict": "improved",
  "ratio": 1.2614162270623646,
  "ci_low": 1.0011239897320354,
  "ci_high": 1.5893844460985793,
  "floor": 0.0,
  "model": "rpl-cycle/0.5 MI300X",
  "next_stage": "guard",
  "best": null,
  "next_proposal": "p4",
  "rows": [
    {"stage": "guard", "about": "p3", "passed": true, "found": "only the body of softmax changed", "line": null},
    {"stage": "build", "about": "p3", "passed": true, "found": "compiled for gfx942", "line": null},
    {"stage": "screen", "about": "p3", "passed": true, "found": "vgprs 13 -> 16, instructions 109 -> 142", "line": null},
    {"stage": "verify", "about": "p3", "passed": true, "found": "16640 elements equal bit by bit on 10 input sets", "line": null},
    {"stage": "measure", "about": "p3", "passed": true, "found": "155906 -> 123596 cycles, 15244 -> 13144 wave-instructions (rpl-cycle/0.5 MI300X)", "line": null},
    {"stage": "measure", "about": "p3", "passed": true, "found": "warning: 13 -> 16 VGPRs: 23 % more, 20 % are allowed", "line": null},
    {"stage": "decide", "about": "p3", "passed": true, "found": "improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000", "line": null}
  ],
  "notes": [],
  "provenance": "modelled"
}

$ continue --limit 1
guard    p4   only the body of softmax changed
build    p4   compiled for gfx942
screen   p4   not worth running: the compiler made the same 109 instructions of both sources
         p4   rejected: keep the loop in line 11 rolled
next     p5   guard

(rpl) continue
guard    p5   only the body of softmax changed
build    p5   compiled for gfx942
screen   p5   vgprs 13 -> 17, sgprs 15 -> 18, instructions 109 -> 159
verify   p5   16640 elements equal bit by bit on 10 input sets
measure  p5   155906 -> 149370 cycles, 15244 -> 13992 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 17 VGPRs: 31 % more, 20 % are allowed
decide   p5   undecided (modelled): 1.044 times as fast, 0.828 to 1.315 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p5   rejected: unroll the loop in line 13 by 2
guard    p6   only the body of softmax changed
build    p6   compiled for gfx942
screen   p6   vgprs 13 -> 25, sgprs 15 -> 24, instructions 109 -> 200
verify   p6   16640 elements equal bit by bit on 10 input sets
measure  p6   155906 -> 146494 cycles, 15244 -> 13648 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 25 VGPRs: 92 % more, 20 % are allowed
decide   p6   undecided (modelled): 1.064 times as fast, 0.845 to 1.341 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p6   rejected: unroll the loop in line 13 by 4
guard    p7   only the body of softmax changed
build    p7   compiled for gfx942
screen   p7   vgprs 13 -> 41, sgprs 15 -> 32, instructions 109 -> 262
verify   p7   16640 elements equal bit by bit on 10 input sets
measure  p7   155906 -> 145406 cycles, 15244 -> 13520 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 41 VGPRs: 215 % more, 20 % are allowed
decide   p7   undecided (modelled): 1.072 times as fast, 0.851 to 1.351 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p7   rejected: unroll the loop in line 13 by 8
guard    p8   only the body of softmax changed
build    p8   compiled for gfx942
screen   p8   not worth running: the compiler made the same 109 instructions of both sources
         p8   rejected: keep the loop in line 13 rolled
guard    p9   only the body of softmax changed
build    p9   compiled for gfx942
screen   p9   vgprs 13 -> 15, sgprs 15 -> 17, instructions 109 -> 165
verify   p9   16640 elements equal bit by bit on 10 input sets
measure  p9   155906 -> 155934 cycles, 15244 -> 14648 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p9   undecided (modelled): 1.000 times as fast, 0.794 to 1.260 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p9   rejected: unroll the loop in line 15 by 2
guard    p10  only the body of softmax changed
build    p10  compiled for gfx942
screen   p10  vgprs 13 -> 15, sgprs 15 -> 20, instructions 109 -> 214
verify   p10  16640 elements equal bit by bit on 10 input sets
measure  p10  155906 -> 155934 cycles, 15244 -> 14604 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p10  undecided (modelled): 1.000 times as fast, 0.794 to 1.260 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p10  rejected: unroll the loop in line 15 by 4
guard    p11  only the body of softmax changed
build    p11  compiled for gfx942
screen   p11  vgprs 13 -> 15, sgprs 15 -> 20, instructions 109 -> 294
verify   p11  16640 elements equal bit by bit on 10 input sets
measure  p11  155906 -> 155934 cycles, 15244 -> 14316 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p11  undecided (modelled): 1.000 times as fast, 0.794 to 1.260 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p11  rejected: unroll the loop in line 15 by 8
guard    p12  only the body of softmax changed
build    p12  compiled for gfx942
screen   p12  not worth running: the compiler made the same 109 instructions of both sources
         p12  rejected: keep the loop in line 15 rolled
best     p3   1.261 times as fast: unroll the loop in line 11 by 8

(rpl) info proposals
open      0
accepted  1

id   origin  title                     state     verdict    ratio x  decided_at
p1   rule    unroll the ..ine 11 by 2  rejected  undecided    1.137  decide
p2   rule    unroll the ..ine 11 by 4  rejected  undecided    1.218  decide
p3   rule    unroll the ..ine 11 by 8  accepted  improved     1.261  -
p4   rule    keep the lo..e 11 rolled  rejected  -                -  screen
p5   rule    unroll the ..ine 13 by 2  rejected  undecided    1.044  decide
p6   rule    unroll the ..ine 13 by 4  rejected  undecided    1.064  decide
p7   rule    unroll the ..ine 13 by 8  rejected  undecided    1.072  decide
p8   rule    keep the lo..e 13 rolled  rejected  -                -  screen
p9   rule    unroll the ..ine 15 by 2  rejected  undecided    1.000  decide
p10  rule    unroll the ..ine 15 by 4  rejected  undecided    1.000  decide
p11  rule    unroll the ..ine 15 by 8  rejected  undecided    1.000  decide
p12  rule    keep the lo..e 15 rolled  rejected  -                -  screen
(12 rows; no room for why: /v)

(rpl) info proposal p3
p3  accepted  unroll the loop in line 11 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
improved (modelled): 1.261 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
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

(rpl) info measurements
id   proposal  baseline us  candidate us  time_source  verdict    ratio x  ci_low x  ci_high x
m1   p1             74.241        65.308  modelled     undecided    1.137     0.902      1.432
m2   p2             74.241        60.930  modelled     undecided    1.218     0.967      1.535
m3   p3             74.241        58.855  modelled     improved     1.261     1.001      1.589
m5   p5             74.241        71.129  modelled     undecided    1.044     0.828      1.315
m6   p6             74.241        69.759  modelled     undecided    1.064     0.845      1.341
m7   p7             74.241        69.241  modelled     undecided    1.072     0.851      1.351
m9   p9             74.241        74.254  modelled     undecided    1.000     0.794      1.260
m10  p10            74.241        74.254  modelled     undecided    1.000     0.794      1.260
m11  p11            74.241        74.254  modelled     undecided    1.000     0.794      1.260
(9 rows; no room for floor, model, about: /v, modelled)

# A gain that a model computed needs a second yes.
$ --allow approve approve p3
err: error: p3 was timed by the model rpl-cycle/0.5 MI300X, not on a GPU; 'approve p3 --accept-modelled' writes it all the same
? 1

$ --allow approve approve p4
err: error: p4 is rejected, not accepted; 'info proposal p4' shows why
? 1

$ --allow approve approve p3 --accept-modelled
p3 is in softmax.hip; 'revert p3' takes it back

! grep -n -B1 'highest = fmaxf' softmax.hip
11-  #pragma unroll 8
12:  for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);

$ build /q softmax.hip --device-only --arch gfx942 -o faster.co
faster.co

$ replay frozen --hsaco faster.co
capture               c1
kernel                name softmax, hsaco_path faster.co
execution             iterations 1, mode stateless
timing                unit microseconds, average 58.86, min 58.86, max 58.86, median 58.86, p5 58.86, p95 58.86, stdev 0
target                emu
median                58.855 us
time_source           modelled
post_image            matched
model                 rpl-cycle/0.5 MI300X
cycles                123,596 cycles
time                  58.855 us
time_low              48.850 us
time_high             75.335 us
time_class            latency
simulated_workgroups  1
workgroups            4
waves                 4
instructions          13,144
by_class              valu 8,312, transcendental 524, salu 1,232, smem 12, vmem 848, branch 580, wait 592, other 1,044
lane_share            100.00 %
load                  195.0 KiB
store                 65.0 KiB
transactions          55,040
lds_accesses          0
lds_conflicts         0 cycles
atomics               0

region      base            size KiB  post_image  differing B  first_offset
argument 1  0x7f0000000000      65.0  matched               -             -
argument 2  0x7f0000021000      65.0  matched               -             -
(2 rows, modelled)
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

# What was proposed for the old source is not for the new one.
$ --allow approve approve p7 --accept-modelled
err: error: p7 is rejected, not accepted; 'info proposal p7' shows why
? 1

$ --allow approve revert p3
softmax.hip is as it was before p3

! cmp softmax.hip softmax_example.hip && echo as before
as before

$ --allow approve revert p3
err: error: p3 is reverted, not approved
? 1

# The same by Lua, in another session.
# file loop.lua:
#| local begun = rpl.cmd.iterate{source = "softmax.hip", capture = "frozen", to = "propose"}
#| print(begun.found)
#| local p = rpl.cmd.finish{"p3"}
#| print(p.proposal, p.state, p.verdict, p.ratio > 1.2)
#| print(rpl.cmd.approve{"p3", accept_modelled = true}.state)
#| print(rpl.cmd.revert{"p3"}.state)
$ --session other -batch --allow approve -x loop.lua
12 proposals, p1 to p12
p3	accepted	improved	true
approved
reverted

# Commands that wait for nothing, for CI.
$ --session third -batch -ex 'iterate --source softmax.hip --capture frozen --to propose' -ex 'finish p4'
profile  o1   baseline built and equal to the capture: 155906 cycles, 15244 wave-instructions
select   o1   softmax is the only kernel of this capture; a wave waits 131324 cycles for memory and 902 for LDS
propose  o1   12 proposals, p1 to p12
              p1   unroll the loop in line 11 by 2
              p2   unroll the loop in line 11 by 4
              p3   unroll the loop in line 11 by 8
              p4   keep the loop in line 11 rolled
              p5   unroll the loop in line 13 by 2
              p6   unroll the loop in line 13 by 4
              p7   unroll the loop in line 13 by 8
              p8   keep the loop in line 13 rolled
              p9   unroll the loop in line 15 by 2
              p10  unroll the loop in line 15 by 4
              p11  unroll the loop in line 15 by 8
              p12  keep the loop in line 15 rolled
next     p1   guard
guard    p4   only the body of softmax changed
build    p4   compiled for gfx942
screen   p4   not worth running: the compiler made the same 109 instructions of both sources
         p4   rejected: keep the loop in line 11 rolled
next     p1   guard
? 4
