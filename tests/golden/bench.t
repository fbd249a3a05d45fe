# The decision rule: on raw samples from elsewhere, on two builds of a kernel, and its own error rates.
# modelled
# example noise.jsonl.gz: ../tests/engine/optimize/measure/noise/noise.jsonl.gz
# example softmax: captures/softmax
# example softmax.co: hip/objects/softmax.gfx942.co
# example add.co: hip/objects/vector_add.gfx942.co
$ bench import noise.jsonl.gz --kernel stream --gain 0.02
file        noise.jsonl.gz
kernel      stream
verdict     improved
ratio       1.020 x
ci_low      1.020 x
ci_high     1.021 x
floor       1.00 %
samples     2,112
design      12 processes × 12 blocks × 8 dispatches
looks       1
confidence  95.00 %

kernel  gain  verdict   ratio x  ci_low x  ci_high x  floor %  samples  design
stream  0.02  improved    1.020     1.020      1.021     1.00    2,112  12 processe.. dispatches
(1 row; no room for looks, confidence: /v, recorded)

$ bench import/q noise.jsonl.gz --kernel chase --gain 0.02
undecided
? 4

$ bench import noise.jsonl.gz
file        noise.jsonl.gz
kernel      -
verdict     -
ratio       -
ci_low      -
ci_high     -
floor       -
samples     -
design      -
looks       -
confidence  -

kernel   gain  verdict     ratio x  ci_low x  ci_high x  floor %  samples  design
chase    0.01  equivalent    1.005     1.003      1.007     1.00    2,112  12 processe.. dispatches
chase    0.02  undecided     1.011     1.009      1.012     1.00    2,112  12 processe.. dispatches
chase    0.05  improved      1.026     1.023      1.028     1.00    2,112  12 processe.. dispatches
chase       0  equivalent    1.000     0.999      1.001     1.00    7,040  40 processe.. dispatches
compute  0.01  undecided     1.010     1.010      1.010     1.00    2,112  12 processe.. dispatches
compute  0.02  improved      1.020     1.020      1.020     1.00    2,112  12 processe.. dispatches
compute  0.05  improved      1.052     1.052      1.052     1.00    2,112  12 processe.. dispatches
compute     0  equivalent    1.000     1.000      1.000     1.00    7,040  40 processe.. dispatches
small    0.01  undecided     1.007     1.004      1.011     1.00    2,112  12 processe.. dispatches
small    0.02  improved      1.021     1.017      1.026     1.00    2,112  12 processe.. dispatches
small    0.05  improved      1.042     1.039      1.046     1.00    2,112  12 processe.. dispatches
small       0  equivalent    0.999     0.998      1.001     1.00    7,040  40 processe.. dispatches
stream   0.01  improved      1.011     1.010      1.012     1.00    2,112  12 processe.. dispatches
stream   0.02  improved      1.020     1.020      1.021     1.00    2,112  12 processe.. dispatches
stream   0.05  improved      1.052     1.052      1.053     1.00    2,112  12 processe.. dispatches
stream      0  equivalent    1.000     1.000      1.000     1.00    7,040  40 processe.. dispatches
(16 rows; no room for looks, confidence: /v, recorded)

$ bench import noise.jsonl.gz --kernel nothing
err: error: noise.jsonl.gz has no such kernel or gain; without --kernel and --gain all are listed
? 1

# file few.jsonl:
#| {"kernel": "k", "process": 1, "blocks": [{"order": "AB", "a": [100, 101], "b": [50, 51]}, {"order": "BA", "a": [100, 101], "b": [50, 51]}]}
#| {"kernel": "k", "process": 2, "blocks": [{"order": "AB", "a": [100, 101], "b": [50, 51]}, {"order": "BA", "a": [100, 101], "b": [50, 51]}]}
# Two processes decide nothing.
$ bench import few.jsonl
file        few.jsonl
kernel      k
verdict     undecided
ratio       1.990 x
ci_low      0.000 x
ci_high     -
floor       1.00 %
samples     8
design      2 processes × 2 blocks × 2 dispatches
looks       1
confidence  95.00 %

