# A run that crashed before it wrote anything: every command says something useful.
# shared empty.db: rocpd/empty_schema.db
$ open empty.db
t1: 0 dispatches (rocpd 3)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU
err: note: 3 remarks about the recording: info warnings

$ summary --trace empty.db
t1: 0 dispatches (rocpd 3)

id  kernel  calls  total ns  share %  path %  gain_if_2x %
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ info trace/q --trace empty.db
0
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ info kernels --trace empty.db
id  kernel  calls  total ns  mean ns  min ns  max ns  stddev ns  variation %  share %
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ info dispatches --trace empty.db
id  dispatch_id  kernel  agent  queue  stream  at ns  duration ns  grid  slack ns  critical
(0 rows; no room for workgroup: /v, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ info streams --trace empty.db
id  name  handle  process  dispatches  total ns  busy ns  busy_share %
(0 rows, recorded)

$ info agents --trace empty.db
id  type  index  arch  product  recorded_id  process  dispatches  total ns  busy ns  busy_share %
(0 rows; no room for compute_units, clock_hz, memory_bytes, peak_gbps: /v, recorded)
err: note: the recording names no agents

$ info copies --trace empty.db
id  direction  stream  from  to  at ns  duration ns  size B  rate GB/s
(0 rows, recorded)
err: note: the recording has no memory copies (rocprofv3 --memory-copy-trace)

$ info api --trace empty.db
name  category  calls  total ns  mean ns  max ns
(0 rows, recorded)
err: note: the recording has no API calls (rocprofv3 --hip-trace or --sys-trace)

$ info markers --trace empty.db
text  at ns  duration ns  thread
(0 rows, recorded)
err: note: the recording has no markers (rocprofv3 --marker-trace)

$ info counters --trace empty.db
counter  dispatches  sum  mean  max  block  unit  description
(0 rows, recorded)
err: note: the recording has no hardware counters (rocprofv3 --pmc)

$ info warnings --trace empty.db
recording: no dispatch was recorded: the application launched no kernel, kernels were not traced, or the recorder crashed
recording: no process was recorded: the recorder crashed before it wrote one
recording: no agent was recorded: the recorder crashed before it wrote one
recording: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ critpath --trace empty.db
there is no critical path

id  kernel  calls  path_calls  path ns  share %  min_slack ns  gain_if_2x %
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ critpath --model legacy --trace empty.db
there is no critical path

id  kernel  calls  path_calls  path ns  share %  min_slack ns  gain_if_2x %
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ slack --trace empty.db
id  kernel  calls  critical  min_slack ns  mean_slack ns  max_slack ns
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ gaps --trace empty.db
gaps       0
total      0 ns
busy       0 ns
gap_share  0.00 %
by_cause   launch 0 ns, host 0 ns, idle 0 ns

at ns  length ns  agent  cause  host ns  launch ns  before  after  kernel
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ overlap --trace empty.db
busy              0 ns
concurrent        0 ns
concurrent_share  0.00 %
potential         0 ns

first_id  first  second_id  second  pairs  could_save ns  on_path ns
(0 rows, estimated)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ timeline --trace empty.db
0 ns to 0 ns, one cell is 0 ns
nothing ran in this window
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ dag summary --trace empty.db
operations       0
edges            0
evidenced        0
evidenced_share  0.00 %
concurrent       0
memory           0 B

evidence      edges  share %
stream_order      0     0.00
queue_order       0     0.00
event             0     0.00
host_sync         0     0.00
launch            0     0.00
inferred          0     0.00
(6 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ dag nodes --trace empty.db
id  kind  at ns  duration ns  name
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ dag edges --trace empty.db
from  to  evidence  wait ns
(0 rows, recorded)
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ backtrace --trace empty.db
err: error: there is no dependency chain to walk; the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU
? 1

$ whatif --trace empty.db
err: error: there is no kernel on the critical path; the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU
? 1

$ info dispatch --trace empty.db
err: error: there is no dispatch to show; the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU
? 1

$ info kernel --trace empty.db
err: error: the recording has no kernel; the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU
? 1

$ trace window 0 1 --trace empty.db
err: error: no dispatch ran in this window; 'timeline' shows what ran when; times count from the beginning of the trace
? 1

$ export chrome -o t.json --trace empty.db
wrote t.json: 0 slices, 0 arrows, 227 B
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU
err: note: open it at ui.perfetto.dev or chrome://tracing

$ export svg -o t.svg --trace empty.db
wrote t.svg: 0 rows, 0 operations, 256 B
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ export dot -o t.dot --trace empty.db
wrote t.dot: 0 operations, 0 edges, 736 B
err: note: the recording has no dispatches and no agents: the run ended before the profiler could write them, or it never used a GPU

$ export csv kernels -o t.csv --trace empty.db
wrote t.csv: 0 rows of kernels, 97 B
