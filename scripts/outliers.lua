-- Which dispatches took much longer than their kernel usually does?
--   rpl -batch -x outliers.lua -- trace.db --times 5
local rpl = require "rpl"

return rpl.command {
  path = "outliers",
  class = "analysis",
  summary = "List dispatches that took far longer than their kernel's median.",
  help = "A dispatch is listed when it took more than `--times` the median duration of its kernel and launch size, for "
      .. "groups of at least `--calls` dispatches. `excess_ns` is what it took beyond the median.",
  params = {
    { name = "trace", help = "a recording; the current trace without it", complete = "file" },
    { name = "times", default = 3.0, help = "how many times the median" },
    { name = "calls", default = 5, help = "smaller groups are not judged" },
    { name = "top", default = 20, help = "dispatches to list; 0 lists all" },
  },
  columns = {
    { name = "id", help = "the dispatch" },
    { name = "kernel", help = "its kernel" },
    { name = "duration_ns", help = "how long it took" },
    { name = "median_ns", help = "of its group" },
    { name = "excess_ns", help = "duration - median" },
    { name = "times_median", type = "number", unit = "ratio", help = "duration / median" },
  },
  scalar = "id",
  examples = { "outliers TRACE --times 10" },
  run = function(args)
    local t = rpl.use(args.trace)
    local groups = {}
    for _, kernel, grid, duration_ns in t.dispatches:each("kernel", "grid", "duration_ns") do
      local key = kernel .. "\0" .. table.concat(grid, ",")
      local group = groups[key]
      if not group then
        group = {}
        groups[key] = group
      end
      group[#group + 1] = duration_ns
    end
    for _, group in pairs(groups) do
      table.sort(group)
      group.median = group[(#group + 1) // 2]
    end
    local rows = {}
    for _, id, kernel, grid, duration_ns in t.dispatches:each("id", "kernel", "grid", "duration_ns") do
      local group = groups[kernel .. "\0" .. table.concat(grid, ",")]
      if #group >= args.calls and duration_ns > args.times * group.median then
        rows[#rows + 1] = { id = id, kernel = kernel, duration_ns = duration_ns, median_ns = group.median,
                            excess_ns = duration_ns - group.median,
                            times_median = group.median > 0 and duration_ns / group.median or nil }
      end
    end
    table.sort(rows, function(a, b)
      if a.excess_ns ~= b.excess_ns then return a.excess_ns > b.excess_ns end
      return a.id < b.id
    end)
    if args.top > 0 and #rows > args.top then
      rpl.ui.note("the %d worst of %d; --top 0 lists all", args.top, #rows)
      rows = table.move(rows, 1, args.top, 1, {})
    end
    return rows
  end,
}