kernel  gain  verdict    ratio x  ci_low x  ci_high x  floor %  samples  design
k          -  undecided    1.990     0.000          -     1.00        8  2 processes.. dispatches
(1 row; no room for looks, confidence: /v, recorded)
? 4

# file bad.jsonl:
#| {"kernel": "k", "blocks": [{"order": "AB", "a": [100, 0], "b": [50]}]}
$ bench import bad.jsonl
err: error: bad.jsonl: line 1: blocks[0].a[1]: expected a time; each line is {"kernel": …, "gain": …, "process": …, "blocks": [{"order": "AB", "a": [ns …], "b": [ns …]}]}
? 1

$ bench ab softmax.co softmax.co --capture softmax
id           b1
capture      c1
kernel       softmax
target       emu
time_source  modelled
candidate    softmax.co
verdict      equivalent
ratio        1.000 x
ci_low       1.000 x
ci_high      1.000 x
floor        0.00 %
samples      2
design       1 process × 1 block × 1 dispatch, modelled
looks        1
confidence   95.00 %

candidate   measurement  verdict     ratio x  ci_low x  ci_high x  floor %  samples
softmax.co  first        equivalent    1.000     1.000      1.000     0.00        2
(1 row; no room for design, looks, confidence: /v, modelled)
? 4

$ bench ab softmax.co add.co --capture softmax
err: error: no kernel named 'softmax'; it has vector_add
? 1

$ bench ab softmax.co softmax.co --capture softmax --processes 3
err: error: --processes 3: fewer than 5 decide nothing; --processes 5
? 2

$ bench aa --capture softmax
id           b2
capture      c1
kernel       softmax
target       emu
time_source  modelled
noise_floor  0.00 %
verdict      equivalent
ratio        1.000 x
ci_low       1.000 x
ci_high      1.000 x
floor        0.00 %
samples      2
design       1 process × 1 block × 1 dispatch, modelled
looks        1
confidence   95.00 %
(modelled)
err: note: modelled times do not differ from run to run: their noise is 0

$ info measurements
id  proposal  baseline ns  candidate ns  time_source  verdict     ratio x  ci_low x  ci_high x
b1  -                   -             -  modelled     equivalent    1.000     1.000      1.000
b2  -                   -             -  modelled     equivalent    1.000     1.000      1.000
(2 rows; no room for floor, model, about: /v, modelled)

# Equal seeds, equal numbers; docs/decision-rule.md shows this.
$ bench rates/m --recorded noise.jsonl.gz
| field | value |
| --- | --- |
| sessions | 2000 |

| noise | truth | no_op | no_op_ext | ten_no_ops | gain | gain_ext | regression | covered | processes | older_no_op | older_ten | older_gain | older_regr |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| quiet | simulated | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 0.0 | 0.995 | 5.0 | 0.0 | 0.0 | 0.457 | 0.0 |
| drift | simulated | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 0.0 | 0.9965 | 5.008 | 0.123 | 0.739 | 0.48 | 0.01 |
| spikes | simulated | 0.0 | 0.0 | 0.0 | 0.9995 | 1.0 | 0.0 | 0.994 | 5.004 | 0.054 | 0.4325 | 0.48 | 0.023 |
| processes | simulated | 0.0 | 0.0 | 0.0 | 0.93 | 0.999 | 0.0 | 0.962 | 5.514 | 0.101 | 0.635 | 0.491 | 0.007 |
| everything | simulated | 0.0 | 0.0 | 0.0 | 0.892 | 0.998 | 0.0 | 0.97 | 5.732 | 0.171 | 0.854 | 0.4845 | 0.0355 |
| chase | recorded | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 0.0 |  | 5.0 | 0.048 | 0.377 | 0.719 | 0.0 |
| compute | recorded | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 0.0 |  | 5.0 | 0.0 | 0.0 | 0.348 | 0.0 |
| small | recorded | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 0.0 |  | 5.0 | 0.1325 | 0.799 | 0.6195 | 0.004 |
| stream | recorded | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 0.0 |  | 5.0 | 0.0 | 0.0 | 0.473 | 0.0 |
