# Your own check of a proposal: a command that finds the candidate's files in its environment, or a listener of `verify`. Either rejects with its reason.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip

$ build /q softmax.hip --device-only --arch gfx942 -o softmax.co
softmax.co

$ kernel run /q softmax.co softmax --grid 64 --workgroup 64 --arg 'f32:random(1):4160' --arg f32:zero:4160 --arg i32:64 --arg i32:65 --capture frozen
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ iterate /q --source softmax.hip --capture frozen --to propose
null

# The command is the shell's; its $words are not expanded here.
# file check.sh:
#| set -e
#| echo "$RPL_CHECK_STAGE $RPL_CHECK_PROPOSAL $RPL_CHECK_KERNEL $RPL_CHECK_ARCH, application: ${RPL_CHECK_PROGRAM-none}" > asked
#| grep -q 'unroll 8' "$RPL_CHECK_CANDIDATE_SOURCE"
#| cmp -s "$RPL_CHECK_SOURCE" "$RPL_CHECK_BASE_SOURCE"
#| "$RPL" kernel run /q "$RPL_CHECK_CANDIDATE_OBJECT" "$RPL_CHECK_KERNEL" --grid 64 --workgroup 64 --arg f32:iota:320 --arg f32:zero:320 --arg i32:64 --arg i32:5 --dump 2=found > time
#| test -s found
! RPL="$(command -v rpl)" rpl finish p3 --check-cmd 'sh check.sh'
guard    p3   only the body of softmax changed
build    p3   compiled for gfx942
screen   p3   vgprs 13 -> 16, instructions 109 -> 142
verify   p3   4160 elements equal bit by bit on 14 input sets, and your check agrees
measure  p3   155906 -> 123596 cycles, 3811 -> 3286 wave-instructions (rpl-cycle/0.5 MI300X)
              warning: 13 -> 16 VGPRs: 23 % more, 20 % are allowed
decide   p3   improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000
         p3   accepted: unroll the loop in line 11 by 8
next     p1   guard

! cat asked
verify p3 softmax gfx942, application: none

$ verify p2 --check-cmd 'echo checking >&2; echo "row 7 does not sum to 1: $RPL_CHECK_PROPOSAL" >&2; exit 3'
guard    p2   only the body of softmax changed
build    p2   compiled for gfx942
screen   p2   instructions 109 -> 138
verify   p2   refused by your check: 'echo checking >&2; echo "row 7 does not sum to 1: $RPL_CHECK_PROPOSAL" >&2; exit 3' ended with status 3: row 7 does not sum to 1: p2
         p2   rejected: unroll the loop in line 11 by 4
next     p1   guard
? 5

$ info proposals /c --limit 3
id,optimization,origin,title,state,verdict,ratio,decided_at,why
p1,o1,rule,unroll the loop in line 11 by 2,proposed,,,,
p2,o1,rule,unroll the loop in line 11 by 4,rejected,,,verify,"'echo checking >&2; echo ""row 7 does not sum to 1: $RPL_CHECK_PROPOSAL"" >&2; exit 3' ended with status 3: row 7 does not sum to 1: p2"
p3,o1,rule,unroll the loop in line 11 by 8,accepted,improved,1.2614162270623646,,

$ -batch -ex 'set optimize check-cmd false' -ex 'verify p5'
guard    p5   only the body of softmax changed
build    p5   compiled for gfx942
screen   p5   vgprs 13 -> 17, sgprs 15 -> 18, instructions 109 -> 159
verify   p5   refused by your check: 'false' ended with status 1
         p5   rejected: unroll the loop in line 13 by 2
next     p1   guard
? 5

# file listener.lua:
#| rpl.on("verify", function(about)
#|   if about.proposal == "p5" then return false, about.kernel .. " loses accuracy in " .. about.stage end
#| end)
$ -batch -x listener.lua -ex 'finish p5'
err: error: p5 is rejected already; 'info proposal p5' shows what was found
? 2

$ -batch -x listener.lua -ex 'verify p6'
guard    p6   only the body of softmax changed
build    p6   compiled for gfx942
screen   p6   vgprs 13 -> 25, sgprs 15 -> 24, instructions 109 -> 200
verify   p6   4160 elements equal bit by bit on 13 input sets, and your check agrees
next     p1   guard

# The option holds for one command: the setting is again what it was.
$ -batch -ex 'verify p7 --check-cmd true' -ex 'show optimize check-cmd'
guard    p7   only the body of softmax changed
build    p7   compiled for gfx942
screen   p7   vgprs 13 -> 41, sgprs 15 -> 32, instructions 109 -> 262
verify   p7   4160 elements equal bit by bit on 13 input sets, and your check agrees
next     p1   guard
setting             value  default  takes  description
optimize check-cmd      -        -  text   your own check of a proposal..name its files; empty: none
(1 row)
