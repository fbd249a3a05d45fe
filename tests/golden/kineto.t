# Traces of PyTorch's profiler (Kineto): the same questions, the same answers as of a database of the run.
# fixture run.pt.trace.json: --dispatches 120 --queues 1 --streams 3 --kernels 5 --api --markers --seed 7 --copy-share 0.1 --marker-share 0.1 --sync-share 0.05
# fixture run.db: --dispatches 120 --queues 1 --streams 3 --kernels 5 --api --markers --seed 7 --copy-share 0.1 --marker-share 0.1 --sync-share 0.05
$ open run.pt.trace.json

$ open run.db

$ open run.pt.trace.json --json

$ summary run.pt.trace.json

$ info kernels run.pt.trace.json

$ info kernels run.db

$ critpath run.pt.trace.json --csv

$ critpath run.db --csv

$ gaps run.pt.trace.json

$ gaps run.db

$ timeline run.pt.trace.json

$ info api run.pt.trace.json

$ info api run.db

$ info copies run.pt.trace.json | head -6

$ info markers run.pt.trace.json | head -6

$ overlap run.pt.trace.json

$ whatif run.pt.trace.json --faster gemm_kernel=2x

$ advise run.pt.trace.json

$ info streams run.pt.trace.json

$ info agents run.pt.trace.json

$ info processes run.pt.trace.json --json

# What the profiler does not record is said.
$ info counters run.pt.trace.json

$ info warnings run.pt.trace.json

$ -batch -q -nx -ex 'open run.pt.trace.json' -ex 'sql SELECT 1'

# Packed files are opened as they are.
# fixture packed.pt.trace.json.gz: --dispatches 60 --api --seed 7
# fixture packed.pt.trace.json.zst: --dispatches 60 --api --seed 7
$ open packed.pt.trace.json.gz

$ open packed.pt.trace.json.zst

# One file a rank.
# fixture rank.pt.trace.json: --files 2 --dispatches 40 --streams 2 --kernels 3 --seed 5 --api
$ trace merge rank.pt.trace.json rank-1.pt.trace.json

$ -batch -q -nx -ex 'trace merge rank.pt.trace.json rank-1.pt.trace.json' -ex 'info processes/c' -ex 'info warnings/c'

# A file that ends early is read as far as it goes; malformed text names its byte.
# file cut.pt.trace.json:
#| {"schemaVersion": 1, "baseTimeNanoseconds": 1735632360000000000, "traceEvents": [
#| {"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 42, "tid": 42, "ts": 90.5, "dur": 4, "args": {"correlation": 1, "grid": [4, 1, 1], "block": [64, 1, 1]}},
#| {"ph": "X", "cat": "kernel", "name": "k(float*)", "pid": 0, "tid": 7, "ts": 100.001, "dur": 9.25, "args": {"device": 0, "stream": 7, "correlation": 1}},
#| {"ph": "X", "cat": "kernel", "name": "k(fl
# file bad.pt.trace.json:
#| {"schemaVersion": 1, "traceEvents": [
#| {"ph": "X", "cat": "kernel", "name": "k", "ts"; 100}]}
# file other.json:
#| {"traceEvents": [{"ph": "X", "name": "k", "pid": "6", "tid": "0", "ts": "1", "dur": "2"}]}
$ open cut.pt.trace.json

$ info warnings cut.pt.trace.json

$ info dispatches cut.pt.trace.json

$ open bad.pt.trace.json

$ open other.json

