# A rule written in Lua, and a diff made by hand: both pass the same gates as every other edit.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example row_scale_example.hip: hip/row_scale.hip
! cat row_scale_example.hip > row_scale.hip

$ build /q row_scale.hip --device-only --arch gfx942 -o row_scale.co
row_scale.co

$ kernel run /q row_scale.co row_scale --grid 256 --workgroup 64 --arg 'f32:random(1):16384' --arg 'f32:random(2):256' --arg f32:zero:16384 --arg i32:256 --arg i32:64 --capture frozen
47152.380952380954

# file my_rules.lua:
#| rpl.rule{
#|   name = "hoist-factor",
#|   bottleneck = "memory latency",
#|   propose = function(kernel)
#|     local body, count = kernel.body:gsub("for %(int i", "const float factor = factors[row];\n  for (int i")
#|     body = body:gsub("x%[i%] %* factors%[row%]", "x[i] * factor")
#|     if count == 0 then return {} end
#|     return {
#|       {title = "load the factor once", why = "it is the same for a row", body = body, bit_exact = true},
#|       {title = "print each row", body = kernel.body .. "  printf(\"%d\", row);\n"},
#|     }
#|   end,
#| }
$ -batch -x my_rules.lua -ex 'iterate --source row_scale.hip --capture frozen --to select' -ex 'propose rule hoist-factor' -ex 'finish p1'
profile  o1   baseline built and equal to the capture: 99020 cycles, 2652 wave-instructions
select   o1   row_scale is the only kernel of this capture; a wave waits 90602 cycles for memory and 898 for LDS
next     o1   propose
optimization  o1
made          1
refused       1

id  origin  title                 state     verdict  ratio x  decided_at  why
p1  rule    load the factor once  proposed  -              -  -           -
(1 row)
guard    p1   only the body of row_scale changed
build    p1   compiled for gfx942
screen   p1   vgprs 8 -> 6
verify   p1   left out: 1.000 times as fast on the captured input (modelled)
measure  p1   99020 -> 99047 cycles, 2652 -> 2400 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p1   undecided (modelled): 1.000 times as fast, 0.793 to 1.260 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p1   rejected: load the factor once
next     o1   propose
err: note: hoist-factor: line 6: the edit would not pass the guard: 'printf': a call that a kernel under measurement may not add
? 4

$ -batch -ex 'propose rule hoist-factor'
err: error: no rule 'hoist-factor'; there are loop-unroll, lds-padding, vector-load, restrict, invariant-hoist, register-rows, wave-per-row, swap-lanes, lds-tile, lds-transpose, workgroup-size, fuse-launches, float-literals, split-sums, lds-atomics, nontemporal, launch-bounds, waves-per-eu, compiler-flags
? 2

# A diff fits to the letter or not at all.
# file good.diff:
#| --- a/row_scale.hip
#| +++ b/row_scale.hip
#| @@ -10,3 +10,4 @@
#|    float* y = out + static_cast<long>(row) * columns;
#| -  for (int i = 0; i < columns; ++i) y[i] = x[i] * factors[row];
#| +  const float factor = factors[row];
#| +  for (int i = 0; i < columns; ++i) y[i] = x[i] * factor;
#|  }
# file moved.diff:
#| @@ -9,1 +9,1 @@
#| -  for (int i = 0; i < columns; ++i) y[i] = x[i] * factors[row];
#| +  for (int i = 0; i < columns; ++i) y[i] = factors[row] * x[i];
$ propose import good.diff
optimization  o1
made          1
refused       0

id  origin  title           state     verdict  ratio x  decided_at  why
p2  edit    diff good.diff  proposed  -              -  -           -
(1 row)

$ finish p2
guard    p2   only the body of row_scale changed
build    p2   compiled for gfx942
screen   p2   vgprs 8 -> 6
verify   p2   16384 elements within tolerance on 12 input sets
measure  p2   99020 -> 99047 cycles, 2652 -> 2400 wave-instructions (rpl-cycle/0.5 MI300X)
decide   p2   undecided (modelled): 1.000 times as fast, 0.793 to 1.260 within the model's band; all of it above 1.000 is needed, and a GPU can tell
         p2   rejected: diff good.diff
next     o1   propose
? 4

$ propose import moved.diff
err: error: the diff cannot be applied: line 2: line 9 of the source is another one; create it again from the current source: diff -u SOURCE EDITED
? 2

$ propose edit
err: error: propose edit needs an edited copy of the source; propose edit FILE; without FILE it opens $VISUAL or $EDITOR at a terminal
? 2
