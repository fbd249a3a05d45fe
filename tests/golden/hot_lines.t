# What a model is told of an open thread trace of the kernel: its hottest lines, those that stand in the text still.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip; rpl build /q softmax.hip --device-only --arch gfx942 --flag=-g -o traced.co && rpl kernel run /q traced.co softmax --grid 128 --workgroup 64 --arg 'f32:random(1):8192' --arg f32:zero:8192 --arg i32:128 --arg i32:64 --att traced
traced.co
36148.09523809524
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device
err: note: thread trace: 1 of 2 workgroups simulated, on one compute unit of 304

! rpl -batch -ex 'att open /q traced' -ex 'prompt /q softmax.hip traced.co' | sed -n '/Hottest/,/Machine/p'
\## Hottest lines

- by: a thread trace of 1 waves, modelled; shares of the cycles in which its waves had an instruction before them
- line 15, `for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;`: 53 %, stalled 83 % of that: waiting for vmcnt 81 %, issuing IMMED 2 %
- line 13, `for (int i = 0; i < columns; ++i) sum += expf(x[i] - highest);`: 25 %, stalled 66 % of that: waiting for vmcnt 62 %, issuing IMMED 4 %
- line 11, `for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);`: 20 %, stalled 85 % of that: waiting for vmcnt 85 %
- line 6, `const int row = blockIdx.x * blockDim.x + threadIdx.x;`: 1 %, stalled 96 % of that: waiting for lgkmcnt 96 %

\## Machine code

! mkdir other; sed 's/sum += expf/sum = sum + expf/' softmax.hip > other/softmax.hip; rpl -batch -ex 'att open /q traced' -ex 'prompt /q other/softmax.hip traced.co' | sed -n '/Hottest/,/Machine/p'
\## Hottest lines

- by: a thread trace of 1 waves, modelled; shares of the cycles in which its waves had an instruction before them
- line 15, `for (int i = 0; i < columns; ++i) y[i] = expf(x[i] - highest) * scale;`: 53 %, stalled 83 % of that: waiting for vmcnt 81 %, issuing IMMED 2 %
- line 11, `for (int i = 1; i < columns; ++i) highest = fmaxf(highest, x[i]);`: 20 %, stalled 85 % of that: waiting for vmcnt 85 %
- line 6, `const int row = blockIdx.x * blockDim.x + threadIdx.x;`: 1 %, stalled 96 % of that: waiting for lgkmcnt 96 %

\## Machine code
