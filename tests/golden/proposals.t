# Proposals one by one: made by a rule, checked, measured, and refused by a person.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip

$ build /q softmax.hip --device-only --arch gfx942 -o softmax.co
softmax.co

$ kernel run /q softmax.co softmax --grid 64 --workgroup 64 --arg 'f32:random(1):4160' --arg f32:zero:4160 --arg i32:64 --arg i32:65 --capture frozen
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ propose rule
err: error: no kernel is being optimized; 'step --source FILE.hip --capture DIR' begins; 'kernel run OBJECT KERNEL … --capture DIR' makes a capture
? 1

$ verify p3
err: error: no kernel is being optimized; 'step --source FILE.hip --capture DIR' begins; 'kernel run OBJECT KERNEL … --capture DIR' makes a capture
? 1

$ iterate --source softmax.hip --capture frozen --to select
profile  o1   baseline built and equal to the capture: 155906 cycles, 3811 wave-instructions
select   o1   softmax is the only kernel of this capture; a wave waits 131324 cycles for memory and 902 for LDS
next     o1   propose

$ propose rule /c
id,optimization,origin,title,state,verdict,ratio,decided_at,why
p1,o1,rule,unroll the loop in line 11 by 2,proposed,,,,
p2,o1,rule,unroll the loop in line 11 by 4,proposed,,,,
p3,o1,rule,unroll the loop in line 11 by 8,proposed,,,,
p4,o1,rule,keep the loop in line 11 rolled,proposed,,,,
p5,o1,rule,unroll the loop in line 13 by 2,proposed,,,,
p6,o1,rule,unroll the loop in line 13 by 4,proposed,,,,
p7,o1,rule,unroll the loop in line 13 by 8,proposed,,,,
p8,o1,rule,keep the loop in line 13 rolled,proposed,,,,
p9,o1,rule,unroll the loop in line 15 by 2,proposed,,,,
p10,o1,rule,unroll the loop in line 15 by 4,proposed,,,,
p11,o1,rule,unroll the loop in line 15 by 8,proposed,,,,
p12,o1,rule,keep the loop in line 15 rolled,proposed,,,,
p13,o1,rule,read 16 bytes at once in 2 loops,proposed,,,,
p14,o1,rule,read 16 bytes at once in the loop in line 11,proposed,,,,
p15,o1,rule,read 16 bytes at once in the loop in line 13,proposed,,,,
p16,o1,rule,"a wave takes each row, and its lanes share out the loops in lines 11, 13 and 15",proposed,,,,
p17,o1,rule,four sums in the loop in line 11,proposed,,,,
p18,o1,rule,four sums in the loop in line 13,proposed,,,,
p19,o1,rule,store to out past the caches,proposed,,,,
p20,o1,rule,ask for 8 waves of a SIMD,proposed,,,,
p21,o1,rule,ask for 4 waves of a SIMD,proposed,,,,
p22,o1,rule,limit occupancy to 2 waves per SIMD,proposed,,,,
p23,o1,rule,compile with -mllvm -unroll-runtime,proposed,,,,
p24,o1,rule,compile with -fno-unroll-loops,proposed,,,,
p25,o1,rule,compile with -mllvm -amdgpu-schedule-metric-bias=100,proposed,,,,
p26,o1,rule,compile with -mllvm -amdgpu-disable-unclustered-high-rp-reschedule,proposed,,,,
p27,o1,rule,compile with -O2,proposed,,,,
err: note: vector-load: line 15: the loop writes memory, which may be what it reads
err: note: split-sums: line 15: its turns store to memory and are apart already
err: note: nontemporal: line 11: 'in' may be read more than once, which caches are for
err: note: more by restrict, launch-bounds with --assume-captured; 'propose rule restrict' says what that takes to hold
err: note: nothing by invariant-hoist, register-rows, swap-lanes, lds-tile, lds-transpose, workgroup-size, lds-atomics, float-literals, lds-padding; 'propose rule invariant-hoist' says why

$ propose rule no-such-rule
err: error: no rule 'no-such-rule'; there are loop-unroll, lds-padding, vector-load, restrict, invariant-hoist, register-rows, wave-per-row, swap-lanes, lds-tile, lds-transpose, workgroup-size, fuse-launches, float-literals, split-sums, lds-atomics, nontemporal, launch-bounds, waves-per-eu, compiler-flags
? 2

$ verify p3
guard    p3   only the body of softmax changed
build    p3   compiled for gfx942
screen   p3   vgprs 13 -> 16, instructions 109 -> 142
verify   p3   4160 elements equal bit by bit on 12 input sets
next     p1   propose

