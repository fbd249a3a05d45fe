# Names that a terminal, a spreadsheet or a page would obey: shown, in every form, and obeyed by none.
! printf 'Kernel_Name,Start_Timestamp,End_Timestamp\n"EV\033]0;PWNED\007\033[31mred\342\200\256gnp\302\233|a`b\nSECOND",1000,2000\n"=cmd|'"'"' /C calc'"'"'!A0",3000,4500\n@SUM(1+1),5000,6200\n<script>alert(1)</script>,7000,8100\n' > h_kernel_trace.csv

$ info kernels --trace h_kernel_trace.csv
id       kernel                    calls  total ns  mean ns  min ns  max ns  stddev ns  share %
kb3c497  calc'!A0                      1      1500     1500    1500    1500          -    31.25
k4a1744  @SUM                          1      1200     1200    1200    1200          -    25.00
k5c140d  <script>ale..1)</script>      1      1100     1100    1100    1100          -    22.92
k7980c6  EV\x1b]0;PW..|a`b SECOND      1      1000     1000    1000    1000          -    20.83
(4 rows; no room for variation: /v, recorded)

$ info kernels --trace h_kernel_trace.csv --csv
id,kernel,name,calls,total_ns,mean_ns,min_ns,max_ns,stddev_ns,variation,share,real_low,real_high
kb3c497,calc'!A0,'=cmd|' /C calc'!A0,1,1500,1500.0,1500,1500,,,0.3125,,
k4a1744,'@SUM,'@SUM(1+1),1,1200,1200.0,1200,1200,,,0.25,,
k5c140d,<script>alert(1)</script>,<script>alert(1)</script>,1,1100,1100.0,1100,1100,,,0.22916666666666666,,
k7980c6,EV\x1b]0;PWNED\x07\x1b[31mred\u202egnp\u009b|a`b SECOND,"EV\x1b]0;PWNED\x07\x1b[31mred\u202egnp\u009b|a`b
SECOND",1,1000,1000.0,1000,1000,,,0.20833333333333334,,

