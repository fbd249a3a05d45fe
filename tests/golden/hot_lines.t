# What a model is told of an open thread trace of the kernel: its hottest lines, those that stand in the text still.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip; rpl build /q softmax.hip --device-only --arch gfx942 --flag=-g -o traced.co && rpl kernel run /q traced.co softmax --grid 128 --workgroup 64 --arg 'f32:random(1):8192' --arg f32:zero:8192 --arg i32:128 --arg i32:64 --att traced
traced.co
61252.380952380954
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 1 of 2 workgroups simulated, on one compute unit of 304

! rpl -batch -ex 'att open /q traced' -ex 'prompt /q softmax.hip traced.co' | sed -n '/Hottest/,/Machine/p'
\## Hottest lines

- by: a thread trace of 1 waves, modelled; shares of the cycles in which its waves had an instruction before them
- line 15, `for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;`: 74 %, stalled 93 % of that: waiting for vmcnt 92 %
- line 13, `for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);`: 13 %, stalled 63 % of that: waiting for vmcnt 59 %, issuing IMMED 5 %
- line 11, `for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);`: 11 %, stalled 84 % of that: waiting for vmcnt 84 %
- line 16, `}`: 1 %

\## Machine code

! mkdir other; sed 's/sum += expf/sum = sum + expf/' softmax.hip > other/softmax.hip; rpl -batch -ex 'att open /q traced' -ex 'prompt /q other/softmax.hip traced.co' | sed -n '/Hottest/,/Machine/p'
\## Hottest lines

- by: a thread trace of 1 waves, modelled; shares of the cycles in which its waves had an instruction before them
- line 15, `for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;`: 74 %, stalled 93 % of that: waiting for vmcnt 92 %
- line 11, `for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);`: 11 %, stalled 84 % of that: waiting for vmcnt 84 %
- line 16, `}`: 1 %

\## Machine code
