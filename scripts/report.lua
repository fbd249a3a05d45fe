-- What is in this recording, in one file for a ticket?
--   rpl -batch -x report.lua -- trace.db --form markdown --output report.md
local rpl = require "rpl"

local function parts(t, top)
  return {
    { title = "Trace", result = t:run("info trace") },
    { title = "Kernels", result = t:run("info kernels", { limit = top }) },
    { title = "Critical path", result = t:critical_path { top = top } },
  }
end

local function markdown(t, top)
  local out = { "# " .. tostring(t), "" }
  for _, part in ipairs(parts(t, top)) do
    out[#out + 1] = "## " .. part.title .. "\n"
    out[#out + 1] = part.result:render("markdown")
    for _, note in ipairs(part.result.notes) do out[#out + 1] = "> " .. note end
  end
  if #t.notes > 0 then out[#out + 1] = "## Notes\n" end
  for _, note in ipairs(t.notes) do out[#out + 1] = "- " .. note end
  return table.concat(out, "\n") .. "\n"
end

return rpl.command {
  path = "report-trace",
  class = "exporting",
  summary = "Write a Markdown or CSV report about a recording.",
  help = "Markdown has the facts of the recording, its kernels and its critical path. CSV has the kernels alone. Without "
      .. "`--output` the report is the result itself.",
  params = {
    { name = "trace", help = "a recording; the current trace without it", complete = "file" },
    { name = "form", default = "markdown", choices = { "markdown", "csv" }, help = "of the report" },
    { name = "output", kind = "option", help = "the file to write", complete = "file" },
    { name = "top", default = 15, help = "kernels to list" },
  },
  examples = { "report-trace TRACE" },
  run = function(args)
    local t = rpl.use(args.trace)
    local text = args.form == "csv" and t:run("info kernels", { limit = args.top }):render("csv")
        or markdown(t, args.top)
    if not args.output then
      return rpl.result { record = { report = text }, text = text, scalar = "report" }
    end
    local file, why = io.open(args.output, "wb")
    if not file then error { code = "io", message = why } end
    file:write(text)
    file:close()
    return rpl.result { record = { output = args.output, bytes = #text }, fields = { "output", "bytes" },
                        scalar = "output" }
  end,
}
