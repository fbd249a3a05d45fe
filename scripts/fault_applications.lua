-- Does the program name the faults that were planted in whole applications, and say what they are worth?
--   rpl -batch -x fault_applications.lua -- examples/faults/applications work
-- Each folder of it has a program whose first line names its fault, of the application or of its kernels; with the argument `fast` it does the same work without. Both run on the emulated device; `findings` is asked
-- about the recording of the slow one alone.
local rpl = require "rpl"

local function fault_of(path)
  local file <close> = assert(io.open(path))
  for line in file:lines() do
    local fault = line:match("^// fault: (.*)")
    if fault then return fault end
  end
  return "nothing-of-note"
end

local function has(list, name)
  for one in list:gmatch("[^, ]+") do
    if one == name then return true end
  end
  return false
end

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

local function span(program, variant, output)
  rpl.cmd.profile { program = { program, variant }, quiet = true, output = output, target = "emu" }
  return rpl.cmd.summary {}.span_ns
end

return rpl.command {
  path = "fault applications",
  class = "analysis",
  summary = "Hold findings against applications with planted faults.",
  help = "`named`: the fault is among the findings of the application with a worth of 2 % or more, or without a price. `holds`: the interval of the fault's worth contains what the "
      .. "program without it saves, that of several faults from the larger to their sum. `false_findings`: causes of applications of 10 % or more that are not the fault.",
  params = {
    { name = "folder", required = true, help = "programs, as in examples/faults/applications", complete = "file" },
    { name = "work", required = true, help = "a folder to make, for programs and recordings" },
    { name = "only", default = "", help = "part of a program's name" },
  },
  columns = {
    { name = "program", help = "its folder" },
    { name = "fault", help = "that was planted" },
    { name = "first", help = "cause that was found first, of the application" },
    { name = "named", help = "whether the fault is among them" },
    { name = "gain", type = "number", unit = "share", help = "of the span that the program without the fault saves" },
    { name = "low", type = "number", unit = "share", help = "lower end of the fault's worth" },
    { name = "high", type = "number", unit = "share", help = "and its upper end" },
    { name = "holds", help = "whether the gain is in it" },
    { name = "false_findings", help = "causes that are not there" },
  },
  scalar = "first",
  examples = { "fault applications examples/faults/applications work" },
  run = function(args)
    assert(os.execute("mkdir -p " .. quoted(args.work)))
    local rows = {}
    local list <close> = io.popen("cd " .. quoted(args.folder) .. " && ls */main.hip")
    for name in list:lines() do
      local stem = name:match("^([^/]*)/")
      if stem:find(args.only, 1, true) then
        local source = args.folder .. "/" .. name
        local program = args.work .. "/" .. stem
        rpl.cmd.build { source, arch = "gfx942", output = program }
        local fault = fault_of(source)
        local fast = span(program, "fast", program .. ".fast")
        local slow = span(program, "slow", program .. ".slow")
        local row = { program = stem, fault = fault, named = false, gain = 1 - fast / slow, false_findings = "" }
        for _, one in ipairs(rpl.cmd.findings {}.rows) do
          if one.id == "app" or has(fault, one.cause) then
            row.first = row.first or one.cause
            if has(fault, one.cause) then
              row.named = true
              if one.worth_high then
                row.low, row.high = math.max(row.low or 0, one.worth_low), math.min(1, (row.high or 0) + one.worth_high)
                row.holds = row.gain >= row.low and row.gain <= row.high
              end
            elseif one.worth_high and (one.worth_low + one.worth_high) / 2 >= 0.1 then
              row.false_findings = row.false_findings .. (row.false_findings == "" and "" or " ") .. one.cause
            end
          end
        end
        rows[#rows + 1] = row
      end
    end
    if #rows == 0 then
      error("no */main.hip" .. (args.only == "" and "" or " with '" .. args.only .. "' in its name") .. " in " .. args.folder .. "; try examples/faults/applications", 0)
    end
    return rows
  end,
}
