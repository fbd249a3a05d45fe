// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "shell/core/session/context.h"
#include "shell/core/session/debug_state.h"
#include "shell/lua/debug_lua.h"
#include "shell/lua/module.h"

/// `rpl.debug`, and the short names that conditions see.
namespace rpl {
namespace debug_module_binding {
namespace {

WaveHandle selected(lua_State* thread) {
  const debug::WaveId id = debugged_session(thread).selected_wave;
  return {id.workgroup, id.wave};
}

unsigned selected_lane(lua_State* thread) {
  LuaHost::of(thread).context().debug().debugging->lane_asked = true;
  return debugged_session(thread).selected_lane;
}

bool is_stopped(lua_State* thread) {
  return stopped(LuaHost::of(thread).context().debug()) != nullptr;
}

std::optional<WaveHandle> get_wave(lua_State* thread) {
  if (debugged(LuaHost::of(thread).context().debug()) == nullptr) return std::nullopt;
  return selected(thread);
}

std::vector<WaveHandle> get_waves(lua_State* thread) {
  std::vector<WaveHandle> waves;
  for (const emu::Workgroup& group : debugged_session(thread).schedule().active()) {
    for (const emu::Wave& wave : group.waves) waves.push_back({wave.workgroup, wave.id});
  }
  return waves;
}

LaneHandle get_lane(lua_State* thread) {
  return {selected(thread), debugged_session(thread).selected_lane};
}

std::string kernel(lua_State* thread) { return debugged_session(thread).program().kernel; }
std::uint64_t executed(lua_State* thread) { return debugged_session(thread).time(); }

struct Instruction {
  std::uint64_t address = 0;
  std::string text, place;
};
constexpr auto kInstructionColumns =
    bound_to<Instruction>(column<&Instruction::address>("address", "relative to the load base"),
                          column<&Instruction::text>("text", "as disassembled"),
                          column<&Instruction::place>("place", "source line"));

/// Every instruction of the kernel.
std::vector<Value> get_instructions(lua_State* thread) {
  const debug::Session& session = debugged_session(thread);
  std::vector<Value> all;
  for (const emu::Op& op : session.program().ops) {
    all.push_back(
        to_value(kInstructionColumns,
                 Instruction{op.address, isa::disassemble(session.program().arch, *op.instruction),
                             isa::place_text(session.lines().chain(op.address))}));
  }
  return all;
}

template <bool lds>
MemoryHandle memory(lua_State*) {
  return {lds};
}

int get_names(lua_State* thread) {
  push_module(thread, kDebugNames);
  return 1;
}

/// Where buffer argument N begins.
int argument(lua_State* thread) {
  const debug::Session& session = debugged_session(thread);
  const lua_Integer number = luaL_checkinteger(thread, 1);
  luaL_argcheck(thread, number >= 1 && number <= static_cast<lua_Integer>(session.buffers().size()),
                1, "arguments count from 1");
  const emu::Region* region = session.buffers()[static_cast<std::size_t>(number - 1)];
  luaL_argcheck(thread, region != nullptr, 1, "it is not a buffer");
  lua_pushinteger(thread, static_cast<lua_Integer>(region->base));
  return 1;
}

/// `value("row")`, `value("in[row]", 5)`: what `print` shows, in the selected or another lane. NaN is a number, what is optimized out nothing.
Value value(lua_State* thread, std::string expression, std::optional<std::int64_t> lane) {
  debug::Session& session = debugged_session(thread);
  const DebugState& state = LuaHost::of(thread).context().debug();
  const unsigned before = session.selected_lane;
  if (lane) session.selected_lane = static_cast<unsigned>(*lane) % emu::kLanes;
  auto shown = state.expression(expression, "");
  session.selected_lane = before;
  const Document document = must(thread, std::move(shown));
  const Value* found = document.get("value");
  if (found == nullptr) return {};
  const auto* text = found->as<std::string>();
  if (text != nullptr && *text == "<optimized out>") return {};
  if (text != nullptr && *text == "nan") return Value(std::nan(""));
  return *found;
}

/// `v(3)`, `v(3, lane)`: without a lane that of the condition, or the selected one.
template <char letter>
std::uint32_t vector_register(lua_State* thread, std::int64_t number,
                              std::optional<std::int64_t> lane) {
  const unsigned at = lane ? static_cast<unsigned>(*lane) : selected_lane(thread);
  return static_cast<std::uint32_t>(
      register_bits(thread, selected(thread), fmt::format("{}{}", letter, number), at));
}

std::uint32_t scalar_register(lua_State* thread, std::int64_t number) {
  return static_cast<std::uint32_t>(
      register_bits(thread, selected(thread), fmt::format("s{}", number), 0));
}

/// `s64(4)` is s[4:5].
std::int64_t scalar_pair(lua_State* thread, std::int64_t number) {
  return static_cast<std::int64_t>(
      register_bits(thread, selected(thread), fmt::format("s[{}:{}]", number, number + 1), 0));
}

std::int64_t named(lua_State* thread, std::string name) {
  return static_cast<std::int64_t>(register_bits(thread, selected(thread), name, 0));
}

double f32(std::int64_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}
std::int64_t i32(std::int64_t bits) { return static_cast<std::int32_t>(bits); }
double f64(std::int64_t low, std::int64_t high) {
  return std::bit_cast<double>((static_cast<std::uint64_t>(low) & 0xffffffffU) |
                               static_cast<std::uint64_t>(high) << 32);
}
bool is_nan(double value) { return std::isnan(value); }

/// Names that are a number now.
std::optional<std::int64_t> number_named(lua_State* thread, std::string_view name) {
  if (name == "lane") return selected_lane(thread);
  if (name == "wave") return selected(thread).wave;
  if (name == "workgroup") return selected(thread).workgroup;
  if (name == "executed") return static_cast<std::int64_t>(executed(thread));
  for (const char* known : {"pc", "exec", "vcc", "m0"}) {
    if (name == known) return named(thread, known);
  }
  return std::nullopt;
}

/// Names of conditions, then the globals of the prompt.
int name(lua_State* thread) {
  const std::string name = luaL_checkstring(thread, 2);
  const bool has_wave = debugged(LuaHost::of(thread).context().debug()) != nullptr;
  if (const auto number = has_wave ? number_named(thread, name) : std::nullopt) {
    lua_pushinteger(thread, *number);
    return 1;
  }
  if (has_wave && name == "scc") {
    lua_pushboolean(thread, named(thread, "scc") != 0);
    return 1;
  }
  if (name == "mem" || name == "lds") {
    push_object(thread, MemoryHandle{name == "lds"});
    return 1;
  }
  lua_pushglobaltable(thread);
  lua_pushvalue(thread, 2);
  lua_gettable(thread, -2);
  return 1;
}

constexpr FieldBinding kFields[] = {
    {"stopped", "boolean", "Whether a kernel stands still and can go on.", thunk<&is_stopped>},
    {"kernel", "string", "Its name.", thunk<&kernel>},
    {"executed", "integer", "Wave-instructions since it began.", thunk<&executed>},
    {"wave", "rpl.Wave?", "The selected wave.", thunk<&get_wave>},
    {"waves", "rpl.Wave[]", "The waves in flight.", thunk<&get_waves>},
    {"lane", "rpl.Lane", "The selected lane.", thunk<&get_lane>},
    {"instructions", "table[]", "All of the program: address, text, place.",
     thunk<&get_instructions>},
    {"mem", "rpl.Memory", "Memory of the device.", thunk<&memory<false>>},
    {"lds", "rpl.Memory", "LDS of the selected workgroup: lds:f32(offset).", thunk<&memory<true>>},
    {"names", "rpl.debug.names", "The short names that conditions see.", thunk<&get_names>},
};
constexpr FunctionBinding kFunctions[] = {
    {"value", thunk<&value>, "expression: string, lane?: integer", "any",
     "What an expression of C comes to, in the selected lane or another one: value('row'). Nil for "
     "what is optimized out.",
     kReads},
    {"arg", thunk<&argument>, "number: integer", "integer",
     "The device address of a buffer argument.", kReads},
};

constexpr FunctionBinding kNames[] = {
    {"v", thunk<&vector_register<'v'>>, "number: integer, lane?: integer", "integer",
     "A vector register, in the lane that is asked about.", kReads},
    {"a", thunk<&vector_register<'a'>>, "number: integer, lane?: integer", "integer",
     "An accumulation register.", kReads},
    {"s", thunk<&scalar_register>, "number: integer", "integer", "A scalar register.", kReads},
    {"s64", thunk<&scalar_pair>, "number: integer", "integer", "It and the next one: an address.",
     kReads},
    {"f32", thunk<&f32>, "bits: integer", "number", "Bits as a float: f32(v(3)).", kReads},
    {"f64", thunk<&f64>, "low: integer, high: integer", "number", "Two dwords as a double.",
     kReads},
    {"i32", thunk<&i32>, "bits: integer", "integer", "Bits as a signed integer.", kReads},
    {"isnan", thunk<&is_nan>, "value: number", "boolean", "Whether it is not a number.", kReads},
    {"arg", thunk<&argument>, "number: integer", "integer",
     "The device address of a buffer argument.", kReads},
};
constexpr luaL_Reg kNamesMeta[] = {{"__index", thunk<&name>}};

}  // namespace
}  // namespace debug_module_binding

const ClassBinding kDebugModule{.name = "rpl.debug",
                                .help = "The kernel that is stopped on the emulated device.",
                                .fields = debug_module_binding::kFields,
                                .methods = debug_module_binding::kFunctions,
                                .metamethods = {}};
const ClassBinding kDebugNames{
    .name = "rpl.debug.names",
    .help =
        "What a condition sees beside the globals: lane, wave, workgroup, pc, exec, vcc, scc, m0, "
        "executed, mem, lds and these.",
    .fields = {},
    .methods = debug_module_binding::kNames,
    .metamethods = debug_module_binding::kNamesMeta,
    .element = "any"};

}  // namespace rpl
