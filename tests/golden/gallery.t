# The scripts that came with rpl, on recordings: each is found by its name. Those that build kernels are in gallery_kernels.t.
# modelled
# fixture a.db: --dispatches 60 --kernels 5 --queues 2 --streams 3 --seed 1
# fixture b.db: --dispatches 60 --kernels 5 --queues 2 --streams 3 --seed 2
# fixture late.db: --dispatches 90 --kernels 5 --queues 2 --streams 3 --seed 3
# example att: att
# example softmax: captures/softmax
# example noise.jsonl.gz: ../tests/engine/optimize/measure/noise/noise.jsonl.gz
# example counters: counters
# example attention.co: hip/objects/attention.gfx90a.co
# example matmul.co: hip/objects/matmul.gfx942.co
# example normalize.co: hip/objects/normalize.gfx942.co
# file budget.json:
#| {"trace": {"span_ns": {"max": 1000}}, "kernels": {"gemm_kernel<float, 0>": {"calls": {"min": 1}}}}
# file broken.json:
#| {"trce": {}}
# file no.db:
#| not a recording
# What there is, and what one of them is for.
$ help scripts
Scripts that answer one question each:

  capture_when.lua        How do I freeze the one dispatch that misbehaves?
  diff.lua                What became slower or faster between two recordings?
  fault_applications.lua  Does the program name the faults that were planted in whole applications, and say what they are worth?
  faults.lua              Does the program name the faults that were planted in small kernels, and say what they are worth?
  find_nan.lua            Which wave is the first to hold a NaN in a vector register?
  fix_worst.lua           Which kernel holds a program up, why, and does a proven change make it faster?
  fleet.lua               Which of many recordings is not like the others?
  gaps.lua                Where was the GPU idle, and what ran before and after?
  gate.lua                Does a recording stay within its budget?
  improve.lua             Which of the shipped example kernels do the rules make faster, proven and approved?
  model_loop.lua          Can a language model make this kernel faster, when every answer must prove itself?
  nightly.lua             What changed since the nights before?
  noise.lua               Is this machine quiet enough to measure on?
  occupancy_whatif.lua    How much less must a kernel use before more of its waves fit?
  outliers.lua            Which dispatches took much longer than their kernel usually does?
  perfetto.lua            What happened around the worst moment, in a viewer?
  regression.lua          Did a kernel become slower between two builds?
  report.lua              What is in this recording, in one file for a ticket?
  roofline_top.lua        Which of a model's ten longest kernels are far from what the hardware allows?
  stall_diff.lua          Which source lines make waves wait longer than before?
  sweep.lua               Which compiler flags or constants are fastest on a captured kernel?
  top_by_stream.lua       Which kernels take the time of each stream?
  triage.lua              Which kernel is worth working on?
  tune_matmul.lua         Which tile sizes make the tiled matrix multiply fastest, and what does each strategy need to find them?

help SCRIPT explains one, 'source SCRIPT -- ARGUMENTS' runs it.

