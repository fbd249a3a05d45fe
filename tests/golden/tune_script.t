# A script tunes the tiled matrix multiply by builds of its own, resumes, and simulates strategies on what was measured.
# needs clang: /usr/lib/llvm-19/bin/clang
# example tuning: tuning
# example tune_matmul.lua: ../scripts/tune_matmul.lua
$ -batch -x tune_matmul.lua -- tuning --budget 3
tuning          n1
configurations  24
evaluated       3
best            -DTILE=16 -DDEPTH=32 -DUNROLL=4
best            5583 ns
speedup         1.678 x
verdict         improved
matters_most    TILE

strategy  evaluations  needed  random_needed
guided              3       2              2
phases              3       2              2
local               3       2              2
random              3       2              2
(4 rows)

$ tune status
tunings  1

tuning  state  strategy  target  evaluated_configs  best ns  best
n1      done   guided    emu                     3     5583  TILE=16 DEP..32 UNROLL=4
(1 row; no room for search_space_size, failed_configs, requeued: /v)

$ -batch -x tune_matmul.lua -- tuning --strategy fastest
err: error: tune_matmul.lua:42: --strategy takes one of guided, phases, random, local, exhaustive, not 'fastest'; help autotune
? 2
