-- Which wave is the first to hold a NaN in a vector register?
--   rpl -batch -x scripts/find_nan.lua -- v5 normalize.co normalize --grid 256 --workgroup 128 --arg f32:@rows.bin …
-- The kernel runs on the emulated device, with the options of `kernel run`, and is left stopped behind the instruction that made it.
local rpl = require "rpl"

local register = rpl.args[1]
local number = register and tonumber(register:match("^v(%d+)$"))
if not number or #rpl.args < 3 then
  error("find_nan.lua REGISTER OBJECT KERNEL --grid N --workgroup N --arg …, as in: v6 normalize.co normalize --grid 256 …")
end

local words = {}
for i = 2, #rpl.args do words[#words + 1] = "'" .. rpl.args[i]:gsub("'", "'\\''") .. "'" end
for i, word in ipairs(words) do
  if word:match("^'%-%-") then words[i] = word:sub(2, -2) end
end
rpl.eval("kernel run " .. table.concat(words, " ") .. " --stop")

-- Whether an instruction writes the register: its first operand names it, and it does not store.
local function writes(text)
  local mnemonic, operand = text:match("^(%S+)%s+(v[%d%[%]:]+)")
  if not operand or mnemonic:find("store") or mnemonic:find("_cmp") then return false end
  local first, last = operand:match("%[(%d+):(%d+)%]")
  first = tonumber(first or operand:match("%d+"))
  return number >= first and number <= tonumber(last or first)
end

local code = rpl.debug.instructions
local watched = 0
for i = 1, #code - 1 do
  if writes(code[i].text) then
    rpl.cmd.break_{string.format("*0x%x if isnan(f32(v(%d)))", code[i + 1].address, number)}
    watched = watched + 1
  end
end

local stop = rpl.cmd.continue{}
local found = stop.stop == "breakpoint"
rpl.cmd.delete{}
if not found then
  return rpl.result{record = {found = false}, text = string.format("no NaN in %s: %d instructions write it", register, watched)}
end
local wave, lane = rpl.debug.wave, rpl.debug.lane
local by
for i = 2, #code do
  if code[i].address == wave.pc then by = code[i - 1] end
end
return rpl.result{
  record = {found = true, workgroup = wave.workgroup, wave = wave.id, lane = lane.id, instruction = by.text, place = by.place},
  fields = {"found", "workgroup", "wave", "lane", "instruction", "place"},
}
