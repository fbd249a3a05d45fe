# Code objects are kept by content: an equal source of another name is not compiled again. What is accepted was built twice.
# modelled
# own cache
# needs clang: /usr/lib/llvm-19/bin/clang
# example softmax_example.hip: hip/softmax.hip
! cat softmax_example.hip > softmax.hip; cp softmax.hip copy.hip

$ build softmax.hip --device-only -o softmax.co --json | grep cached
  "cached": false,

$ build copy.hip --device-only -o b.co --json | grep cached
  "cached": true,

! cmp softmax.co b.co; ls ~/.cache/rpl/builds/*.build | wc -l
1

# Other options give another object, wherever they stand; without the cache the compiler runs.
$ build copy.hip --device-only -o c.co --flag=-O1 --json | grep cached
  "cached": false,

$ build copy.hip -O1 -DN=4 --device-only -o e.co --json | grep -oE '"cached.*|-O1 -DN=4'
-O1 -DN=4
  "cached": false,

$ build -O1 --device-only
err: error: no source is named; build SOURCE [-O2] [-g] [-DNAME=VALUE]
? 2

$ -q -batch -ex 'set build cache off' -ex 'build /j copy.hip --device-only -o d.co' | grep cached
  "cached": false,

# A damaged object is not used.
! for f in ~/.cache/rpl/builds/*.build; do printf x >> $f; done

$ build copy.hip --device-only -o b.co --json | grep cached
  "cached": false,

! cmp softmax.co b.co

$ kernel run /q softmax.co softmax --grid 256 --workgroup 64 --arg 'f32:random(1):16640' --arg f32:zero:16640 --arg i32:256 --arg i32:65 --capture frozen
74240.95238095238
err: note: the last bits of v_exp_f32, v_rcp_f32 may differ from a real device

$ iterate --source softmax.hip --capture frozen --to propose | tail -n 1
next     p1   guard

$ finish p3 | tail -n 3
decide   p3   improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000
         p3   accepted: unroll the loop in line 11 by 8
next     p1   guard

# The baseline was built by hand before, this proposal for the first time.
$ info proposal p3 --json | grep -oE '"(cached|built_twice)": [a-z"]*'
"built_twice": "equal"

# The same proposal of another session: its code object is at hand.
$ --session other iterate --source softmax.hip --capture frozen --to propose | tail -n 1
next     p1   guard

$ --session other finish p3 | tail -n 3
decide   p3   improved (modelled): 1.261 times as fast, 1.001 to 1.589 within the model's band, all of it above 1.000
         p3   accepted: unroll the loop in line 11 by 8
next     p1   guard

$ --session other info proposal p3 --json | grep -oE '"(cached|built_twice)": [a-z"]*'
"cached": true
"built_twice": "equal"
