-- Which source lines make waves wait longer than before?
--   rpl -batch -x stall_diff.lua -- before/ui_output after/ui_output --worse 5
-- For two commits: a thread trace of the same kernel from each. Cycles are those of traced waves, each wave on its own; the clock is not in them.
local rpl = require "rpl"

return rpl.command {
  path = "stall-diff",
  class = "analysis",
  summary = "Compare where the waves of two thread traces spend their cycles.",
  help = "First the causes, then the source lines, each with the cycles of one wave before and after, the largest change first. With `--worse N` it is a gate: "
      .. "exit status 3 when a wave lives more than N % longer. A thread trace slows the kernel down and sees few compute units: confirm with `bench`.",
  params = {
    { name = "before", required = true, help = "thread trace of the older build", complete = "file" },
    { name = "after", required = true, help = "of the newer one", complete = "file" },
    { name = "top", default = 10, help = "lines to list; 0 lists all" },
    { name = "worse", kind = "option", type = "number", help = "fail when a wave lives so many % longer" },
  },
  columns = {
    { name = "kind", type = "string", help = "cause, or what became of a line: matched, added, removed, both" },
    { name = "what", type = "string", help = "the cause, or where the line stands" },
    { name = "before_cycles", type = "number", unit = "cycles", help = "of a wave" },
    { name = "after_cycles", type = "number", unit = "cycles", help = "of a wave" },
    { name = "change_cycles", type = "number", unit = "cycles", help = "after - before" },
    { name = "text", type = "string", help = "the source line" },
  },
  fields = {
    { name = "before_cycles", type = "number", unit = "cycles", help = "life of a wave" },
    { name = "after_cycles", type = "number", unit = "cycles", help = "life of a wave" },
    { name = "change_pct", type = "number", unit = "pct", help = "of before" },
    { name = "verdict", type = "string", help = "longer, equal or shorter" },
  },
  scalar = "verdict",
  examples = { "stall-diff ATT ATT_AFTER" },
  run = function(args)
    local d = rpl.cmd.att.diff { args.before, args.after, top = args.top }
    local rows = {}
    for cause, change in pairs(d.change_by_cause) do rows[#rows + 1] = { kind = "cause", what = cause, change_cycles = change } end
    table.sort(rows, function(a, b)
      local x, y = math.abs(a.change_cycles), math.abs(b.change_cycles)
      if x ~= y then return x > y end
      return a.what < b.what
    end)
    for _, line in ipairs(d.rows) do
      rows[#rows + 1] = { kind = line.kind, what = line.source, before_cycles = line.before_cycles, after_cycles = line.after_cycles,
                          change_cycles = line.change_cycles, text = line.text }
    end
    return rpl.result {
      record = {
        before_cycles = d.before_cycles, after_cycles = d.after_cycles, change_pct = d.change_pct,
        verdict = d.change_cycles > 0 and "longer" or d.change_cycles < 0 and "shorter" or "equal",
      },
      fields = { "before_cycles", "after_cycles", "change_pct", "verdict" },
      rows = rows,
      columns = { "kind", "what", "before_cycles", "after_cycles", "change_cycles", "text" },
      provenance = "recorded",
      exit_code = args.worse and d.change_pct > args.worse and 3 or 0,
    }
  end,
}
