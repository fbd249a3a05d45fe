-- Does the program name the faults that were planted in small kernels, and say what they are worth?
--   rpl -batch -x faults.lua -- examples/faults work
-- Each source in a folder of it has a kernel `slow` with the fault that its first lines name, and where there is one a kernel `fast` that does the same without. Both are
-- built for gfx942 and run on the emulated device; `findings` is asked about the slow one alone.
local rpl = require "rpl"

local function read(path)
  local file <close> = assert(io.open(path))
  local out, number = { fast = nil, lines = {} }, 0
  for line in file:lines() do
    number = number + 1
    out.fault = out.fault or line:match("^// fault: (.*)")
    out.launch = out.launch or line:match("^// launch: (.*)")
    out.launch_fast = out.launch_fast or line:match("^// launch fast: (.*)")
    if line:find("void fast(", 1, true) then out.fast = true end
    if line:find("// fault$") then out.lines[number] = true end
  end
  return out
end

local function run(object, kernel, launch)
  local args = { object, kernel, arg = {} }
  for name, value in launch:gmatch("%-%-(%S+) (%S+)") do
    if name == "arg" then args.arg[#args.arg + 1] = value else args[name] = value end
  end
  return rpl.cmd.kernel.run(args).time_ns
end

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

local function has(list, name)
  for one in list:gmatch("[^,]+") do
    if one == name then return true end
  end
  return false
end

return rpl.command {
  path = "faults",
  class = "analysis",
  summary = "Hold findings against kernels with planted faults.",
  help = "`named`: the fault is among the findings with a worth of 2 % or more, or without a price. `line`: its first place is a line that is marked as the fault; null where "
      .. "none is. `holds`: the headroom contains what the kernel without the fault saves. `false_findings`: causes of 10 % or more that are not the fault.",
  params = {
    { name = "folder", required = true, help = "sources, as in examples/faults", complete = "file" },
    { name = "work", required = true, help = "a folder to make, for code objects" },
    { name = "only", default = "", help = "part of a source's name" },
  },
  columns = {
    { name = "source", help = "its name" },
    { name = "fault", help = "that was planted" },
    { name = "first", help = "cause that was found first" },
    { name = "named", help = "whether the fault is among them" },
    { name = "line", help = "whether the place is right" },
    { name = "gain", type = "number", unit = "share", help = "of the time that the kernel without the fault saves" },
    { name = "low", type = "number", unit = "share", help = "lower end of the headroom" },
    { name = "high", type = "number", unit = "share", help = "and its upper end" },
    { name = "holds", help = "whether the gain is in it" },
    { name = "false_findings", help = "causes that are not there" },
  },
  scalar = "first",
  examples = { "faults examples/faults work" },
  run = function(args)
    assert(os.execute("mkdir -p " .. quoted(args.work)))
    local rows = {}
    local list <close> = io.popen("cd " .. quoted(args.folder) .. " && ls */*.hip")
    for name in list:lines() do
      local stem = name:match("([^/]*)%.hip$")
      if stem and stem:find(args.only, 1, true) then
        local source = read(args.folder .. "/" .. name)
        local object = args.work .. "/" .. stem .. ".co"
        rpl.cmd.build { args.folder .. "/" .. name, device_only = true, arch = "gfx942", flag = { "-gline-tables-only" }, output = object }
        local fast = source.fast and run(object, "fast", source.launch_fast or source.launch)
        local slow = run(object, "slow", source.launch)
        local found = rpl.cmd.findings {}.rows
        local room = rpl.cmd.headroom { "run" }.rows[1]
        local row = { source = stem, fault = source.fault, first = found[1].cause, named = false, false_findings = "", low = room.low, high = room.high }
        for _, one in ipairs(found) do
          if has(source.fault, one.cause) then
            row.named = true
            local line = one.where and tonumber(one.where:match(":(%d+)"))
            if next(source.lines) and one.where and row.line == nil then row.line = source.lines[line] or false end
          elseif one.worth_high and (one.worth_low + one.worth_high) / 2 >= 0.1 then
            row.false_findings = row.false_findings .. (row.false_findings == "" and "" or " ") .. one.cause
          end
        end
        if fast then
          row.gain = 1 - fast / slow
          row.holds = row.gain >= row.low and row.gain <= row.high
        end
        rows[#rows + 1] = row
      end
    end
    if #rows == 0 then
      error("no */*.hip" .. (args.only == "" and "" or " with '" .. args.only .. "' in its name") .. " in " .. args.folder .. "; try examples/faults", 0)
    end
    return rows
  end,
}
