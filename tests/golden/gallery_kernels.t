# Scripts of the gallery that build and run kernels.
# modelled
# long
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
# example captured: captures/softmax
# example softmax.jsonl: cassettes/softmax.jsonl
! cat softmax_example.hip > softmax.hip

# Flags and constants on a captured dispatch.
$ -batch -x sweep.lua -- softmax.hip captured --try -O0 --try=-O3 --try='-O3 -ffast-math' --try=-fno-such-flag
best     -O3
verdict  equivalent
ratio    1.000 x

flags            state      median us  object      why
-O0              right        412.644  sweep/1.co  -
-O3              right         61.252  sweep/2.co  -
-O3 -ffast-math  differs       51.915  sweep/3.co  -
-fno-such-flag   not built          -  -           clang: unknown argument: '-fno-such-flag'
(4 rows, modelled)
? 4

$ -batch -x sweep.lua -- softmax.hip captured --define UNROLL
err: error: --define takes NAME=VALUE,VALUE, not 'UNROLL'; --define TILE=8,16,32
? 2

# Two builds of one kernel.
! rpl build softmax.hip --device-only -o fast.co > built.txt; rpl build softmax.hip --device-only --flag=-O0 -o slow.co > built.txt; sed 's/ \* scale;/ * scale * 2;/' softmax.hip > wrong.hip; rpl build wrong.hip --device-only -o wrong.co > built.txt; ls *.co
fast.co
slow.co
wrong.co

$ -batch -x regression.lua -- slow.co fast.co captured
capture   kernel   verdict   ratio x  ci_low x  ci_high x  why
captured  softmax  improved    6.737     5.347      8.488  -
(1 row, modelled)

$ -batch -x regression.lua -- fast.co slow.co captured
capture   kernel   verdict     ratio x  ci_low x  ci_high x  why
captured  softmax  regression    0.148     0.118      0.187  -
(1 row, modelled)
? 3

$ -batch -x regression.lua -- fast.co wrong.co captured
capture   kernel  verdict  ratio x  ci_low x  ci_high x  why
captured  -       wrong          -         -          -  after the timed runs ..2, found 0.048902024
(1 row, modelled)
? 5

$ -batch -x regression.lua -- fast.co nosuch.co captured
err: error: no code object 'nosuch.co'; open: o1 (fast.co)
? 1

# A model within a budget: the replies are recorded.
$ -batch -x model_loop.lua -- softmax.hip captured --cassette softmax.jsonl --rounds 2
best     p3
ratio    3.378 x
stopped  2 iterations: --max-iters raises it

proposal  stage    state     found
p1        guard    guarded   only the body of softmax changed
p1        build    rejected  it does not compile: /tmp/rpl-test-.. 'higest'; did you mean 'highest'?
p2        guard    guarded   only the body of softmax changed
p2        build    built     compiled for gfx942
p2        screen   screened  vgprs 13 -> 25, sgprs 15 -> 24, instructions 109 -> 229
p2        verify   verified  8192 elements within tolerance on 10 input sets, and your check agrees
p2        measure  measured  128630 -> 110554 cycles, 7506 -> 57..nstructions (rpl-cycle/0.5 MI300X)
p2        decide   rejected  undecided (modelled): 1.164 times a...000 is needed, and a GPU can tell
p3        guard    guarded   only the body of softmax changed
p3        build    built     compiled for gfx942
p3        screen   screened  vgprs 13 -> 43, sgprs 15 -> 33, instructions 109 -> 435
p3        verify   verified  8192 elements within tolerance on 10 input sets, and your check agrees
p3        measure  measured  128630 -> 38078 cycles, 7506 -> 458..nstructions (rpl-cycle/0.5 MI300X)
p3        decide   accepted  improved (modelled): 3.378 times as..odel's band, all of it above 1.000
(14 rows, modelled)

$ --session other -batch -x model_loop.lua -- softmax.hip captured --cassette softmax.jsonl --rounds 1 --most-vgprs 16
best     -
ratio    -
stopped  1 iteration: --max-iters raises it

proposal  stage   state     found
p1        guard   guarded   only the body of softmax changed
p1        build   rejected  it does not compile: /tmp/rpl-test-..r 'higest'; did you mean 'highest'?
p2        guard   guarded   only the body of softmax changed
p2        build   built     compiled for gfx942
p2        screen  screened  vgprs 13 -> 25, sgprs 15 -> 24, instructions 109 -> 229
p2        verify  rejected  refused by your check: it needs 25 VGPRs, 16 are allowed
(6 rows, modelled)
? 4

! cmp softmax.hip softmax_example.hip && echo untouched
untouched
