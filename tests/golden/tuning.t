# Spaces, searches and what stays of them. Programs that print their time stand for kernels, so that everything is the same each time.
# example tiles.json: tuning/tiles.json
# example tiles.lua: tuning/tiles.lua
# example folder: tuning/folder
# example matmul.json: tuning/tiled_matmul.cache.json
# file older.json:
#| [{"BLOCK_M": 128, "num_warps": 4}, {"BLOCK_M": 256, "num_warps": 8}, {"BLOCK_M": 64, "num_warps": 2}, {"BLOCK_M": 32, "num_warps": 1}, {"BLOCK_M": 16, "num_warps": 2}]
$ space count tiles.json
search_space_size  48
default            TILE 16, DEPTH 16, UNROLL 1
digest             48e7a8d29b257e2b
file               tiles.json

parameter  values  ordered  list
TILE            4  yes      4, 8, 16, 32
DEPTH           3  yes      8, 16, 32
UNROLL          4  yes      1, 2, 4, 8
(3 rows)

$ space count/q tiles.lua
48

$ space define TILE=8,16,32 MODE=fast,safe --where 'TILE > 8 or MODE == safe'
err: error: column 21 of the condition 'TILE > 8 or MODE == safe': a parameter, which 'safe' is not, is expected; conditions look like "BLOCK * UNROLL <= 256 and VEC != 3"
? 2

$ space define TILE=8,16,32 MODE=fast,safe --where "TILE > 8 or MODE == 'safe'" --lua 'p.TILE < 32' -o own.json
search_space_size  3
default            TILE 8, MODE safe
digest             6bd76383d9e8695e
file               own.json

parameter  values  ordered  list
TILE            3  yes      8, 16, 32
MODE            2  no       fast, safe
(2 rows)

$ space count/q own.json
3

# The older tool's command line and document.
$ autotune --space older.json --cmd-template "echo took {BLOCK_M} ms" --no-rocprof --time-pattern 'took ([0-9]+) ms' --seed 1 --seed-fraction 0.4 --prune-factor 1.75 --json
{
  "schema": "rpl.autotune/1",
  "search_space_size": 5,
  "evaluated_configs": 3,
  "best_config": {"parameters": {"BLOCK_M": 32, "num_warps": 1}, "runtime_ms": 32.0},
  "model": {"r2": null, "residual_std": 0.0436647178012547, "training_r2": 0.9940474691839861, "pruned": 0},
  "warning": "low_model_confidence",
  "tuning": "n1",
  "strategy": "guided",
  "seed": 1,
  "default_config": {"parameters": {"BLOCK_M": 128, "num_warps": 4}, "runtime_ms": 128.0},
  "speedup": 4.0,
  "failed_configs": 0,
  "time_source": "program",
  "target": "host",
  "verified": "exit status",
  "confirmation": {"verdict": "improved", "ratio": 4.0, "ci_low": 4.0, "ci_high": 4.0, "floor": 0.01, "samples": 12, "design": "6 processes × 2 blocks × 1 dispatch"},
  "importance": [{"parameter": "BLOCK_M", "share": 1.0, "best_value": 32}, {"parameter": "num_warps", "share": 1.0, "best_value": 1}],
  "rows": [
    {"evaluation": 1, "configuration": "BLOCK_M=128 num_warps=4", "state": "ok", "time_ns": 128000000.0, "best_ns": 128000000.0, "stage": null, "reason": null, "requeued": 0},
    {"evaluation": 2, "configuration": "BLOCK_M=32 num_warps=1", "state": "ok", "time_ns": 32000000.0, "best_ns": 32000000.0, "stage": null, "reason": null, "requeued": 0},
    {"evaluation": 3, "configuration": "BLOCK_M=64 num_warps=2", "state": "ok", "time_ns": 64000000.0, "best_ns": 32000000.0, "stage": null, "reason": null, "requeued": 0}
  ],
  "notes": ["low_model_confidence: the model does not predict what it was not told; the search went on at random and beside the best"],
  "provenance": "measured"
}

# What fails is kept with its reason.
$ autotune --space older.json --cmd-template "sh -c 'test {BLOCK_M} -lt 200 || exit 3; echo took 3{num_warps} ms'" --no-rocprof --time-pattern 'took ([0-9]+) ms' --strategy exhaustive --session s
5 of 5 configurations evaluated, 1 failed
default 34.00 ms  BLOCK_M=128 num_warps=4
best    31.00 ms  BLOCK_M=32 num_warps=1  (program)
measured again  improved: 1.097 times as fast as the default (1.097 to 1.097), 6 processes × 2 blocks × 1 dispatch
  BLOCK_M          #################### 100.0 %  best 32
  num_warps        #################### 100.0 %  best 1
failed  1 at run, the first: exit status 3
 34.00 ms |###########
          |
          |
          |
          |
          |           ####
          |
 31.00 ms |               #####
          +--------------------
           1      5 evaluations
           #: best so far, this search

$ tune status --session s
tunings  1

tuning  state  strategy    target  evaluated_configs  best ms  best
n1      done   exhaustive  host                    5   31.000  BLOCK_M=32 num_warps=1
(1 row; no room for search_space_size, failed_configs, requeued: /v)

$ tune best --session s
tuning       n1
parameters   BLOCK_M 32, num_warps 1
time         31.000 ms
time_source  program
verified     exit status
defines      -DBLOCK_M=32 -Dnum_warps=1
facts        -

parameter  share %  best_value
BLOCK_M     100.00  32
num_warps   100.00  1
(2 rows, measured)

