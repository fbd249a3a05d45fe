# Scripts of the gallery that run programs.
# modelled
# long
# needs clang: /usr/lib/llvm-19/bin/clang
# example norms_example.hip: tutorial/norms.hip
! cat norms_example.hip > norms.hip

# From a program to a faster one.
$ -batch -x fix_worst.lua --allow approve -- norms.hip norms --approve
worst       row_norms
path_share  84.71 %
label       under-occupied
proposed    20
accepted    p5
title       a wave takes each row, and its lanes share out the loop in line 13
verdict     improved
ratio       27.798 x
state       approved
(modelled)

! diff norms_example.hip norms.hip
10c10,11
<   int row = blockIdx.x * blockDim.x + threadIdx.x;
---
>   int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
>   const int lane = threadIdx.x % 64;
13c14,15
<   for (int column = 0; column < columns; ++column) {
---
>   decltype(sum) sum_part = 0;
>   for (int column = lane; column < columns; column += 64) {
15c17
<     sum += value * value;
---
>     sum_part += value * value;
17c19,21
<   out[row] = sqrtf(sum);
---
>   for (int mask = 32; mask > 0; mask /= 2) sum_part += __shfl_xor(sum_part, mask);
>   sum += sum_part;
>   if (lane == 0) out[row] = sqrtf(sum);
29c33
<   row_norms<<<(rows + 63) / 64, 64>>>(device_in, device_out, rows, columns);
---
>   row_norms<<<((rows + 63) / 64) * 64, 64>>>(device_in, device_out, rows, columns);
? 1

# Freeze the dispatch that misbehaves.
$ -batch -x capture_when.lua -- 'duration_ns > 5000 and grid[1] == 1024' frozen_one -- ./norms
path       frozen_one
dispatch   d1
kernel     row_norms
ordinal    1
duration   113.896 us
looked_at  1
(modelled)

$ capture verify frozen_one
id                c1
path              frozen_one
files             intact
post_image        matched
differing         0 B
layout            rpl
hidden_arguments  none
null_kernel       fails
copy_kernel       fails
(modelled)

$ -batch -x capture_when.lua -- 'duration_ns > 9e9' frozen_two -- ./norms
looked_at  1
err: note: no dispatch meets it; info dispatches --sort duration shows the longest
? 4

$ -batch -x capture_when.lua -- 'duraton_ns > 1' frozen_two -- ./norms
err: error: capture_when.lua:13: rpl.Dispatch has no 'duraton_ns'; did you mean 'duration_ns'?
? 1

$ -batch -x capture_when.lua -- 'duration_ns >' frozen_two -- ./norms
err: error: the condition is no Lua expression: unexpected symbol near <eof>; as in 'duration_ns > 2 * median_ns and grid[1] == 4096'
? 2