$ help fleet
fleet.lua: Which of many recordings is not like the others?

  rpl -batch -x fleet.lua -- runs/*.db --share 0.1

One row for each recording of a fleet: the ranks of a job, the machines of a
cluster, the runs of a week.

Its command

fleet: Put many recordings into one table and mark the odd ones.

  fleet RECORDINGS ... [--share SHARE] [--gate]

`odd` names what differs from the median of all recordings by more than
`--share` of it: span, gpu time, dispatches; or that another kernel takes most
time. The least busy come first. What cannot be read is a row with the reason,
and the exit status is then 1. With `--gate` it is 3 when one is odd.

parameters
  recordings  text    files, as the shell expands them (required; may be repeated)
  --share     number  how far from the median is odd (default 0.1)
  --gate      flag    exit with 3 when one is odd (default false)

returns rows of
  recording     string            the file
  dispatches    integer, count    kernel dispatches
  span_ns       number, ns        from the first start to the last end
  gpu_time_ns   number, ns        sum of the durations
  busy_share    number, fraction  of the span in which a kernel ran
  kernel        kernel            the one with most time
  kernel_share  number, fraction  of all kernels' time
  odd           string            what is not as elsewhere

/q prints recording

examples
  fleet TRACE TRACE

$ help regression.lua
regression.lua: Did a kernel become slower between two builds?

  rpl -batch -x regression.lua -- old.co new.co captures/softmax captures/attention

For CI: each captured dispatch is run with the kernels of both code objects,
and the decision rule judges them. Whatever is not wrong, slower or undecided
passes with 0.

Its command

regression: Gate a build: no captured dispatch may become slower.

  regression BEFORE AFTER CAPTURES ... [--tolerance TOLERANCE] [--target emu|local]

Both code objects must have the captured kernel under its name. What the new
one leaves in memory must be what the old one leaves. `ratio` is the old time
by the new one: above 1 is faster. Exit status: 5 when a result is wrong, else
3 when a kernel is slower, else 4 when a comparison stays undecided, else 0.

parameters
  before       text    code object of the older build (required)
  after        text    of the newer one (required)
  captures     text    folders of captured dispatches (required; may be repeated)
  --tolerance  number  change that does not count, a fraction; at least 0.01
  --target     text    where to run (default emu; emu|local)

returns rows of
  capture  string         the dispatch
  kernel   kernel         its kernel
  verdict  string         improved, equivalent, undecided, regression or wrong
  ratio    number, ratio  old time / new time
  ci_low   number, ratio  lower end of its interval
  ci_high  number, ratio  upper end
  why      string         what is wrong

/q prints verdict

examples
  regression old.co new.co captures/softmax

$ apropos/c occupancy | grep script
script,occupancy_whatif.lua,How much less must a kernel use before more of its waves fit?

$ help nosuch.lua
err: error: unknown command 'nosuch.lua'; 'help' lists the commands
? 2

$ -batch -x fleet.lua -- --help | head -3
fleet: Put many recordings into one table and mark the odd ones.

  fleet RECORDINGS ... [--share SHARE] [--gate]

# Many recordings in one table.
$ -batch -x fleet.lua -- a.db b.db late.db
recording  dispatches  span us  gpu_time us  busy_share %  kernel        kernel_share %  odd
a.db               60  468.508      632.320         96.98  gemm_..t, 0>           48.79  gpu t..ernel
b.db               60  480.660      745.720         98.00  softm..t, 0>           43.06  -
late.db            90  644.376     1117.800         98.77  softm..t, 0>           40.81  span ..+50 %
(3 rows, recorded)

$ -batch -x fleet.lua -- a.db a.db a.db late.db --gate
recording  dispatches  span us  gpu_time us  busy_share %  kernel        kernel_share %  odd
a.db               60  468.508      632.320         96.98  gemm_..t, 0>           48.79  -
a.db               60  468.508      632.320         96.98  gemm_..t, 0>           48.79  -
a.db               60  468.508      632.320         96.98  gemm_..t, 0>           48.79  -
late.db            90  644.376     1117.800         98.77  softm..t, 0>           40.81  span ..ernel
(4 rows, recorded)
? 3

$ -batch -x fleet.lua -- a.db no.db
recording  dispatches  span us  gpu_time us  busy_share %  kernel        kernel_share %  odd
a.db               60  468.508      632.320         96.98  gemm_..t, 0>           48.79  -
no.db               -        -            -             -  -                          -  no.db..abase
(2 rows, recorded)
? 1

$ -batch -x fleet.lua -- a.db b.db --share much
err: error: --share takes a number, not 'much'; usage: fleet RECORDINGS ... [--share SHARE] [--gate]
? 2

$ -batch -x fleet.lua --
err: error: 'fleet' needs files, as the shell expands them; usage: fleet RECORDINGS ... [--share SHARE] [--gate]
? 2

$ --json -batch -x fleet.lua -- a.db
{
  "schema": "rpl.fleet/1",
  "rows": [
    {"recording": "a.db", "dispatches": 60, "span_ns": 468508, "gpu_time_ns": 632320, "busy_share": 0.969778530996269, "kernel": "gemm_kernel<float, 0>", "kernel_share": 0.4879175101214575, "odd": null}
  ],
  "notes": [],
  "provenance": "recorded"
}

$ -batch -x fleet.lua -- a.db --json
err: error: --json is not an argument of a script; it stands in front: rpl --json -batch -x …
? 2

# Night after night.
$ -batch -x nightly.lua -- history.jsonl a.db b.db
run  metric               now  usual  change %  state
a    span_ns           468508      -         -  new
a    critical_path_ns  446988      -         -  new
a    gpu_time_ns       632320      -         -  new
a    dispatches            60      -         -  new
b    span_ns           480660      -         -  new
b    critical_path_ns  458240      -         -  new
b    gpu_time_ns       745720      -         -  new
b    dispatches            60      -         -  new
(8 rows, recorded)

! cp late.db slower.db; mkdir tonight; cp late.db tonight/a.db; cp b.db tonight/b.db

$ -batch -x nightly.lua -- history.jsonl tonight/a.db tonight/b.db --report nightly.md
run  metric                now   usual  change %  state
a    span_ns            644376  468508     37.54  worse
a    critical_path_ns   620097  446988     38.73  worse
a    gpu_time_ns       1117800  632320     76.78  worse
a    dispatches             90      60     50.00  changed
b    span_ns            480660  480660      0.00  steady
b    critical_path_ns   458240  458240      0.00  steady
b    gpu_time_ns        745720  745720      0.00  steady
b    dispatches             60      60      0.00  steady
(8 rows, recorded)
? 3

! cat nightly.md; wc -l history.jsonl
\# Nightly report

| run | metric | now | usual | change | state |
| --- | --- | --- | --- | --- | --- |
| a | span_ns | 644376 | 468508 | 0.3753788622606231 | worse |
| a | critical_path_ns | 620097 | 446988 | 0.3872788531235738 | worse |
| a | gpu_time_ns | 1117800 | 632320 | 0.7677758097165992 | worse |
| a | dispatches | 90 | 60 | 0.5 | changed |
| b | span_ns | 480660 | 480660 | 0.0 | steady |
| b | critical_path_ns | 458240 | 458240 | 0.0 | steady |
| b | gpu_time_ns | 745720 | 745720 | 0.0 | steady |
| b | dispatches | 60 | 60 | 0.0 | steady |

- **a**: kernels limit it (79.6 % of the span); gemm_kernel<float, 0> is 34.0 % of the path's work
- **b**: kernels limit it (95.3 % of the span); softmax_kernel<float, 0> is 56.0 % of the path's work
2 history.jsonl

! echo nonsense >> history.jsonl

$ -batch -x nightly.lua -- history.jsonl a.db
err: error: history.jsonl:3: bad JSON in line 1, column 1: expected a value; take the line out, or begin a new history
? 1

# Idle times.
$ -batch -x gaps.lua -- a.db --min-ns 1 --top 3
gaps        25
idle        14.159 us
idle_share  3.02 %

gap ns  start us  after  after_kernel                 before  before_kernel
   891   315.891  d48    gemm_kernel<float, 0>        d49     gemm_kernel<float, 0>
   866   443.212  d58    layer_norm_kernel<float, 0>  d59     layer_norm_kernel<float, 0>
   865   427.267  d57    gemm_kernel<float, 0>        d58     layer_norm_kernel<float, 0>
(3 rows, recorded)
err: note: the 3 longest of 25 gaps

$ -batch -x gaps.lua -- a.db --min-ns 1 --top 2 --by pair
gaps        25
idle        14.159 us
idle_share  3.02 %

gap ns  times  longest ns  after_kernel              before_kernel
  6324     11         891  gemm_kernel<float, 0>     gemm_kernel<float, 0>
  1721      3         749  softmax_kernel<float, 0>  gemm_kernel<float, 0>
(2 rows, recorded)
err: note: the 2 longest of 10 pairs

$ -batch -x gaps.lua --
err: error: gaps.lua:73: no trace is open; name a recording as the first argument, or open one before: open FILE
? 1

# A picture of the worst moment.
$ -batch -x perfetto.lua -- a.db worst.json --margin 5
output         worst.json
moment         d41 of softmax_kernel<float, 0>, 23680 ns
from           223.234 us
to             256.914 us
dispatches     3
of_dispatches  60
(recorded)

$ --json -batch -x perfetto.lua -- a.db gap.json --around gap --margin 2
{
  "schema": "rpl.perfetto/1",
  "output": "gap.json",
  "moment": "891 ns in which a1 ran nothing, before d49",
  "from_ns": 313891,
  "to_ns": 318782,
  "dispatches": 2,
  "of_dispatches": 60,
  "notes": [],
  "provenance": "recorded"
}

! head -1 worst.json | cut -c1-40; grep -c '"ph":"X"' gap.json
{"displayTimeUnit":"ns","otherData":{"or
2

# Gates and comparisons.
$ -batch -x gate.lua -- a.db budget.json
passed  no
broken  1

what   metric    value  limit    verdict
trace  span_ns  468508  <= 1000  broken
(1 row)
? 3

$ -batch -x gate.lua -- a.db broken.json
err: error: broken.json: unknown part 'trce'; a budget has trace, critpath and kernels
? 2

$ -batch -x diff.lua -- a.db b.db --top 3
kernel                      calls_before  calls_after  before us  after us  delta us  ratio x  state
softmax_kernel<float, 0>               6           15    131.840   321.080   189.240    1.027  both
gemm_kernel<float, 0>                 38           31    308.520   253.480   -55.040    0.993  both
elementwise_..el<float, 0>             1            0     18.320     0.000   -18.320        -  gone
(3 rows)
err: note: the 3 largest changes of 5 kernels; --top 0 lists all

$ -batch -x triage.lua -- a.db --top 2
id       kernel                       calls  path us  path_share %  gain %  gain_low %  gain_high %
ka729f4  gemm_kernel<float, 0>           38  161.880         36.22   17.28        0.92        17.28
kb41d91  layer_norm_kernel<float, 0>     10  100.760         22.54   10.75        0.00        10.75
(2 rows)

$ -batch -x outliers.lua -- a.db --times 1.5
id  kernel  duration ns  median ns  excess ns  times_median x
(0 rows)

$ -batch -x top_by_stream.lua -- a.db --top 1
stream  kernel                 calls  total us  share %
s3      gemm_kernel<float, 0>     12    96.560    38.29
s1      gemm_kernel<float, 0>     17   139.760    73.48
s2      gemm_kernel<float, 0>      9    72.200    38.02
(3 rows)

$ -batch -x report.lua -- a.db --top 2
\# t1: a.db, 60 dispatches of 5 kernels

\## Trace

| field | value |
| --- | --- |
| id | t1 |
| path | a.db |
| format | rocpd 3 |
| dispatches | 60 |
| kernels | 5 |
| streams | 3 |
| queues | 2 |
| agents | 1 |
| processes | 1 |
| span_ns | 468508 |
| gpu_time_ns | 632320 |
| busy_ns | 454349 |
| busy_share | 0.969778530996269 |
| device | gfx942 x1 |
| recorded | ["copies"] |
| file_bytes | 159744 |
| memory_bytes | 1680 |
| warnings | 0 |

\## Kernels

| id | kernel | name | calls | total_ns | mean_ns | min_ns | max_ns | stddev_ns | variation | share | real_low | real_high |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| ka729f4 | gemm_kernel&lt;float, 0> | void gemm_kernel&lt;float, 0>(float const\*, float\*, int) | 38 | 308520 | 8118.9473684210525 | 7400 | 8920 | 448.9494612722811 | 0.05529651085293233 | 0.4879175101214575 |  |  |
| kb41d91 | layer_norm_kernel&lt;float, 0> | void layer_norm_kernel&lt;float, 0>(float const\*, float\*, int) | 10 | 143360 | 14336.0 | 12680 | 15080 | 711.6053837782723 | 0.0496376523282835 | 0.22672064777327935 |  |  |

> only 2 of 5 rows
\## Critical path

| field | value |
| --- | --- |
| model | default |
| span_ns | 468508 |
| critical_path_ns | 446988 |
| segments_ns | {"kernel": 392560, "copy": 54428, "launch": 0, "host": 0, "idle": 21520} |
| operations | 37 |
| dominant_kernel | void gemm_kernel&lt;float, 0>(float const\*, float\*, int) |
| dominance_fraction | 0.36215737335230475 |
| ceiling_speedup | 1.5677848394292688 |
| edges | {"stream_order": 24, "queue_order": 10, "inferred": 2} |

| id | kernel | calls | path_calls | path_ns | share | min_slack_ns | gain_if_2x | priority |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| ka729f4 | void gemm_kernel&lt;float, 0>(float const\*, float\*, int) | 38 | 20 | 161880 | 0.36215737335230475 | 0 | 0.17276119084412647 |  |
| kb41d91 | void layer_norm_kernel&lt;float, 0>(float const\*, float\*, int) | 10 | 7 | 100760 | 0.2254199217876095 | 0 | 0.10753284895882248 |  |


# Is it quiet enough here? A modelled time has no noise; the file was recorded on a GPU.
$ -batch -x noise.lua -- softmax
kernel   noise_share %  ratio x  samples  verdict
softmax           0.00    1.000        2  quiet
(1 row, modelled)

$ -batch -x noise.lua -- --samples noise.jsonl.gz --limit 0.001
kernel   noise_share %  ratio x  samples  verdict
chase             0.11    1.000    7,040  noisy
compute           0.00    1.000    7,040  quiet
small             0.21    0.999    7,040  noisy
stream            0.04    1.000    7,040  quiet
(4 rows, recorded)
? 3

$ -batch -x noise.lua --
err: error: noise needs a captured dispatch or recorded samples; noise captures/softmax, or noise --samples FILE; 'capture run' makes a capture
? 2

# Stalls of two commits.
$ -batch -x stall_diff.lua -- att/rowsum att/rowsum_prefetch --top 3
before_cycles  3954 cycles
after_cycles   2312 cycles
change         -41.53 %
verdict        shorter

kind     what                         before_cycles  after_cycles  change_cycles  text
cause    wait vmcnt                               -             -          -1669  -
cause    issue                                    -             -             23  -
cause    wait lgkmcnt                             -             -              4  -
cause    drain                                    -             -              0  -
cause    idle                                     -             -              0  -
cause    stall FLAT                               -             -              0  -
cause    wait barrier                             -             -              0  -
matched  /work/kernels/pair.h:7                2675          1096          -1579  return pair.x +
matched  /work/kernels/pair.h:8                 345           266            -79  pair.y;
added    /work/kernels/rowsum.hip:22              0            20             20  keep(a);
(10 rows, recorded)

$ -batch -x stall_diff.lua -- att/rowsum_prefetch att/rowsum --top 1 --worse 5
before_cycles  2312 cycles
after_cycles   3954 cycles
change         71.02 %
verdict        longer

kind     what                    before_cycles  after_cycles  change_cycles  text
cause    wait vmcnt                          -             -           1669  -
cause    issue                               -             -            -23  -
cause    wait lgkmcnt                        -             -             -4  -
cause    drain                               -             -              0  -
cause    idle                                -             -              0  -
cause    stall FLAT                          -             -              0  -
cause    wait barrier                        -             -              0  -
matched  /work/kernels/pair.h:7           1096          2675           1579  return pair.x +
(8 rows, recorded)
? 3

# Occupancy.
$ -batch -x occupancy_whatif.lua -- --object attention.co
kernel        attention
waves_per_cu  16
occupancy     50.00 %
limiter       vgprs and lds
vgprs         120
lds           4096 B

waves_per_cu  occupancy %  vgprs  lds B
          18        56.25     96   3584
          20        62.50     96   3072
          21        65.62     80   3072
          24        75.00     80   2560
          25        78.12     72   2560
          28        87.50     72   2048
          32       100.00     64   2048
(7 rows, estimated)

$ -batch -x occupancy_whatif.lua -- --object matmul.co
kernel        matmul
waves_per_cu  32
occupancy     100.00 %
limiter       wave slots
vgprs         40
lds           2048 B

waves_per_cu  occupancy %  vgprs  lds B
(0 rows, estimated)
? 4

$ -batch -x occupancy_whatif.lua -- a.db
kernel        gemm_kernel<float, 0>
waves_per_cu  28
occupancy     87.50 %
limiter       sgprs
vgprs         16
lds           0 B

waves_per_cu  occupancy %  vgprs  lds B
(0 rows, estimated)
? 4

# Roofs of the longest kernels.
$ -batch -x roofline_top.lua -- counters
kernel        total us  share %  arithmetic_intensity  bound    roof_share %  lost us  limited_by    remark
stenc..e, 3>   620.000    36.56                 5.722  memory          48.79  317.526  insuf.. data  -
gemm_.. 128>   481.000    28.36                 799.4  compute         43.71  270.759  insuf.. data  -
saxpy          380.000    22.41                0.3333  memory          79.60   77.526  memor..bound  -
gemm_i8        120.000     7.08                     0  compute         43.80   67.440  insuf.. data  -
softmax_rows    75.000     4.42                 1.192  memory          67.22   24.588  memor..bound  -
fill            20.000     1.18                     0  memory         157.54        -  insuf.. data  158 %.. mall
(6 rows, estimated)

# The first NaN.
$ -batch -x find_nan.lua -- v5 normalize.co --grid 256 --workgroup 128 --arg f32:zero:1000 --arg f32:zero:1000 --arg i32:200 --arg i32:5
found        yes
instruction  v_mul_f32_e32 v5, v4, v5
lane         0
place        normalize.hip:21:10 in normalize
wave         0
workgroup    0
writes       4
