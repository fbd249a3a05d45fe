-- Does a recording stay within its budget?
--   rpl -batch -x gate.lua -- trace.db budget.json
-- For CI: ends with 0 when it does and 3 when not. `regression.lua` compares two builds instead, by measurement.
local rpl = require "rpl"

local function read_budget(path)
  local file, why = io.open(path, "rb")
  if not file then
    error { code = "not_found", message = why, hint = "give the path of a JSON budget; 'help gate' shows one" }
  end
  local text = file:read("a")
  file:close()
  local ok, budget = pcall(rpl.json.decode, text)
  if not ok then error { code = "corrupt", message = path .. ": " .. budget.message } end
  for key in pairs(budget) do
    if key ~= "trace" and key ~= "critpath" and key ~= "kernels" then
      error { code = "usage", message = ("%s: unknown part '%s'"):format(path, key),
              hint = "a budget has trace, critpath and kernels" }
    end
  end
  return budget
end

local function whole_trace(t, metric)
  if metric == "span_ns" then return t.end_ns - t.start_ns end
  if metric == "gpu_time_ns" then return t.dispatches:sum("duration_ns") end
  if metric == "dispatches" then return #t.dispatches end
  return t[metric]
end

local function of_kernel(dispatches, metric)
  if metric == "calls" then return dispatches:count() end
  if metric == "total_ns" then return dispatches:sum("duration_ns") end
  if metric == "mean_ns" then return dispatches:mean("duration_ns") end
  if metric == "min_ns" then return dispatches:min("duration_ns") end
  if metric == "max_ns" then return dispatches:max("duration_ns") end
  local rank = metric:match("^p(%d+%.?%d*)_ns$")
  if rank then return dispatches:percentile("duration_ns", tonumber(rank)) end
  error { code = "usage", message = ("unknown metric '%s' of a kernel"):format(metric),
          hint = "calls, total_ns, mean_ns, min_ns, max_ns, p50_ns, p99_ns" }
end

return rpl.command {
  path = "gate",
  class = "analysis",
  summary = "Check a recording against a budget file.",
  help = [[
The budget is JSON; every limit is `{"max": N}`, `{"min": N}` or both, in base units:

    {"trace":    {"span_ns": {"max": 15200000000}, "dispatches": {"min": 43915, "max": 43915}},
     "critpath": {"critical_path_ns": {"max": 4300000000}},
     "kernels":  {"gemm": {"mean_ns": {"max": 250000}, "p99_ns": {"max": 900000}, "optional": true}}}

`trace` takes span_ns, gpu_time_ns, dispatches and the fields of `info trace`; `critpath` the fields of `critpath`; a
kernel calls, total_ns, mean_ns, min_ns, max_ns and pN_ns, and is named as on the command line. A kernel that the
recording does not have breaks the budget unless it is optional. The exit status is 3 when a limit is broken.]],
  examples = { "gate TRACE budget.json" },
  params = {
    { name = "trace", required = true, help = "the recording", complete = "file" },
    { name = "budget", required = true, help = "a JSON file", complete = "file" },
    { name = "all", default = false, help = "list what is within its limits too" },
  },
  run = function(args)
    local budget = read_budget(args.budget)
    local t = rpl.open(args.trace)
    local rows, broken = {}, 0
    local function add(what, metric, value, limit, ok)
      if not ok then broken = broken + 1 end
      if args.all or not ok then
        rows[#rows + 1] = { what = what, metric = metric, value = value, limit = limit,
                            verdict = ok and "ok" or value == nil and "missing" or "broken" }
      end
    end
    local function check(what, metric, value, limits)
      if type(limits) ~= "table" or (limits.max == nil and limits.min == nil) then
        error { code = "usage", message = ("%s of %s has neither min nor max"):format(metric, what) }
      end
      if limits.max then add(what, metric, value, "<= " .. limits.max, value ~= nil and value <= limits.max) end
      if limits.min then add(what, metric, value, ">= " .. limits.min, value ~= nil and value >= limits.min) end
    end
    local function each_sorted(map, visit)
      local names = {}
      for name in pairs(map or {}) do names[#names + 1] = name end
      table.sort(names)
      for _, name in ipairs(names) do visit(name, map[name]) end
    end
    each_sorted(budget.trace, function(metric, limits) check("trace", metric, whole_trace(t, metric), limits) end)
    local path = budget.critpath and t:critical_path()
    each_sorted(budget.critpath, function(metric, limits) check("critpath", metric, path[metric], limits) end)
    each_sorted(budget.kernels, function(name, metrics)
      local found, dispatches = pcall(function() return t.dispatches { kernel = name } end)
      if not found and dispatches.code ~= "not_found" then error(dispatches) end
      each_sorted(metrics, function(metric, limits)
        if metric == "optional" then return end
        if found then
          check(name, metric, of_kernel(dispatches, metric), limits)
        elseif not metrics.optional then
          check(name, metric, nil, limits)
        end
      end)
    end)
    t:close()
    return rpl.result {
      record = { passed = broken == 0, broken = broken },
      fields = { { name = "passed", type = "boolean" }, { name = "broken", type = "integer", unit = "count" } },
      rows = rows,
      columns = { "what", "metric", { name = "value", type = "number" }, "limit", "verdict" },
      scalar = "passed",
      exit_code = broken == 0 and 0 or 3,
    }
  end,
}
