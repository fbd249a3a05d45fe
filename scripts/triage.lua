-- Which kernel is worth working on?
--   rpl -batch -x triage.lua -- trace.db --top 10 --speedup 2
local rpl = require "rpl"

return rpl.command {
  path = "triage",
  class = "analysis",
  summary = "Rank kernels by the end-to-end gain of making them faster.",
  help = "Takes the kernels with most time on the critical path, simulates the dependency graph again with each of them "
      .. "`--speedup` times as fast, and ranks them by the share of the run that is saved. `gain_low` and `gain_high` "
      .. "differ where edges of the graph are only inferred. A kernel with much time and no gain is hidden behind others.",
  params = {
    { name = "trace", help = "a recording; the current trace without it", complete = "file" },
    { name = "top", default = 10, help = "kernels to simulate" },
    { name = "speedup", default = 2.0, help = "how many times as fast each is assumed to become" },
  },
  columns = {
    { name = "id", help = "the kernel" },
    { name = "kernel", help = "its name" },
    { name = "calls", help = "its dispatches" },
    { name = "path_ns", help = "its time on the critical path" },
    { name = "path_share", unit = "share", type = "number", help = "of the critical path" },
    { name = "gain", help = "share of the run saved" },
    { name = "gain_low", help = "at least" },
    { name = "gain_high", help = "at most" },
  },
  scalar = "id",
  repeatable = true,
  examples = { "triage TRACE --top 3" },
  run = function(args)
    local t = rpl.use(args.trace)
    local rows = {}
    for _, on_path in ipairs(t:critical_path { top = args.top }.rows) do
      if #rows >= args.top then break end
      local w = t:what_if { on_path.id, speedup = args.speedup }
      rows[#rows + 1] = { id = on_path.id, kernel = on_path.kernel, calls = on_path.calls, path_ns = on_path.path_ns,
                          path_share = on_path.share, gain = w.gain, gain_low = w.gain_low, gain_high = w.gain_high }
    end
    table.sort(rows, function(a, b)
      if a.gain ~= b.gain then return a.gain > b.gain end
      return a.path_ns > b.path_ns
    end)
    return rows
  end,
}
