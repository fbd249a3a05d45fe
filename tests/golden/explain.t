# Where the numbers of a trace, its kernels and its dispatches come from: COMMAND.FIELD, TRACE.FIELD, KERNEL.FIELD, DISPATCH.FIELD.
# fixture small.db: --dispatches 60 --queues 2 --streams 3 --kernels 5 --seed 7
(rpl) open small.db
t1: 60 dispatches, 5 kernels, 3 streams, gfx942 x1, 522.3 us (rocpd 3)

(rpl) explain summary.span_ns
span_ns = 522314 ns  [recorded]
    = last_end_ns - first_start_ns
  last_end_ns = 522314 ns  [recorded]  d60
      = largest end of dispatches and copies
      (from first_start_ns; recorded as 3700000555588)
  first_start_ns = 0 ns  [recorded]  d1
      = least start of dispatches and copies
      (recorded as 3700000033274)

(rpl) explain summary.busy_share
busy_share = 97.42 %  [recorded]
    = busy_ns / span_ns
  busy_ns = 508860 ns  [recorded]  dispatches of t1
      = length of the union of [start, end] of the dispatches, over all devices
  span_ns = 522314 ns  [recorded]
      = last_end_ns - first_start_ns
    last_end_ns = 522314 ns  [recorded]  d60
        = largest end of dispatches and copies
        (from first_start_ns; recorded as 3700000555588)
    first_start_ns = 0 ns  [recorded]  d1
        = least start of dispatches and copies
        (recorded as 3700000033274)

(rpl) explain critpath.ceiling_speedup
ceiling_speedup = 1.53667  [estimated]
    = 1 / (1 - dominance_fraction)
    (of the path's operations alone: launches, host and idle time stay, and another path may become
    the longest; whatif runs the graph again)
  dominance_fraction = 34.92 %  [recorded]
      = dominant_path_ns / critical_path_ns
    dominant_path_ns = 173560 ns  [recorded]  dispatches of t1
        = the largest path_ns of a kernel
        (k858257, 8 of its 16 dispatches)
    critical_path_ns = 496960 ns  [recorded]
        = segments_ns.kernel + segments_ns.copy
      segments_ns.kernel = 496960 ns  [recorded]  dispatches of t1
          = kernels on the path, which leads back from the operation that ends last, each time to
          the predecessor that arrived last
      segments_ns.copy = 0 ns  [recorded]  dispatches of t1
          = memory copies on the path

(rpl) explain critpath.critical_path_ns
critical_path_ns = 496960 ns  [recorded]
    = segments_ns.kernel + segments_ns.copy
  segments_ns.kernel = 496960 ns  [recorded]  dispatches of t1
      = kernels on the path, which leads back from the operation that ends last, each time to the
      predecessor that arrived last
  segments_ns.copy = 0 ns  [recorded]  dispatches of t1
      = memory copies on the path

the older tool has in its place
critical_path.critical_path_ns = 498440 ns  older tool, critical_path.py
    = largest sum of durations over dispatches joined by queue order and by nearness in time
    (wrong: dispatches of a queue that overlap are added up, so that it can exceed the span; edges
    between queues are guessed from gaps of up to 50000 ns, which grow with the trace; the host,
    copies and events do not exist)

(rpl) explain gaps.gap_share
gap_share = 2.576 %  [recorded]
    = total_ns / (total_ns + busy_ns)
  total_ns = 13454 ns  [recorded]
      = by_cause_ns.launch + by_cause_ns.host + by_cause_ns.idle
    by_cause_ns.launch = 0 ns  [recorded]  dispatches of t1
        = part of the gaps in which the launch of the next operation had been called
    by_cause_ns.host = 0 ns  [recorded]  dispatches of t1
        = part of the gaps in which the host had not called it yet
    by_cause_ns.idle = 13454 ns  [recorded]  dispatches of t1
        = gaps in front of operations without a recorded call
  busy_ns = 508860 ns  [recorded]  dispatches of t1
      = union of dispatches and copies of each device, summed over devices

(rpl) explain overlap.potential_ns
potential_ns = 8547 ns  [estimated]  dispatches of t1
    = sum over pairs (a, b) that nothing recorded orders of min(end(a) - max(start(a), arrival(b)),
    duration(b))
    (3 pairs of kernels; savings of different pairs exclude one another, and whether both fit on the
    device is not asked)

