# Ranks of a distributed training on hosts whose clocks differ: one trace, who is waited for, and how evenly work lies.
# fixture train: --ranks 8 --ranks-of-host 4 --steps 12 --collectives 3 --kernels 5 --straggler 5 --seed 3
# fixture loose: --ranks 4 --ranks-of-host 2 --steps 6 --collectives 2 --kernels 5 --jitter-ns 900000 --seed 4
# fixture one.db: --dispatches 50
$ open train
t1: 1,728 dispatches, 6 kernels, 8 streams, gfx942 x8, 8 processes, 4.070 ms (rocpd 3)
err: note: 1 remark about the recording: info warnings

$ ranks --trace train
8 ranks, 36 collectives of each, 3 of a step; 11 steps of 339.8 us, the slowest rank works 28.8 % longer than the mean; 14.3 % of the time is waiting in collectives
straggler: process 4247 on a11, the slowest in 11 of 11 steps

rank   pid  hostname  agent   work us  collective us  wait us  slowest_share %  last_share %
   -  4247  node02    a11    2532.678       1463.383    0.000           100.00        100.00
   -  4242  node01    a1     1897.784       2122.220  649.650             0.00          0.00
   -  4245  node01    a7     1894.208       2120.377  648.292             0.00          0.00
   -  4249  node02    a15    1894.132       2121.524  651.803             0.00          0.00
   -  4243  node01    a3     1892.635       2124.106  655.721             0.00          0.00
   -  4248  node02    a13    1890.960       2123.918  656.455             0.00          0.00
   -  4244  node01    a5     1886.630       2131.783  661.595             0.00          0.00
   -  4246  node02    a9     1882.326       2136.059  665.187             0.00          0.00
(8 rows, recorded)

$ ranks --trace train --top 1 --json
{
  "schema": "rpl.ranks/1",
  "ranks": 8,
  "collectives": 36,
  "collectives_of_step": 3,
  "steps": 11,
  "step_ns": 339824,
  "imbalance": 0.2881684250433918,
  "wait_share": 0.14288471365610098,
  "straggler": "process 4247 on a11",
  "clocks_compare": true,
  "rows": [
    {"rank": null, "pid": 4247, "hostname": "node02", "agent": "a11", "work_ns": 2532678, "collective_ns": 1463383, "wait_ns": 0, "slowest_share": 1.0, "last_share": 1.0}
  ],
  "notes": [],
  "provenance": "recorded"
}

$ ranks steps --trace train --top 3
8 ranks, 36 collectives of each, 3 of a step; 11 steps of 339.8 us, the slowest rank works 28.8 % longer than the mean; 14.3 % of the time is waiting in collectives
straggler: process 4247 on a11, the slowest in 11 of 11 steps

step    at us  length us  imbalance %  mean_work us  most_work us  wait us  slowest
   1  114.036    338.378        27.27       169.740       216.029   46.176  process 4247 on a11
   2  452.414    337.124        27.35       169.341       215.650   46.039  process 4247 on a11
   3  789.538    339.824        29.01       168.200       216.998   48.892  process 4247 on a11
(3 of 11 rows, recorded)

$ info processes --trace train --limit 1 --json
{
  "schema": "rpl.info.processes/1",
  "rows": [
    {"pid": 4242, "hostname": "node01", "command": "./train --config default.yaml", "guid": "00000038-7520-7000-800b-9e3779b97f4a", "path": "train/rank_0.db", "rank": null, "ranks": null, "clock_shift_ns": 0}
  ],
  "notes": ["only 1 of 8 rows"],
  "provenance": "recorded"
}

$ ranks --trace loose --top 2
4 ranks, 12 collectives of each, 2 of a step; 5 steps of 1.300 ms, the slowest rank works 2.3 % longer than the mean

rank   pid  hostname  agent  work us  collective us  wait ns  slowest_share %  last_share %
   -  4243  node01    a3     599.410       9627.252        -            40.00             -
   -  4245  node02    a7     598.604       9214.962        -            40.00             -
(2 of 4 rows, recorded)
err: note: the clocks of the hosts do not compare: who waited for whom is not known, work between collectives is

$ ranks steps --trace loose --top 2
4 ranks, 12 collectives of each, 2 of a step; 5 steps of 1.300 ms, the slowest rank works 2.3 % longer than the mean

step     at us  length us  imbalance %  mean_work us  most_work us  wait ns  slowest
   1   936.595   1169.404         2.83       107.264       110.295        -  process 4245 on a7
   2  2105.999   2315.447         1.32       107.219       108.639        -  process 4242 on a1
(2 of 5 rows, recorded)
err: note: the clocks of the hosts do not compare: who waited for whom is not known, work between collectives is

$ ranks one.db
there are no steps of ranks

rank  pid  hostname  agent  work ns  collective ns  wait ns  slowest_share %  last_share %
(0 rows, recorded)
err: note: no collective was recorded

$ info warnings --trace loose
recording: the recordings come from 2 hosts, whose clocks differ: times of different hosts cannot be compared; their collectives do not end together whatever the shift: after that half of the ends of 12 collectives lie within 224.4 us of each other, the farthest 364.1 us, with 748.4 us from one to the next

# A folder may stand behind the command. What a job of a cluster leaves of a recording is a summary; without a cluster nothing is asked of it.
$ ranks train --top 1
8 ranks, 36 collectives of each, 3 of a step; 11 steps of 339.8 us, the slowest rank works 28.8 % longer than the mean; 14.3 % of the time is waiting in collectives
straggler: process 4247 on a11, the slowest in 11 of 11 steps

rank   pid  hostname  agent   work us  collective us  wait ns  slowest_share %  last_share %
   -  4247  node02    a11    2532.678       1463.383        0           100.00        100.00
(1 of 8 rows, recorded)

$ ranks steps loose --top 1
4 ranks, 12 collectives of each, 2 of a step; 5 steps of 1.300 ms, the slowest rank works 2.3 % longer than the mean

step    at us  length us  imbalance %  mean_work us  most_work us  wait ns  slowest
   1  936.595   1169.404         2.83       107.264       110.295        -  process 4245 on a7
(1 of 5 rows, recorded)
err: note: the clocks of the hosts do not compare: who waited for whom is not known, work between collectives is

$ ranks reduce one.db --json
{
  "schema": "rpl.ranks.reduce/1",
  "collectives": 0,
  "recordings": [{"path": "one.db", "wall_clock": false, "agents": 2, "dispatches": 50, "first_ns": 3700000047891, "last_ns": 3700000304392, "begin_ns": 3700000047891, "modelled": false, "processes": [{"pid": 4242, "rank": -1, "ranks": 0, "guid": "00000038-7520-7000-800b-9e3779b97f4a", "hostname": "gpu-node-1"}], "kernels": [], "ranks": []}],
  "notes": [],
  "provenance": "recorded"
}

$ ranks reduce
err: error: no recording was named; ranks reduce rank_0.db rank_1.db
? 2

$ ranks --target slurm
err: error: no recordings were named for the nodes to read; ranks FOLDER --target slurm
? 2

$ ranks train --target local
err: error: --target takes one of slurm, not 'local'; usage: ranks [RECORDING] [--top TOP] [--target slurm] [--of-task OF-TASK]
? 2
