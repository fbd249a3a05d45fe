# The cache of a Triton autotuner: each compiled variant is launched as its metadata says, verified and timed.
# modelled
# example triton: triton
$ kernel run triton/objects/softmax.gfx942.hsaco --programs 40 --arg f32:zero:40320 --arg f32:random:40320 --arg i32:1008 --arg i32:1008 --capture softmax --functional
object                o1
kernel                softmax
architecture          gfx942
grid                  10240x1x1
workgroup             256x1x1
dynamic_lds           16 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            40
waves                 160
instructions          36,160
by_class              -
lane_share            -
load                  -
store                 -
transactions          -
lds_accesses          -
lds_conflicts         -
atomics               -
capture               c1
capture_path          softmax

argument  kind    element   count  size KiB  first                                 changed  expected
       1  buffer  f32      40,320     157.5  0.0003739143, 0.0...00052979245, …    yes      -
       2  buffer  f32      40,320     157.5  -0.8176205, -0.50.., -0.4691617, …    no       -
       3  value   i32           -       0.0  1008                                  -        -
       4  value   i32           -       0.0  1008                                  -        -
       5  null    -             -       0.0  -                                     -        -
(5 rows, modelled)
err: note: argument 5 is Triton's global_scratch: null

$ autotune --variants triton/cache/softmax --capture softmax
5 of 5 configurations evaluated, 0 failed
default 2.936 us  num_warps=2
best    2.790 us  num_warps=4  (modelled)
measured again  undecided (modelled): 1.052 times as fast as the default (0.835 to 1.326), 1 process × 1 block × 1 dispatch, modelled
  num_warps        #################### 100.0 %  best 4
 2.936 us |###########
          |
          |
          |
          |
          |
          |           ########
 2.790 us |                   #
          +--------------------
           1      5 evaluations
           #: best so far, this search
err: note: chosen: num_warps=4, 2.790 us; what costs it most: small-grid at softmax.py:13:21 in softmax, 49 to 65 % of its time
err: note: next: num_warps=8, 2.820 us; what costs it most: small-grid at softmax.py:13:21 in softmax, 41 to 57 % of its time
err: note: the next one takes 1.1 % longer, within the model's band of 26 %: measure both on a GPU

$ kernel run triton/objects/layer_norm.gfx942.hsaco --programs 20 --arg f32:zero:30080 --arg f32:random:30080 --arg f32:random:1504 --arg f32:random:1504 --arg f32:zero:20 --arg f32:zero:20 --arg i32:1504 --arg i32:1504 --arg f32:1e-5 --capture norm --functional
object                o1
kernel                layer_norm
architecture          gfx942
grid                  5120x1x1
workgroup             256x1x1
dynamic_lds           16 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            20
waves                 80
instructions          29,800
by_class              -
lane_share            -
load                  -
store                 -
transactions          -
lds_accesses          -
lds_conflicts         -
atomics               -
capture               c1
capture_path          norm

argument  kind    element   count  size KiB  first                                 changed  expected
       1  buffer  f32      30,080     117.5  0.5362696, 0.3190.., 0.86188364, …    yes      -
       2  buffer  f32      30,080     117.5  -0.8176205, -0.50.., -0.4691617, …    no       -
       3  buffer  f32       1,504       5.9  0.22690068, -0.59.., 0.14573348, …    no       -
       4  buffer  f32       1,504       5.9  0.86291164, -0.21..7, 0.9835485, …    no       -
       5  buffer  f32          20       0.1  0.011889559, -0.0..-0.010200555, …    yes      -
       6  buffer  f32          20       0.1  1.73546, 1.737327..2, 1.7337136, …    yes      -
       7  value   i32           -       0.0  1504                                  -        -
       8  value   i32           -       0.0  1504                                  -        -
       9  value   f32           -       0.0  1e-05                                 -        -
      10  null    -             -       0.0  -                                     -        -
(10 rows, modelled)
err: note: argument 10 is Triton's global_scratch: null

