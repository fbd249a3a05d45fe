# Files for other tools: complete or not at all.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --api --markers --counters 2 --seed 7 --event-share 0.1 --copy-share 0.1 --marker-share 0.1
$ export csv kernels -o kernels.csv --trace small.db
wrote kernels.csv: 4 rows of kernels, 818 B

! head -3 kernels.csv
id,kernel,name,calls,total_ns,mean_ns,min_ns,max_ns,stddev_ns,variation,share,real_low,real_high
ka729f4,"gemm_kernel<float, 0>","void gemm_kernel<float, 0>(float const*, float*, int)",38,308960,8130.526315789473,7360,8920,465.61175897905895,0.05726711173357147,0.433518549699725,,
k858257,"softmax_kernel<float, 0>","void softmax_kernel<float, 0>(float const*, float*, int)",14,301480,21534.285714285714,20160,23720,1198.9335920899698,0.05567556816126966,0.4230229556041982,,

$ export json critpath -o path.json --trace small.db
wrote path.json: 4 rows of critpath, 1.441 KiB

! head -c 120 path.json
{
  "schema": "rpl.critpath/1",
  "model": "default",
  "span_ns": 701044,
  "critical_path_ns": 669403,
  "segments_ns"
\no newline

$ export markdown kernels --output kernels.md --trace small.db
wrote kernels.md: 4 rows of kernels, 1.029 KiB

! head -3 kernels.md
| id | kernel | name | calls | total_ns | mean_ns | min_ns | max_ns | stddev_ns | variation | share | real_low | real_high |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| ka729f4 | gemm_kernel&lt;float, 0> | void gemm_kernel&lt;float, 0>(float const\*, float\*, int) | 38 | 308960 | 8130.526315789473 | 7360 | 8920 | 465.61175897905895 | 0.05726711173357147 | 0.433518549699725 |  |  |

$ export chrome -o trace.json --trace small.db
wrote trace.json: 156 slices, 114 arrows, 67.05 KiB
err: note: open it at ui.perfetto.dev or chrome://tracing

! python3 -c "import json,collections; t=json.load(open('trace.json')); print(sorted(collections.Counter(e['ph'] for e in t['traceEvents']).items()))"
[('C', 240), ('M', 13), ('X', 156), ('f', 114), ('s', 114)]

# The same as Perfetto's packets, which other readers than rpl take.
$ export perfetto -o trace.pftrace --trace small.db
wrote trace.pftrace: 156 slices, 114 arrows, 19.90 KiB
err: note: open it at ui.perfetto.dev

$ export perfetto --no-api --no-arrows --no-counters -o few.pftrace --trace small.db
wrote few.pftrace: 74 slices, 0 arrows, 6.068 KiB
err: note: open it at ui.perfetto.dev

$ info trace trace.pftrace
err: error: trace.pftrace is a Perfetto trace, which rpl does not read; open the rocpd database of the same run; rocprofv3 writes one with '--output-format rocpd'
? 1

$ export svg -o timeline.svg --trace small.db
wrote timeline.svg: 3 rows, 66 operations, 23.69 KiB

! python3 -c "import xml.dom.minidom as m; d=m.parse('timeline.svg'); print(len(d.getElementsByTagName('title')) > 20)"
True

$ export dot -o dag.dot --nodes 5 --trace small.db
wrote dag.dot: 5 operations, 3 edges, 1.291 KiB
err: note: 61 later operations are left out: choose a window with --from and --to, or --nodes 0
err: note: 5 edges from nodes that are not drawn are left out

! head -8 dag.dot
digraph rpl {
  rankdir=LR;
  node [shape=box, fontname="sans-serif", fontsize=10, style=filled, fillcolor=white];
  edge [fontname="sans-serif", fontsize=8];
  d1 [label="d1 gemm_kernel<float, 0>\n8.880 us", color="#332288", penwidth=3];
  d2 [label="d2 softmax_kernel<float, 0>\n20.92 us", color="#999933", penwidth=3];
  d3 [label="d3 gemm_kernel<float, 0>\n7.400 us", color="#332288"];
  d4 [label="d4 softmax_kernel<float, 0>\n22.88 us", color="#999933"];

$ export csv kernels -o /nosuch/folder/kernels.csv --trace small.db
err: error: cannot write /nosuch/folder/kernels.csv: No such file or directory; choose another place with -o FILE
? 1

$ export csv kernels --trace small.db
err: error: 'export csv' needs the file to write: -o FILE; usage: export csv [WHAT] -o FILE [--force]
? 2

# What rpl made it makes again. What is somebody's, or was changed since, it replaces with --force alone.
$ export csv kernels -o kernels.csv --trace small.db
wrote kernels.csv: 4 rows of kernels, 818 B

! printf 'mine\n' > kernels.csv

$ export csv kernels -o kernels.csv --trace small.db
err: error: kernels.csv was changed since rpl made it; name another file, or replace it with --force
? 1

$ export csv kernels -o kernels.csv --trace small.db --force
wrote kernels.csv: 4 rows of kernels, 818 B

! printf 'mine\n' > path.svg

$ export svg --trace small.db -o path.svg
err: error: path.svg is there already, and nothing shows that rpl made it; name another file, or replace it with --force
? 1

! rm path.svg

! ls
dag.dot
few.pftrace
kernels.csv
kernels.md
path.json
small.db
timeline.svg
trace.json
trace.pftrace
