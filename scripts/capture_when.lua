-- How do I freeze the one dispatch that misbehaves?
--   rpl -batch -x capture_when.lua -- 'duration_ns > 20000 and grid[1] >= 1024' frozen -- ./app 1024
-- Records a run, finds the first dispatch that meets a Lua condition, runs the program again, and captures that dispatch: the same kernel's, by its number.
local rpl = require "rpl"

-- The condition as a function of a dispatch: it sees its fields by name, and `median_ns` of its kernel.
local function compiled(text)
  local dispatch, median
  local names = setmetatable({}, {
    __index = function(_, name)
      if name == "median_ns" then return median end
      if name == "math" then return math end
      return dispatch[name]
    end,
  })
  local check, why = load("return " .. text, "=when", "t", names)
  if not check then
    error { code = "usage", message = "the condition is no Lua expression: " .. why:gsub("^when:1: ", ""), hint = "as in 'duration_ns > 2 * median_ns and grid[1] == 4096'" }
  end
  return function(d, its_median)
    dispatch, median = d, its_median
    return check()
  end
end

return rpl.command {
  path = "capture-when",
  class = "capture",
  summary = "Capture the first dispatch that meets a condition.",
  help = "WHEN is a Lua expression over a dispatch: `kernel`, `duration_ns`, `start_ns`, `grid[1]`, `workgroup[1]`, `stream`, `lds_bytes` and the other columns of "
      .. "`t.dispatches`, and `median_ns`, the median duration of its kernel. The program must launch the same work in both runs; on the emulated device it "
      .. "does so to the nanosecond. Exit status 4 when no dispatch meets it.",
  params = {
    { name = "when", required = true, help = "the condition" },
    { name = "output", required = true, help = "the capture's folder; must not exist", complete = "file" },
    { name = "target", kind = "option", choices = { "emu", "local" }, help = "where it runs" },
    { name = "program", kind = "rest", required = true, help = "the program and its arguments" },
  },
  fields = {
    { name = "path", type = "string", help = "the capture" },
    { name = "dispatch", type = "id", help = "which it was in the recording" },
    { name = "kernel", help = "its kernel" },
    { name = "ordinal", type = "integer", unit = "count", help = "which of its kernel" },
    { name = "duration_ns", help = "in the recording" },
    { name = "looked_at", type = "integer", unit = "count", help = "dispatches up to it" },
  },
  scalar = "path",
  examples = { "capture-when 'duration_ns > 1000' frozen -- PROGRAM" },
  run = function(args)
    local holds = compiled(args.when)
    rpl.cmd.profile { program = args.program, target = args.target, quiet = true }
    local t, medians, ordinal = rpl.trace, {}, {}
    for at, d in ipairs(t.dispatches) do
      local id = d.kernel_id
      medians[id] = medians[id] or t.dispatches { kernel = id }:percentile("duration_ns", 50)
      ordinal[id] = (ordinal[id] or 0) + 1
      if holds(d, medians[id]) then
        local made = rpl.cmd.capture.run { d.symbol.mangled, dispatch = ordinal[id], output = args.output, target = args.target, quiet = true, program = args.program }
        return rpl.result {
          record = { path = made.path, dispatch = d.id, kernel = d.symbol.short, ordinal = ordinal[id], duration_ns = d.duration_ns, looked_at = at },
          fields = { "path", "dispatch", "kernel", "ordinal", "duration_ns", "looked_at" },
          provenance = made.provenance,
        }
      end
    end
    return rpl.result {
      record = { looked_at = #t.dispatches }, fields = { "looked_at" }, exit_code = 4,
      notes = { "no dispatch meets it; info dispatches --sort duration shows the longest" },
    }
  end,
}