(rpl) explain whatif.gain_low --speedup 4
gain_low = 0 %  [estimated]
    = gain without what moves by inferred edges or unexplained gaps; of modelled times the least of
    that and of the gain with the kernels' times / (1 + band) and all others * (1 + band)
    (operations behind inferred edges stay where they were)
  gain = 24.92 %  [estimated]
      = (before_ns - after_ns) / before_ns
    before_ns = 522314 ns  [recorded]
        = last_end_ns - first_start_ns
      last_end_ns = 522314 ns  [recorded]  d60
          = largest end of dispatches and copies
          (from first_start_ns; recorded as 3700000555588)
      first_start_ns = 0 ns  [recorded]  d1
          = least start of dispatches and copies
          (recorded as 3700000033274)
    after_ns = 392144 ns  [estimated]
        = the graph run again with durations / speedup: each operation starts when its last
        predecessor has ended plus its recorded wait
      speedup = 4  [estimated]  as asked
          (of k858257)
      changed_dispatches = 16  [recorded]  dispatches of t1
          = dispatches of the kernel that became faster
      total_ns = 343800 ns  [recorded]  dispatches of t1
          = sum of end - start over its dispatches
      path_ns = 173560 ns  [recorded]  dispatches of t1
          = time of its dispatches on the critical path
  uncertain_operations = 59  [estimated]  dispatches of t1
      = operations that moved only because of inferred edges or unexplained gaps

(rpl) explain t1.busy_ns
busy_ns = 508860 ns  [recorded]  dispatches of t1
    = length of the union of [start, end] of the dispatches, over all devices
    (this is summary.busy_ns; other numbers of that name: gaps.busy_ns, overlap.busy_ns)

(rpl) explain k858257.min_ns
min_ns = 20120 ns  [recorded]  d39
    = least end - start of its dispatches

(rpl) explain k858257.criticality
criticality = 34.92 %  [recorded]
    = path_ns / critical_path_ns
  path_ns = 173560 ns  [recorded]  dispatches of t1
      = time of its dispatches on the critical path
  critical_path_ns = 496960 ns  [recorded]
      = segments_ns.kernel + segments_ns.copy
    segments_ns.kernel = 496960 ns  [recorded]  dispatches of t1
        = kernels on the path, which leads back from the operation that ends last, each time to the
        predecessor that arrived last
    segments_ns.copy = 0 ns  [recorded]  dispatches of t1
        = memory copies on the path

(rpl) explain k858257.mean_slack_ns
mean_slack_ns = 119071 ns  [recorded]
    = sum_slack_ns / calls
  sum_slack_ns = 1905132 ns  [recorded]  dispatches of t1
      = sum of the slack of its dispatches
  calls = 16  [recorded]  dispatches of t1

(rpl) explain k858257.whatif.after_ns
after_ns = 435534 ns  [estimated]
    = the graph run again with durations / speedup: each operation starts when its last predecessor
    has ended plus its recorded wait
  speedup = 2  [estimated]  as asked
      (of k858257)
  changed_dispatches = 16  [recorded]  dispatches of t1
      = dispatches of the kernel that became faster
  total_ns = 343800 ns  [recorded]  dispatches of t1
      = sum of end - start over its dispatches
  path_ns = 173560 ns  [recorded]  dispatches of t1
      = time of its dispatches on the critical path

(rpl) explain d12.duration_ns
duration_ns = 7720 ns  [recorded]
    = end_ns - start_ns
  end_ns = 99798 ns  [recorded]  d12 of t1
      (from the beginning of the trace; recorded as 3700000133072)
  start_ns = 92078 ns  [recorded]  d12 of t1
      (from the beginning of the trace; recorded as 3700000125352)

(rpl) explain d12.slack_ns
slack_ns = 0 ns  [recorded]  d12 of t1
    = min(last end - end(d), least of arrival(s) - end(d) + slack(s) over its successors s);
    docs/graph-model.md
    (it is critical: later by a nanosecond, the trace ends a nanosecond later)

(rpl) explain gaps.nothing
err: error: 'nothing' of gaps cannot be explained; known: gaps, by_cause_ns.launch, by_cause_ns.host, by_cause_ns.idle, total_ns, busy_ns, gap_share

(rpl) explain d12.mean_ns
err: error: 'mean_ns' of a dispatch cannot be explained; known: start_ns, end_ns, duration_ns, slack_ns

(rpl) explain t2.span_ns
err: error: no trace 't2' is open; trace list

(rpl) explain/q critpath.dominance_fraction
0.349243399871217
