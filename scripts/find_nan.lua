-- Which wave is the first to hold a NaN in a vector register?
--   rpl -batch -x find_nan.lua -- v5 normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 …
-- The kernel runs on the emulated device and is left stopped behind the instruction that made it.
local rpl = require "rpl"

-- Whether an instruction writes the register: its first operand names it, and it does not store.
local function writes(text, number)
  local mnemonic, operand = text:match("^(%S+)%s+(v[%d%[%]:]+)")
  if not operand or mnemonic:find("store") or mnemonic:find("_cmp") then return false end
  local first, last = operand:match("%[(%d+):(%d+)%]")
  first = tonumber(first or operand:match("%d+"))
  return number >= first and number <= tonumber(last or first)
end

-- A breakpoint behind each instruction that writes it, which asks every active lane. Returns how many.
local function arm(code, number)
  local count = 0
  for i = 1, #code - 1 do
    if writes(code[i].text, number) then
      rpl.cmd.break_{string.format("*0x%x if isnan(f32(v(%d)))", code[i + 1].address, number)}
      count = count + 1
    end
  end
  return count
end

local function instruction_before(code, address)
  for i = 2, #code do
    if code[i].address == address then return code[i - 1].text end
  end
end

return rpl.command {
  path = "find-nan",
  class = "analysis",
  summary = "Stop a kernel at the first NaN in a vector register.",
  help = "Runs a kernel of a code object on the emulated device, as `kernel run` does, until an active lane of the register holds a NaN. The kernel "
      .. "stays stopped there. Breakpoints that were set before are removed.",
  params = {
    { name = "register", required = true, help = "a vector register: v5" },
    { name = "object", required = true, help = "code object: a file or o1", complete = "file" },
    { name = "kernel", help = "its kernel; needed when there are several" },
    { name = "grid", kind = "option", required = true, help = "work-items in each direction" },
    { name = "workgroup", kind = "option", required = true, help = "work-items of a workgroup" },
    { name = "arg", kind = "option", repeated = true, help = "one parameter, as `kernel run` takes it" },
  },
  fields = {
    { name = "found", type = "boolean", help = "whether a lane held a NaN" },
    { name = "workgroup", type = "integer", help = "of the wave" },
    { name = "wave", type = "integer", help = "within its workgroup" },
    { name = "lane", type = "integer", help = "the first one that held it" },
    { name = "instruction", type = "string", help = "that wrote it" },
    { name = "place", type = "string", help = "where the wave stands now" },
    { name = "writes", type = "integer", help = "instructions of the program that write the register" },
  },
  scalar = "found",
  examples = { "find-nan v5 OBJECT --grid 256 --workgroup 128 --arg f32:nan:1000 --arg f32:zero:1000 --arg i32:200 --arg i32:5" },
  run = function(args)
    local number = tonumber(args.register:match("^v(%d+)$"))
    if not number then error { code = "usage", message = "'" .. args.register .. "' is not a vector register", hint = "v0, v1, …" } end
    rpl.cmd.delete{}
    rpl.cmd.kernel.run{object = args.object, kernel = args.kernel, grid = args.grid, workgroup = args.workgroup, arg = args.arg, stop = true}
    local code = rpl.debug.instructions
    local count = arm(code, number)
    local found = rpl.cmd.continue{}.stop == "breakpoint"
    rpl.cmd.delete{}
    if not found then return { found = false, writes = count } end
    local wave = rpl.debug.wave
    return { found = true, workgroup = wave.workgroup, wave = wave.id, lane = rpl.debug.lane.id,
             instruction = instruction_before(code, wave.pc), place = wave.place, writes = count }
  end,
}
