-- Does the program name the faults that were planted in whole applications, and say what they are worth?
--   rpl -batch -x fault_applications.lua -- examples/faults/applications work
-- Each folder of it has a program whose first line names its fault, of the application or of its kernels; with the argument `fast` it does the same work without. Both run on the emulated device; `findings` is asked
-- about the recording of the slow one alone.
local rpl = require "rpl"

-- The fault that a source names, and the lines that end in `// fault`.
local function fault_of(path)
  local file <close> = assert(io.open(path))
  local fault, marked, number = nil, {}, 0
  for line in file:lines() do
    number = number + 1
    fault = fault or line:match("^// fault: (.*)")
    if line:find("// fault$") then marked[number] = true end
  end
  return fault or "nothing-of-note", marked
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
    { name = "line", help = "whether its first place is a line that is marked as the fault; null where none is" },
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
        rpl.cmd.build { source, arch = "gfx942", flag = { "-gline-tables-only" }, output = program }
        local fault, marked = fault_of(source)
        local fast = span(program, "fast", program .. ".fast")
        local slow = span(program, "slow", program .. ".slow")
        local kernels = {}  -- share of the span, by id
        for _, one in ipairs(rpl.cmd.info.kernels {}.rows) do kernels[one.id] = one.total_ns and one.total_ns / slow end
        local row = { program = stem, fault = fault, named = false, gain = 1 - fast / slow, false_findings = "" }
        for _, one in ipairs(rpl.cmd.findings {}.rows) do
          if one.id == "app" or has(fault, one.cause) then
            row.first = row.first or one.cause
            if has(fault, one.cause) then
              row.named = true
              local line = one.where and tonumber(one.where:match("%.hip:(%d+)"))
              if next(marked) and row.line == nil then row.line = marked[line] or false end
              if one.worth_high then
                -- What a kernel's fault is worth is a share of the kernel's time.
                local share = kernels[one.id] or 1
                row.low, row.high = math.max(row.low or 0, one.worth_low * share), math.min(1, (row.high or 0) + one.worth_high * share)
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