! rpl info kernels --trace h_kernel_trace.csv --csv-raw | cat -v | cut -d, -f1-3
id,kernel,name
kb3c497,calc'!A0,=cmd|' /C calc'!A0
k4a1744,@SUM,@SUM(1+1)
k5c140d,<script>alert(1)</script>,<script>alert(1)</script>
k7980c6,EV^[]0;PWNED^G^[[31mredM-bM-^@M-.gnpM-BM-^[|a`b SECOND,"EV^[]0;PWNED^G^[[31mredM-bM-^@M-.gnpM-BM-^[|a`b
SECOND",1,1000

$ info kernels --trace h_kernel_trace.csv --md
| id | kernel | name | calls | total_ns | mean_ns | min_ns | max_ns | stddev_ns | variation | share | real_low | real_high |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| kb3c497 | calc'!A0 | =cmd\|' /C calc'!A0 | 1 | 1500 | 1500.0 | 1500 | 1500 |  |  | 0.3125 |  |  |
| k4a1744 | @SUM | @SUM(1+1) | 1 | 1200 | 1200.0 | 1200 | 1200 |  |  | 0.25 |  |  |
| k5c140d | &lt;script>alert(1)&lt;/script> | &lt;script>alert(1)&lt;/script> | 1 | 1100 | 1100.0 | 1100 | 1100 |  |  | 0.22916666666666666 |  |  |
| k7980c6 | EV\\x1b]0;PWNED\\x07\\x1b[31mred\\u202egnp\\u009b\|a\`b SECOND | EV\\x1b]0;PWNED\\x07\\x1b[31mred\\u202egnp\\u009b\|a\`b\\nSECOND | 1 | 1000 | 1000.0 | 1000 | 1000 |  |  | 0.20833333333333334 |  |  |

$ info kernels --trace h_kernel_trace.csv --jsonl
{"id": "kb3c497", "kernel": "calc'!A0", "name": "=cmd|' /C calc'!A0", "calls": 1, "total_ns": 1500, "mean_ns": 1500.0, "min_ns": 1500, "max_ns": 1500, "stddev_ns": null, "variation": null, "share": 0.3125, "real_low": null, "real_high": null}
{"id": "k4a1744", "kernel": "@SUM", "name": "@SUM(1+1)", "calls": 1, "total_ns": 1200, "mean_ns": 1200.0, "min_ns": 1200, "max_ns": 1200, "stddev_ns": null, "variation": null, "share": 0.25, "real_low": null, "real_high": null}
{"id": "k5c140d", "kernel": "<script>alert(1)</script>", "name": "<script>alert(1)</script>", "calls": 1, "total_ns": 1100, "mean_ns": 1100.0, "min_ns": 1100, "max_ns": 1100, "stddev_ns": null, "variation": null, "share": 0.22916666666666666, "real_low": null, "real_high": null}
{"id": "k7980c6", "kernel": "EV\u001b]0;PWNED\u0007\u001b[31mred\u202egnp\u009b|a`b SECOND", "name": "EV\u001b]0;PWNED\u0007\u001b[31mred\u202egnp\u009b|a`b\nSECOND", "calls": 1, "total_ns": 1000, "mean_ns": 1000.0, "min_ns": 1000, "max_ns": 1000, "stddev_ns": null, "variation": null, "share": 0.20833333333333334, "real_low": null, "real_high": null}

$ critpath --trace h_kernel_trace.csv
critical path: 4.800 us of kernels and copies in a span of 7.100 us (67.6 %), 4 operations
  kernel ##########################              4.800 us  67.6 %  kernels run
  idle   ############                            2.300 us  32.4 %  nothing recorded explains it
edges: inferred 3

EV\x1b]0;PWNED\x07\x1b..\u009b|a`b SECOND 1.000 us ~> gap 1.000 us (idle) => calc'!A0 1.500 us
  ~> gap 500 ns (idle) => @SUM 1.200 us ~> gap 800 ns (idle) => <script>alert(1)</script> 1.100 us

id       kernel                      calls  path_calls  path ns  share %  min_slack ns  gain_if_2x %
kb3c497  calc'!A0                        1           1     1500    31.25             0         10.56
k4a1744  @SUM                            1           1     1200    25.00             0          8.45
k5c140d  <script>alert(1)</script>       1           1     1100    22.92             0          7.75
k7980c6  EV\x1b]0;PWN..b|a`b SECOND      1           1     1000    20.83             0          7.04
(4 rows, recorded)

(rpl) open h_kernel_trace.csv
t1: 4 dispatches, 4 kernels, 0 streams, 7.100 us (csv)

(rpl) info dispatch d1
id           d1
dispatch_id  0
kernel       EV\x1b]0;PWNED\x07\x1b[31mred\u202egnp\u009b|a`b SECOND
kernel_id    k7980c6
start_ns     1000
at           0 ns
duration     1000 ns
end_ns       2000
agent        -
queue        -
stream       -
thread       -
grid         1x1x1
workgroup    1x1x1
lds          0 B
scratch      0 B
slack        0 ns
critical     yes

evidence  from  name  wait ns
(0 rows, recorded)

(rpl) info dispatch/v d1
id           d1
dispatch_id  0
kernel       EV\x1b]0;PWNED\x07\x1b[31mred\u202egnp\u009b|a`b SECOND
kernel_id    k7980c6
start_ns     1000
at           0 ns
duration     1000 ns
end_ns       2000
agent        -
queue        -
stream       -
thread       -
grid         1x1x1
workgroup    1x1x1
lds          0 B
scratch      0 B
slack        0 ns
critical     yes

(rpl) print $.kernel
$3 = EV\x1b]0;PWNED\x07\x1b[31mred\u202egnp\u009b|a`b
SECOND

$ lua "print(rpl.open('h_kernel_trace.csv').dispatches[1].kernel)"
EV\x1b]0;PWNED\x07\x1b[31mred\u202egnp\u009b|a`b
SECOND

# Errors, and the log of what was typed.
! rpl info dispatches --kernel "$(printf 'x\033[31m\nerror: nothing else is wrong')" --trace h_kernel_trace.csv
err: error: no kernel 'x\x1b[31m
err:   error: nothing else is wrong'; 'info kernels' lists them
? 1

! printf 'echo \033[31mred\n' | rpl -batch --session log -x /dev/stdin; rpl session log --session log --csv | cut -d, -f5
\\x1b[31mred
what
source /dev/stdin
echo \x1b[31mred
session log --csv

# Files for other programs.
$ export dot -o h.dot --trace h_kernel_trace.csv
wrote h.dot: 4 operations, 3 edges, 1.283 KiB

! grep -c 'x1b' h.dot
1

$ report md -o h.md --trace h_kernel_trace.csv
wrote h.md: 6.832 KiB

! grep -c '<script>' h.md
0
? 1

$ report html -o h.html --trace h_kernel_trace.csv
wrote h.html: 40.65 KiB

$ export chrome -o h.json --trace h_kernel_trace.csv
wrote h.json: 4 slices, 3 arrows, 1.804 KiB
err: note: open it at ui.perfetto.dev or chrome://tracing

! cat h.dot h.md h.html h.json | LC_ALL=C tr -d '\11\12\40-\176\200-\377' | wc -c
0

! cat h.dot h.md h.html h.json | LC_ALL=C grep -c "$(printf '\342\200\256')"
0
? 1
