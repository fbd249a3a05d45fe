-- Which of a model's ten longest kernels are far from what the hardware allows?
--   rpl -batch -x roofline_top.lua -- counters.db --times plain.db
-- Takes the kernels with most time and their roofs, and ranks them by the time that the roof says could be saved.
local rpl = require "rpl"

local names = { "kernel", "total_ns", "share", "arithmetic_intensity", "bound", "roof_share", "lost_ns", "limited_by", "remark" }

return rpl.command {
  path = "roofline-top",
  class = "analysis",
  summary = "Rank the longest kernels by the time between them and their roof.",
  help = "Of the `--top` kernels with most time. `roof_share` is the time that the nearer roof allows by the time taken; `lost_ns` is the rest of all its dispatches "
      .. "together: what is gained if it reaches the roof. Kernels without counters have neither. What exceeds a roof is impossible: the numbers are wrong, and "
      .. "it is said. Times of a counting run are longer than others: `--times` names a run without.",
  params = {
    { name = "trace", help = "a recording with counters; the current trace without it", complete = "file" },
    { name = "times", kind = "option", help = "recording without counters, for the durations", complete = "file" },
    { name = "top", default = 10, help = "kernels to look at" },
    { name = "level", default = "hbm", choices = { "hbm", "l2", "vl1d", "lds" }, help = "whose bandwidth" },
  },
  columns = {
    { name = "kernel", help = "its name" },
    { name = "total_ns", help = "all its dispatches" },
    { name = "share", help = "of all kernels' time" },
    { name = "arithmetic_intensity", type = "number", help = "operations for each byte" },
    { name = "bound", type = "string", help = "memory or compute" },
    { name = "roof_share", type = "number", unit = "share", help = "time the roof allows / time taken" },
    { name = "lost_ns", type = "number", help = "time above the roof" },
    { name = "limited_by", type = "string", help = "what classify says" },
    { name = "remark", type = "string", help = "what is odd about it" },
  },
  scalar = "kernel",
  examples = { "roofline-top TRACE" },
  run = function(args)
    local t = rpl.use(args.trace)
    local roofs, labels, rows = {}, {}, {}
    for _, row in ipairs(t:run("roofline", { level = args.level, times = args.times }).rows) do roofs[row.id] = row end
    for _, row in ipairs(t.diagnosis) do labels[row.id] = row.label end
    for _, k in ipairs(t.kernels:top(args.top, "total_ns")) do
      local roof = roofs[k.id] or {}
      local possible = roof.roof_share and roof.roof_share <= 1
      rows[#rows + 1] = {
        kernel = k.short, total_ns = k.total_ns, share = k.share, arithmetic_intensity = roof.arithmetic_intensity, bound = roof.bound,
        roof_share = roof.roof_share, lost_ns = possible and k.total_ns * (1 - roof.roof_share) or nil, limited_by = labels[k.id], remark = roof.remark,
      }
    end
    table.sort(rows, function(a, b)
      local x, y = a.lost_ns or -1, b.lost_ns or -1
      if x ~= y then return x > y end
      if a.total_ns ~= b.total_ns then return a.total_ns > b.total_ns end
      return a.kernel < b.kernel
    end)
    return rpl.result { rows = rows, columns = names, provenance = "estimated" }
  end,
}
