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
rejected  0

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
propose  o1   29 proposals, p1 to p29
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
              and 19 more; 'info proposals' lists them
              vector-load: line 15: the loop writes memory, which may be what it reads
              split-sums: line 15: its turns store to memory and are apart already
              nontemporal: line 11: 'in' may be read more than once, which caches are for
              more by restrict, launch-bounds with --assume-captured; 'propose rule restrict' says what that takes to hold
              nothing by invariant-hoist, register-rows, swap-lanes, lds-tile, lds-transpose, lds-atomics, float-literals, lds-padding; 'propose rule invariant-hoist' says why
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
verify   p1   left out: 1.137 times as fast on the captured input (modelled)
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
verify   p2   left out: 1.218 times as fast on the captured input (modelled)
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
    {"stage": "verify", "about": "p3", "passed": true, "found": "16640 elements equal bit by bit on 24 input sets", "line": null},
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
rejected    p5   unroll the loop in line 13 by 2: undecided, 1.044 times as fast
rejected    p6   unroll the loop in line 13 by 4: undecided, 1.064 times as fast
rejected    p7   unroll the loop in line 13 by 8: undecided, 1.072 times as fast
rejected    p8   keep the loop in line 13 rolled: not worth running: the compiler made the same 109 instructions of both sources
rejected    p9   unroll the loop in line 15 by 2: undecided, 1.000 times as fast
rejected    p10  unroll the loop in line 15 by 4: undecided, 1.000 times as fast
rejected    p11  unroll the loop in line 15 by 8: undecided, 1.000 times as fast
rejected    p12  keep the loop in line 15 rolled: not worth running: the compiler made the same 109 instructions of both sources
accepted    p13  read 16 bytes at once in 2 loops: 1.316 times as fast
rejected    p14  read 16 bytes at once in the loop in line 11: undecided, 1.219 times as fast
rejected    p15  read 16 bytes at once in the loop in line 13: undecided, 1.064 times as fast
accepted    p16  a wave takes each row, and its lanes share out the loops in lines 11, 13 and 15: 23.993 times as fast
rejected    p17  launch with workgroups of 128 work-items: undecided, 0.973 times as fast
rejected    p18  launch with workgroups of 256 work-items: undecided, 1.062 times as fast
rejected    p19  four sums in the loop in line 11: undecided, 1.206 times as fast
rejected    p20  four sums in the loop in line 13: undecided, 1.066 times as fast
rejected    p21  store to out past the caches: undecided, 1.000 times as fast
rejected    p22  ask for 8 waves of a SIMD: not worth running: the compiler made the same 109 instructions of both sources
rejected    p23  ask for 4 waves of a SIMD: not worth running: the compiler made the same 109 instructions of both sources
rejected    p24  limit occupancy to 2 waves per SIMD: not worth running: the compiler made the same 109 instructions of both sources
accepted    p25  compile with -mllvm -unroll-runtime: 1.378 times as fast
rejected    p26  compile with -fno-unroll-loops: not worth running: the compiler made the same 109 instructions of both sources
rejected    p27  compile with -mllvm -amdgpu-schedule-metric-bias=100: not worth running: the compiler made the same 109 instructions of both sources
rejected    p28  compile with -mllvm -amdgpu-disable-unclustered-high-rp-reschedule: not worth running: the compiler made the same 109 instructions of both sources
rejected    p29  compile with -O2: not worth running: the compiler made the same 109 instructions of both sources
best     p16  23.993 times as fast: a wave takes each row, and its lanes share out the loops in lines 11, 13 and 15
next     p16  'approve p16 --accept-modelled' writes it

(rpl) info proposals
open      0
accepted  4
rejected  25

