# The tiled matrix multiply rebuilt for each tile, on the emulated device: the program as a whole, and its captured dispatch alone.
# modelled
# needs clang: /usr/lib/llvm-19/bin/clang
# example tuning: tuning
# example hip: hip
# file few.json:
#| {"parameters": {"TILE": [8, 16, 32], "UNROLL": [1, 4]}, "default": {"TILE": 16, "UNROLL": 1}}
$ autotune --space few.json --source tuning/tiled_matmul_main.hip --target emu --budget 4
4 of 6 configurations evaluated, 0 failed
default 8.090 us  TILE=16 UNROLL=1
best    5.949 us  TILE=16 UNROLL=4  (modelled)
measured again  improved (modelled): 1.360 times as fast as the default (1.079 to 1.713), 1 process × 1 block × 1 dispatch, modelled
model   r2 unknown by cross-validation, 0 configurations pruned: low confidence
  UNROLL           ##########           50.7 %  best 4
  TILE                                   0.0 %  best 16
 8.090 us |#########
          |
          |
          |         ##########
          |
          |
          |
 5.949 us |                   #
          +--------------------
           1      4 evaluations
           #: best so far, this search
err: note: low_model_confidence: the model does not predict what it was not told; the search went on at random and beside the best

# "none" is no GPU's name.
$ -batch -ex 'set /q emu gpu none' -ex 'autotune /q --space few.json --source tuning/tiled_matmul_main.hip --target emu --budget 1 --confirm 0'
1.0
err: note: low_model_confidence: the model does not predict what it was not told; the search went on at random and beside the best

# The application's time: calls of the host, copies and launches too, which tiles do not change.
$ autotune/j --space few.json --source tuning/tiled_matmul_main.hip --target emu --budget 2 --objective application --confirm 0 | grep -E 'default_config|speedup|time_source|best_config'
  "best_config": {"parameters": {"TILE": 8, "UNROLL": 4}, "runtime_ms": 0.344694},
  "default_config": {"parameters": {"TILE": 16, "UNROLL": 1}, "runtime_ms": 0.345484},
  "speedup": 1.0022918878773637,
  "time_source": "modelled",

$ build/q tuning/tiled_matmul.hip --device-only -o base.co
base.co

$ kernel run/q base.co tiled_matmul --grid 64,64 --workgroup 16,16 --arg 'f32:random(1):4096' --arg 'f32:random(2):4096' --arg f32:zero:4096 --arg i32:64 --arg i32:64 --arg i32:64 --capture frozen
7862.857142857143

$ autotune --space few.json --source tuning/tiled_matmul.hip --capture frozen --workgroup '{TILE},{TILE}' --target emu --strategy exhaustive
6 of 6 configurations evaluated, 0 failed
default 7.863 us  TILE=16 UNROLL=1
best    5.722 us  TILE=16 UNROLL=4  (modelled)
measured again  improved (modelled): 1.374 times as fast as the default (1.091 to 1.731), 1 process × 1 block × 1 dispatch, modelled
  UNROLL           #########            45.1 %  best 4
  TILE                                   0.0 %  best 16
 7.863 us |#########
          |
          |         ####
          |
          |
          |
          |
 5.722 us |             #######
          +--------------------
           1      6 evaluations
           #: best so far, this search