$ autotune --variants triton/cache/layer_norm --capture norm --confirm 0 --csv
evaluation,configuration,state,time_ns,best_ns,stage,reason,requeued
1,BLOCK=256 num_warps=4,ok,7996.190476190476,7996.190476190476,,,0
2,BLOCK=1024 num_warps=4,ok,4520.0,4520.0,,,0
3,BLOCK=256 num_warps=8,ok,6151.428571428572,4520.0,,,0
4,BLOCK=256 num_warps=1,ok,8823.333333333334,4520.0,,,0
5,BLOCK=1024 num_warps=8,ok,4518.571428571428,4518.571428571428,,,0
6,BLOCK=1024 num_warps=1,ok,5960.0,4518.571428571428,,,0
err: note: chosen: BLOCK=1024 num_warps=8, 4.519 us; what costs it most: small-grid at layer_norm.py:16:18 in layer_norm, 61 to 77 % of its time
err: note: next: BLOCK=1024 num_warps=4, 4.520 us; what costs it most: small-grid at layer_norm.py:16:18 in layer_norm, 66 to 82 % of its time
err: note: the next one takes 0.0 % longer, within the model's band of 26 %: measure both on a GPU

# How many programs there are follows from the size of a block.
$ kernel run triton/objects/matmul.gfx942.hsaco --programs 4 --arg f16:zero:16384 --arg f16:random:8192 --arg f16:random:8192 --arg i32:128 --arg i32:128 --arg i32:64 --capture product --functional
object                o1
kernel                matmul
architecture          gfx942
grid                  1024x1x1
workgroup             256x1x1
dynamic_lds           8192 B
model                 -
cycles                -
time                  -
time_low              -
time_high             -
time_class            -
simulated_workgroups  -
workgroups            4
waves                 16
instructions          6,736
by_class              -
lane_share            -
load                  -
store                 -
transactions          -
lds_accesses          -
lds_conflicts         -
atomics               -
capture               c1
capture_path          product

argument  kind    element   count  size KiB  first                                 changed  expected
       1  buffer  f16      16,384      32.0  -0.44750977, 2.89.., -1.6738281, …    yes      -
       2  buffer  f16       8,192      16.0  -0.8173828, -0.50.. -0.46923828, …    no       -
       3  buffer  f16       8,192      16.0  0.22692871, -0.59.., 0.14575195, …    no       -
       4  value   i32           -       0.0  128                                   -        -
       5  value   i32           -       0.0  128                                   -        -
       6  value   i32           -       0.0  64                                    -        -
       7  null    -             -       0.0  -                                     -        -
(7 rows, modelled)
err: note: argument 7 is Triton's global_scratch: null

$ autotune --variants triton/cache/matmul --capture product --programs '-(-128 // BLOCK_M) * 2' --confirm 0 --csv
evaluation,configuration,state,time_ns,best_ns,stage,reason,requeued
1,BLOCK_M=128 num_warps=4,ok,19840.47619047619,19840.47619047619,,,0
2,BLOCK_M=64 num_warps=4,ok,9138.095238095237,9138.095238095237,,,0
3,BLOCK_M=32 num_warps=2,ok,8990.0,8990.0,,,0
4,BLOCK_M=128 num_warps=2,ok,14882.857142857143,8990.0,,,0
5,BLOCK_M=32 num_warps=4,ok,8571.42857142857,8571.42857142857,,,0
6,BLOCK_M=64 num_warps=2,ok,14240.47619047619,8571.42857142857,,,0
err: note: chosen: BLOCK_M=32 num_warps=4, 8.571 us; what costs it most: uncoalesced-store at matmul.py:31:59 in matmul, 48 to 64 % of its time
err: note: next: BLOCK_M=32 num_warps=2, 8.990 us; what costs it most: uncoalesced-store at matmul.py:31:59 in matmul, 47 to 63 % of its time
err: note: the next one takes 4.9 % longer, within the model's band of 26 %: measure both on a GPU

$ autotune --variants triton/cache/matmul --capture product --programs '128 / BLOCK_M / 3' --confirm 0
err: error: --programs '128 / BLOCK_M / 3' is 0.3333333333333333 for DIR/triton/cache/matmul/CGAAAPGG667PTJBZRIKZ73QPNBSPOIUPNHGAPQMOMVCSBJTVJDCA/matmul.hsaco; a whole number from 1 on: -(-ROWS // BLOCK) rounds up
? 2

$ autotune --variants triton/cache/softmax --capture product
err: error: DIR/triton/cache/softmax has no compiled variant of matmul for gfx942; name a folder with NAME.hsaco and NAME.json for each variant, as Triton's cache has them
? 1

$ autotune --variants triton/cache/softmax
err: error: variants run on the arguments of a captured dispatch; add --capture DIR: kernel run … --capture DIR makes one
? 2