id   title                                                              state     verdict    ratio x
p1   unroll the loop in line 11 by 2                                    rejected  undecided    1.137
p2   unroll the loop in line 11 by 4                                    rejected  undecided    1.218
p3   unroll the loop in line 11 by 8                                    accepted  improved     1.261
p4   keep the loop in line 11 rolled                                    rejected  -                -
p5   unroll the loop in line 13 by 2                                    rejected  undecided    1.044
p6   unroll the loop in line 13 by 4                                    rejected  undecided    1.064
p7   unroll the loop in line 13 by 8                                    rejected  undecided    1.072
p8   keep the loop in line 13 rolled                                    rejected  -                -
p9   unroll the loop in line 15 by 2                                    rejected  undecided    1.000
p10  unroll the loop in line 15 by 4                                    rejected  undecided    1.000
p11  unroll the loop in line 15 by 8                                    rejected  undecided    1.000
p12  keep the loop in line 15 rolled                                    rejected  -                -
p13  read 16 bytes at once in 2 loops                                   accepted  improved     1.316
p14  read 16 bytes at once in the loop in line 11                       rejected  undecided    1.219
p15  read 16 bytes at once in the loop in line 13                       rejected  undecided    1.064
p16  a wave takes each row, and its l..he loops in lines 11, 13 and 15  accepted  improved    23.993
p17  launch with workgroups of 128 work-items                           rejected  undecided    0.973
p18  launch with workgroups of 256 work-items                           rejected  undecided    1.062
p19  four sums in the loop in line 11                                   rejected  undecided    1.206
p20  four sums in the loop in line 13                                   rejected  undecided    1.066
p21  store to out past the caches                                       rejected  undecided    1.000
p22  ask for 8 waves of a SIMD                                          rejected  -                -
p23  ask for 4 waves of a SIMD                                          rejected  -                -
p24  limit occupancy to 2 waves per SIMD                                rejected  -                -
p25  compile with -mllvm -unroll-runtime                                accepted  improved     1.378
p26  compile with -fno-unroll-loops                                     rejected  -                -
p27  compile with -mllvm -amdgpu-schedule-metric-bias=100               rejected  -                -
p28  compile with -mllvm -amdgpu-disa..-unclustered-high-rp-reschedule  rejected  -                -
p29  compile with -O2                                                   rejected  -                -
(29 rows; no room for origin, decided_at, why: /v)

(rpl) info proposal p3
p3  accepted  unroll the loop in line 11 by 8
8 iterations in one: independent loads and arithmetic overlap, less loop overhead
improved (modelled): 1.261 times as fast by rpl-cycle/0.5 MI300X; no silicon took part
the gain: less with other scalar arguments
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
m13  p13            74.241        56.428  modelled     improved     1.316     1.044      1.658
m14  p14            74.241        60.923  modelled     undecided    1.219     0.967      1.535
m15  p15            74.241        69.746  modelled     undecided    1.064     0.845      1.341
m16  p16            74.241         3.094  modelled     improved    23.993    19.042     30.231
m17  p17            74.241        76.306  modelled     undecided    0.973     0.772      1.226
m18  p18            74.241        69.933  modelled     undecided    1.062     0.843      1.338
m19  p19            74.241        61.578  modelled     undecided    1.206     0.957      1.519
m20  p20            74.241        69.637  modelled     undecided    1.066     0.846      1.343
m21  p21            74.241        74.241  modelled     undecided    1.000     0.794      1.260
m25  p25            74.241        53.867  modelled     improved     1.378     1.094      1.737
(19 rows; no room for floor, model, about: /v, modelled)

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
29 proposals, p1 to p29
p3	accepted	improved	true
approved
reverted

# Commands that wait for nothing, for CI.
$ --session third -batch -ex 'iterate --source softmax.hip --capture frozen --to propose' -ex 'finish p4'
profile  o1   baseline built and equal to the capture: 155906 cycles, 15244 wave-instructions
select   o1   softmax is the only kernel of this capture; a wave waits 131324 cycles for memory and 902 for LDS
propose  o1   29 proposals, p1 to p29
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
              and 19 more; 'info proposals' lists them
              vector-load: line 15: the loop writes memory, which may be what it reads
              split-sums: line 15: its turns store to memory and are apart already
              nontemporal: line 11: 'in' may be read more than once, which caches are for
              more by restrict, launch-bounds with --assume-captured; 'propose rule restrict' says what that takes to hold
              nothing by invariant-hoist, register-rows, swap-lanes, lds-tile, lds-transpose, lds-atomics, float-literals, lds-padding; 'propose rule invariant-hoist' says why
next     p1   guard
guard    p4   only the body of softmax changed
build    p4   compiled for gfx942
screen   p4   not worth running: the compiler made the same 109 instructions of both sources
         p4   rejected: keep the loop in line 11 rolled
next     p1   guard
? 4
