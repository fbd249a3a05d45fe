# A faster kernel that needs more of the machine: a warning, a rejection, or nothing, as is asked for.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip

$ build /q softmax.hip --device-only --arch gfx942 -o softmax.co
softmax.co

$ kernel run /q softmax.co softmax --grid 64 --workgroup 64 --arg 'f32:random(1):4160' --arg f32:zero:4160 --arg i32:64 --arg i32:65 --capture frozen
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ --session warned -batch -ex 'set optimize scope v1' -ex 'iterate --source softmax.hip --capture frozen --to propose'
profile  o1   baseline built and equal to the capture: 155906 cycles, 3811 wave-instructions
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
              and 2 more; 'info proposals' lists them
next     p1   guard

$ --session warned finish p3
guard    p3   only the body of softmax changed
build    p3   compiled for gfx942
screen   p3   vgprs 13 -> 16, instructions 109 -> 142
verify   p3   4160 elements equal bit by bit on 14 input sets
measure  p3   155906 -> 123596 cycles, 3811 -> 3286 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 16 VGPRs: 23 % more, 20 % are allowed
decide   p3   improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000
         p3   accepted: unroll the loop in line 11 by 8
next     p1   guard

$ --session warned info proposal p3
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

$ --session gated -batch -ex 'set optimize resource-gate on' -ex 'iterate /q --source softmax.hip --capture frozen --to propose' -ex 'finish p3'
null
guard    p3   only the body of softmax changed
build    p3   compiled for gfx942
screen   p3   vgprs 13 -> 16, instructions 109 -> 142
verify   p3   4160 elements equal bit by bit on 14 input sets
measure  p3   155906 -> 123596 cycles, 3811 -> 3286 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 16 VGPRs: 23 % more, 20 % are allowed
decide   p3   improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000; 13 -> 16 VGPRs: 23 % more, 20 % are allowed
         p3   rejected: unroll the loop in line 11 by 8
next     p1   guard
? 4

$ --session quiet -batch -ex 'set optimize resource-gate off' -ex 'iterate /q --source softmax.hip --capture frozen --to propose' -ex 'finish p3'
null
guard    p3   only the body of softmax changed
build    p3   compiled for gfx942
screen   p3   vgprs 13 -> 16, instructions 109 -> 142
verify   p3   4160 elements equal bit by bit on 14 input sets
measure  p3   155906 -> 123596 cycles, 3811 -> 3286 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p3   improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000
         p3   accepted: unroll the loop in line 11 by 8
next     p1   guard

$ set optimize resource-gate perhaps
err: error: optimize resource-gate takes one of on, warn, off, not 'perhaps'; 'set optimize resource-gate warn' restores the default
? 2

$ --session warned export evidence p3 -o p3.tar.zst
wrote p3.tar.zst: the evidence of p3

$ audit p3.tar.zst
intact            yes
proposal          p3
kernel            softmax
title             unroll the loop in line 11 by 8
program           rpl 0.1.0
time_source       modelled
model             rpl-cycle/0.5 MI300X
recorded_verdict  improved
verdict           improved
ratio             1.261 x
ci_low            1.001 x
ci_high           1.589 x
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
verdict           yes     improved again, ratio 1.2614
floor             yes     58855.2 ns are not faster than the machine can
other inputs      yes     the gain is there, too
patch             yes     is the difference of the two sources
code              yes     other machine code of the same interface
(13 rows, recorded)
