-- Where was the GPU idle, and what ran before and after?
--   rpl -batch -x gaps.lua -- trace.db --top 10 --min-ns 5000
--   rpl -batch -x gaps.lua -- trace.db --by pair
-- `gaps` tells host and launch apart on each device; this looks at the whole recording, and finds the pair of kernels between which it waits again and again.
local rpl = require "rpl"

-- All gaps of at least `shortest` ns, in order of time, and their sum.
local function idle_times(t, shortest)
  local gaps, idle, origin = {}, 0, t.start_ns
  local latest, latest_id, latest_kernel
  for _, id, kernel, start_ns, end_ns in t.dispatches:each("id", "kernel", "start_ns", "end_ns") do
    local gap = latest and start_ns - latest or 0
    if gap > 0 and gap >= shortest then
      idle = idle + gap
      gaps[#gaps + 1] = { gap_ns = gap, start_ns = latest - origin, after = latest_id, after_kernel = latest_kernel, before = id, before_kernel = kernel }
    end
    if not latest or end_ns > latest then latest, latest_id, latest_kernel = end_ns, id, kernel end
  end
  return gaps, idle
end

-- One row for each pair of kernels.
local function pairs_of(gaps)
  local rows, known = {}, {}
  for _, gap in ipairs(gaps) do
    local key = gap.after_kernel .. "\0" .. gap.before_kernel
    local row = known[key]
    if not row then
      row = { after_kernel = gap.after_kernel, before_kernel = gap.before_kernel, times = 0, gap_ns = 0, longest_ns = 0, start_ns = gap.start_ns }
      known[key], rows[#rows + 1] = row, row
    end
    row.times, row.gap_ns, row.longest_ns = row.times + 1, row.gap_ns + gap.gap_ns, math.max(row.longest_ns, gap.gap_ns)
  end
  return rows
end

local columns = {
  gap = { "gap_ns", "start_ns", "after", "after_kernel", "before", "before_kernel" },
  pair = { "gap_ns", "times", "longest_ns", "after_kernel", "before_kernel" },
}

return rpl.command {
  path = "idle-gaps",
  class = "analysis",
  summary = "List the longest times in which no kernel ran.",
  help = "A gap is the time between the latest end of all dispatches so far and the next start, over all queues and "
      .. "agents of the trace; copies do not count as work. `idle_share` is the sum of all gaps of at least `--min-ns` "
      .. "as a part of the span from the first start to the last end. With `--by pair` a row is a pair of kernels, and `gap_ns` the sum of the gaps between them.",
  params = {
    { name = "trace", help = "a recording; the current trace without it", complete = "file" },
    { name = "by", default = "gap", choices = { "gap", "pair" }, help = "what a row is" },
    { name = "top", default = 20, help = "rows to list; 0 lists all" },
    { name = "min-ns", default = 1000, help = "shorter ones are not counted" },
  },
  columns = {
    { name = "gap_ns", help = "how long nothing ran" },
    { name = "times", type = "integer", unit = "count", help = "gaps of the pair" },
    { name = "longest_ns", help = "of them" },
    { name = "start_ns", help = "when it began, from the first start of the trace" },
    { name = "after", type = "id", help = "the dispatch that had ended last" },
    { name = "after_kernel", type = "kernel", help = "its kernel" },
    { name = "before", type = "id", help = "the dispatch that ended the gap" },
    { name = "before_kernel", type = "kernel", help = "its kernel" },
  },
  fields = {
    { name = "gaps", type = "integer", unit = "count", help = "how many there are" },
    { name = "idle_ns", help = "their sum" },
    { name = "idle_share", help = "of the span" },
  },
  scalar = "idle_share",
  examples = { "idle-gaps TRACE", "idle-gaps TRACE --by pair" },
  run = function(args)
    local t = rpl.use(args.trace)
    local gaps, idle = idle_times(t, args.min_ns)
    local rows = args.by == "pair" and pairs_of(gaps) or gaps
    table.sort(rows, function(a, b)
      if a.gap_ns ~= b.gap_ns then return a.gap_ns > b.gap_ns end
      return a.start_ns < b.start_ns
    end)
    local count, found, notes = #gaps, #rows, {}
    if args.top > 0 and found > args.top then
      notes[1] = ("the %d longest of %d %ss"):format(args.top, found, args.by)
      rows = table.move(rows, 1, args.top, 1, {})
    end
    for _, row in ipairs(rows) do if args.by == "pair" then row.start_ns = nil end end
    local span = t.end_ns - t.start_ns
    return rpl.result {
      record = { gaps = count, idle_ns = idle, idle_share = span > 0 and idle / span or nil },
      fields = { "gaps", "idle_ns", "idle_share" },
      rows = rows,
      columns = columns[args.by],
      notes = notes,
      provenance = "recorded",
    }
  end,
}
