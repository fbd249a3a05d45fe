-- What became slower or faster between two recordings?
--   rpl -batch -x diff.lua -- before.db after.db --top 10
local rpl = require "rpl"

local function totals(t)
  local kernels = {}
  for _, k in ipairs(t.kernels) do kernels[k.name] = { calls = k.calls, total_ns = k.total_ns } end
  return kernels
end

return rpl.command {
  path = "kernel-diff",
  class = "analysis",
  summary = "Compare the kernels of two recordings.",
  help = "Kernels are matched by their full names. Rows come in the order of the change of their total time, largest "
      .. "first. `ratio` is the mean duration before by the mean after: above 1 is faster. One run is compared with one "
      .. "run: what differs by a few per cent may be noise.",
  params = {
    { name = "before", required = true, help = "the older recording", complete = "file" },
    { name = "after", required = true, help = "the newer recording", complete = "file" },
    { name = "top", default = 20, help = "kernels to list; 0 lists all" },
  },
  columns = {
    { name = "kernel", help = "the kernel" },
    { name = "calls_before", type = "integer", unit = "count", help = "dispatches before" },
    { name = "calls_after", type = "integer", unit = "count", help = "dispatches after" },
    { name = "before_ns", help = "total time before" },
    { name = "after_ns", help = "total time after" },
    { name = "delta_ns", help = "after - before" },
    { name = "ratio", help = "mean before / mean after" },
    { name = "state", help = "both, new or gone" },
  },
  scalar = "delta_ns",
  examples = { "kernel-diff TRACE TRACE" },
  run = function(args)
    local old <close> = rpl.open(args.before)
    local new <close> = rpl.open(args.after)
    local before, after = totals(old), totals(new)
    local rows = {}
    local none = { calls = 0, total_ns = 0 }
    local function add(name)
      local b, a = before[name] or none, after[name] or none
      local both = b.calls > 0 and a.calls > 0 and a.total_ns > 0
      rows[#rows + 1] = {
        kernel = name, calls_before = b.calls, calls_after = a.calls,
        before_ns = b.total_ns, after_ns = a.total_ns, delta_ns = a.total_ns - b.total_ns,
        ratio = both and (b.total_ns / b.calls) / (a.total_ns / a.calls) or nil,
        state = b.calls == 0 and "new" or a.calls == 0 and "gone" or "both",
      }
    end
    for name in pairs(before) do add(name) end
    for name in pairs(after) do if not before[name] then add(name) end end
    table.sort(rows, function(a, b)
      local x, y = math.abs(a.delta_ns), math.abs(b.delta_ns)
      if x ~= y then return x > y end
      return a.kernel < b.kernel
    end)
    local shown = rows
    if args.top > 0 and #rows > args.top then
      shown = table.move(rows, 1, args.top, 1, {})
      rpl.ui.note("the %d largest changes of %d kernels; --top 0 lists all", args.top, #rows)
    end
    return shown
  end,
}