$ bench /q p3
accepted

$ verify p99
err: error: no proposal 'p99'; there are p1 to p27: 'info proposals' lists them
? 1

$ reject p2
err: error: 'reject' needs the reason; usage: reject PROPOSAL --why WHY
? 2

$ reject p2 --why 'too hard to read'
p2 is rejected: too hard to read

$ reject p99 --why 'not there'
err: error: no proposal 'p99'; there are p1 to p27: 'info proposals' lists them
? 1

$ verify p2
err: error: p2 is rejected already; 'info proposal p2' shows what was found
? 2

$ info proposals /c
id,optimization,origin,title,state,verdict,ratio,decided_at,why
p1,o1,rule,unroll the loop in line 11 by 2,proposed,,,,
p2,o1,rule,unroll the loop in line 11 by 4,rejected,,,person,too hard to read
p3,o1,rule,unroll the loop in line 11 by 8,accepted,improved,1.2614162270623646,,
p4,o1,rule,keep the loop in line 11 rolled,proposed,,,,
p5,o1,rule,unroll the loop in line 13 by 2,proposed,,,,
p6,o1,rule,unroll the loop in line 13 by 4,proposed,,,,
p7,o1,rule,unroll the loop in line 13 by 8,proposed,,,,
p8,o1,rule,keep the loop in line 13 rolled,proposed,,,,
p9,o1,rule,unroll the loop in line 15 by 2,proposed,,,,
p10,o1,rule,unroll the loop in line 15 by 4,proposed,,,,
p11,o1,rule,unroll the loop in line 15 by 8,proposed,,,,
p12,o1,rule,keep the loop in line 15 rolled,proposed,,,,
p13,o1,rule,read 16 bytes at once in 2 loops,proposed,,,,
p14,o1,rule,read 16 bytes at once in the loop in line 11,proposed,,,,
p15,o1,rule,read 16 bytes at once in the loop in line 13,proposed,,,,
p16,o1,rule,"a wave takes each row, and its lanes share out the loops in lines 11, 13 and 15",proposed,,,,
p17,o1,rule,four sums in the loop in line 11,proposed,,,,
p18,o1,rule,four sums in the loop in line 13,proposed,,,,
p19,o1,rule,store to out past the caches,proposed,,,,
p20,o1,rule,ask for 8 waves of a SIMD,proposed,,,,
p21,o1,rule,ask for 4 waves of a SIMD,proposed,,,,
p22,o1,rule,limit occupancy to 2 waves per SIMD,proposed,,,,
p23,o1,rule,compile with -mllvm -unroll-runtime,proposed,,,,
p24,o1,rule,compile with -fno-unroll-loops,proposed,,,,
p25,o1,rule,compile with -mllvm -amdgpu-schedule-metric-bias=100,proposed,,,,
p26,o1,rule,compile with -mllvm -amdgpu-disable-unclustered-high-rp-reschedule,proposed,,,,
p27,o1,rule,compile with -O2,proposed,,,,

# A decision of a person can be taken back, and a round can build on what was accepted.
$ undo
p2 was rejected, now it is proposed again

(rpl) undo
err: error: no approval, reversal or rejection is left to undo; 'info proposals' shows how each stands

$ step --from p2
err: error: p2 is proposed: only what was accepted can be built on; 'info proposals' lists what there is
? 1

$ -batch -ex 'set optimize scope v1' -ex 'iterate --from p3 --to propose'
profile  o2   baseline built and equal to the capture: 123596 cycles, 3286 wave-instructions
select   o2   softmax is the only kernel of this capture; a wave waits 101798 cycles for memory and 902 for LDS
propose  o2   11 proposals, p28 to p38
              p28  unroll the loop in line 12 by 2
              p29  unroll the loop in line 12 by 4
              p30  keep the loop in line 12 rolled
              p31  unroll the loop in line 14 by 2
              p32  unroll the loop in line 14 by 4
              p33  unroll the loop in line 14 by 8
              p34  keep the loop in line 14 rolled
              p35  unroll the loop in line 16 by 2
              p36  unroll the loop in line 16 by 4
              p37  unroll the loop in line 16 by 8
              and 1 more; 'info proposals' lists them
next     p28  guard

$ step --from p3
guard    p28  only the body of softmax changed
next     p28  build

# A script may veto a measurement.
# file veto.lua:
#| rpl.on("before_bench", function(about) return false, about.proposal .. " is not measured at night" end)
$ -batch -x veto.lua -ex 'finish p13'
err: error: p13 is not measured at night
? 1

# Tab knows the proposals.
$ -batch -ex 'complete revert p38'
line
revert p38
(1 row)
