-- What happened around the worst moment, in a viewer?
--   rpl -batch -x perfetto.lua -- trace.db worst.json --around gap --margin 50
-- Cuts a window around the longest gap or the slowest dispatch out of a recording and writes it for ui.perfetto.dev, which is slow on whole recordings.
local rpl = require "rpl"

-- The moment to look at, in ns from the beginning of the trace, and what it is.
local moments = {
  gap = function(t)
    local gap = t:run("gaps", { top = 1 }).rows[1]
    if gap then return gap.at_ns, gap.at_ns + gap.length_ns, ("%d ns in which %s ran nothing, before %s"):format(gap.length_ns, gap.agent, gap.after) end
  end,
  slowest = function(t)
    local d = t.dispatches:top(1)[1]
    if d then return d.start_ns - t.start_ns, d.end_ns - t.start_ns, ("%s of %s, %d ns"):format(d.id, d.symbol.short, d.duration_ns) end
  end,
}

return rpl.command {
  path = "perfetto",
  class = "exporting",
  summary = "Write the worst moment of a recording for Perfetto.",
  help = "The window begins `--margin` microseconds before the moment and ends as much behind it; operations that touch it are whole. Times in the file count from "
      .. "the first operation of the window.",
  params = {
    { name = "trace", required = true, help = "a recording", complete = "file" },
    { name = "output", required = true, help = "the JSON file to write", complete = "file" },
    { name = "around", default = "slowest", choices = { "gap", "slowest" }, help = "the longest gap, or the longest dispatch" },
    { name = "margin", default = 100.0, help = "microseconds on each side" },
  },
  fields = {
    { name = "output", type = "string", help = "the file" },
    { name = "moment", type = "string", help = "what is in its middle" },
    { name = "from_ns", help = "begin of the window, from the beginning of the recording" },
    { name = "to_ns", help = "its end" },
    { name = "dispatches", type = "integer", unit = "count", help = "in the window" },
    { name = "of_dispatches", type = "integer", unit = "count", help = "in the recording" },
  },
  scalar = "output",
  examples = { "perfetto TRACE worst.json" },
  run = function(args)
    local t <close> = rpl.open(args.trace)
    local first, last, moment = moments[args.around](t)
    if not first then error { code = "not_found", message = "the recording has no " .. args.around, hint = "--around slowest, or 'gaps' to see what there is" } end
    local margin = math.floor(args.margin * 1000)
    local from, to = math.max(first - margin, 0), last + margin
    local cut = t:run("trace window", { ("%dns"):format(from), ("%dns"):format(to) })
    rpl.cmd["export"].chrome { output = args.output, trace = cut.id }
    rpl.cmd.close { cut.id }
    return rpl.result {
      record = { output = args.output, moment = moment, from_ns = from, to_ns = to, dispatches = cut.dispatches, of_dispatches = #t.dispatches },
      fields = { "output", "moment", "from_ns", "to_ns", "dispatches", "of_dispatches" },
      provenance = "recorded",
    }
  end,
}