$ tune resume/q --session s
1.096774193548387
err: note: 5 evaluations were known from before

$ autotune --space older.json --cmd-template "sh -c 'test {BLOCK_M} -lt 200 || exit 3; echo took 3{num_warps} ms'" --no-rocprof --time-pattern 'took ([0-9]+) ms' --target recorded --session s
3 of 5 configurations evaluated, 0 failed
default 34.00 ms  BLOCK_M=128 num_warps=4
best    31.00 ms  BLOCK_M=32 num_warps=1  (program)
model   r2 unknown by cross-validation, 0 configurations pruned: low confidence
  BLOCK_M          #################### 100.0 %  best 32
  num_warps        #################### 100.0 %  best 1
 34.00 ms |#############
          |
          |
          |
          |
          |
          |
 31.00 ms |             #######
          +--------------------
           1      3 evaluations
           #: best so far, this search
err: note: low_model_confidence: the model does not predict what it was not told; the search went on at random and beside the best
err: note: the winner was not measured again: nothing runs on recorded evaluations

$ tune export -o copy.json --session s
wrote copy.json: 3 evaluations

$ tune best/q copy.json
-DBLOCK_M=32 -Dnum_warps=1

$ tune import copy.json --session s
n3: 3 evaluations of 5 configurations

# It goes on in the folder in which it began, whatever the program is called from.
! mkdir elsewhere && printf '#!/bin/sh\necho took $1 ms\n' > took && chmod +x took

$ autotune/q --space older.json --cmd-template "./took {BLOCK_M}" --no-rocprof --time-pattern 'took ([0-9]+) ms' --budget 2 --confirm 5 --session there
4.0
err: note: low_model_confidence: the model does not predict what it was not told; the search went on at random and beside the best

! cd elsewhere && rpl tune resume/j --session ../there | grep -E 'confirmation|notes'
  "confirmation": {"verdict": "improved", "ratio": 4.0, "ci_low": 4.0, "ci_high": 4.0, "floor": 0.01, "samples": 10, "design": "5 processes × 2 blocks × 1 dispatch"},
  "notes": ["low_model_confidence: the model does not predict what it was not told; the search went on at random and beside the best", "2 evaluations were known from before"],

# Further options of jobs are looked at when they are set.
$ target emu --extra "--comment 'not closed"
err: error: slurm extra: unclosed ' at column 11; close the quote, or write a backslash before it
? 2

$ target emu --extra "--exclusive | tee jobs"
err: error: slurm extra: a pipeline is not a program for slurm extra; slurm extra "sh -c 'A | B'"
? 2

# Any strategy on a finished cache.
$ tune simulate matmul.json
guided on 48 known configurations, nothing ran
36 evaluations, best TILE=16 DEPTH=32 UNROLL=8
to within 5 % of the best of all, median of 21 seeds: guided 9 evaluations, random 16
 7.702 us |**
          |  .
          |  #*.
          |     .....
          |
          |    ###
          |       ## ...........
 5.045 us |         ############******.....................
          +------------------------------------------------
           1                                 48 evaluations
           #: best so far, guided (median); .: random; *: both

$ plot tuning matmul.json -o best.svg
wrote best.svg, 1.613 KiB

$ plot tuning matmul.json --width 60
 7.702 us |###############
          |
          |               #########
          |                        #####
          |                             #
          |                              #
          |                               ####
 5.045 us |                                   #############
          +------------------------------------------------
           1                                 48 evaluations
           #: best so far, matmul.json

# What a job of a cluster runs.
$ tune evaluate folder --point 2
configuration  TILE 4, DEPTH 8, UNROLL 4
state          ok
time           48.000 ms
time_source    program
stage          -
reason         -
(measured)

# What makes no sense.
$ autotune --space older.json
err: error: nothing to run for a configuration; --cmd-template "./app --block {BLOCK}", or --source FILE.hip, with --capture DIR for a kernel alone
? 2

$ autotune --space older.json --cmd-template "echo {BLOCK_N}" --no-rocprof
err: error: {BLOCK_N} is not a parameter of the space; it has BLOCK_M, num_warps
? 2

$ autotune --space older.json --cmd-template "./absent {BLOCK_M}" --no-rocprof
err: error: cannot run './absent': no such program; install it, or check PATH
? 1

$ autotune --space older.json --cmd-template "echo {BLOCK_M}" --no-rocprof --prune-factor 0.5
err: error: a prune factor of 0.5; at least 1; the usual one is 1.75
? 2

$ tune best n9 --session s
err: error: no tuning 'n9'; there are n1 to n3: 'tune status' lists them
? 1

$ tune status
tunings  2

tuning  state       strategy  target  evaluated_configs  best ms  best
n1      done        guided    host                    3   32.000  BLOCK_M=32 num_warps=1
n2      unfinished  guided    host                    0        -  -
(2 rows; no room for search_space_size, failed_configs, requeued: /v)

(rpl) space load older.json
search_space_size  5
default            BLOCK_M 128, num_warps 4
digest             3ab67ef4472975c7
file               older.json

parameter  values  ordered  list
BLOCK_M         5  yes      128, 256, 64, 32, 16
num_warps       4  yes      4, 8, 2, 1
(2 rows)

(rpl) space count/q
5

(rpl) target emu --partition debug --time 00:10:00 --runs emu
target  emu

partition  state  nodes  nodes_state
(0 rows)

(rpl) show slurm partition
setting          value  default  takes  description
slurm partition  debug        -  text   partition of jobs; empty: the cluster's default
(1 row)
