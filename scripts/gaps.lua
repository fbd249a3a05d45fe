-- Where was the GPU idle, and what ran before and after?
--   rpl -batch -x scripts/gaps.lua -- trace.db --top 10 --min-ns 5000
local rpl = require "rpl"

local function current(path)
  return path and rpl.open(path) or rpl.trace
      or error { code = "not_found", message = "no trace is open", hint = "name one: idle-gaps trace.db" }
end

return rpl.command {
  path = "idle-gaps",
  class = "analysis",
  summary = "List the longest times in which no kernel ran.",
  help = "A gap is the time between the latest end of all dispatches so far and the next start, over all queues and "
      .. "agents of the trace; copies do not count as work. `idle_share` is the sum of all gaps of at least `--min-ns` "
      .. "as a part of the span from the first start to the last end.",
  params = {
    { name = "trace", help = "a recording; the current trace without it", complete = "file" },
    { name = "top", default = 20, help = "gaps to list; 0 lists all" },
    { name = "min-ns", default = 1000, help = "shorter ones are not counted" },
  },
  columns = {
    { name = "gap_ns", help = "how long nothing ran" },
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
  examples = { "idle-gaps TRACE" },
  run = function(args)
    local t = current(args.trace)
    local origin, gaps, idle = t.start_ns, {}, 0
    local latest, latest_id, latest_kernel
    for _, id, kernel, start_ns, end_ns in t.dispatches:each("id", "kernel", "start_ns", "end_ns") do
      local gap = latest and start_ns - latest or 0
      if gap > 0 and gap >= args.min_ns then
        idle = idle + gap
        gaps[#gaps + 1] = { gap_ns = gap, start_ns = latest - origin, after = latest_id,
                            after_kernel = latest_kernel, before = id, before_kernel = kernel }
      end
      if not latest or end_ns > latest then
        latest, latest_id, latest_kernel = end_ns, id, kernel
      end
    end
    local count = #gaps
    table.sort(gaps, function(a, b)
      if a.gap_ns ~= b.gap_ns then return a.gap_ns > b.gap_ns end
      return a.start_ns < b.start_ns
    end)
    local notes = {}
    if args.top > 0 and count > args.top then
      notes[1] = ("the %d longest of %d gaps"):format(args.top, count)
      gaps = table.move(gaps, 1, args.top, 1, {})
    end
    local span = t.end_ns - t.start_ns
    return rpl.result {
      record = { gaps = count, idle_ns = idle, idle_share = span > 0 and idle / span or nil },
      fields = { "gaps", "idle_ns", "idle_share" },
      rows = gaps,
      columns = { "gap_ns", "start_ns", "after", "after_kernel", "before", "before_kernel" },
      notes = notes,
    }
  end,
}
