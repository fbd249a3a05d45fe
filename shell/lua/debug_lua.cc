// SPDX-License-Identifier: MIT
#include "shell/lua/debug_lua.h"

#include <fmt/format.h>

#include <bit>

#include "shell/core/session/context.h"
#include "shell/core/session/debug_state.h"

/// `rpl.Wave`, `rpl.Lane`, `rpl.Register`, `rpl.Memory`: what a stopped kernel is made of.
namespace rpl {

debug::Session& debugged_session(lua_State* thread) {
  return *must(thread, needs_debugged(LuaHost::of(thread).context().debug()));
}

const emu::Wave& live_wave(lua_State* thread, const WaveHandle& handle) {
  const emu::Wave* wave = debugged_session(thread).wave({handle.workgroup, handle.wave});
  if (wave == nullptr)
    raise_error(thread, {Errc::not_found,
                         fmt::format("wave {} of workgroup {} is not in flight", handle.wave,
                                     handle.workgroup),
                         "rpl.debug.waves has those that are"});
  return *wave;
}

std::uint64_t register_bits(lua_State* thread, const WaveHandle& handle, std::string_view text,
                            unsigned lane) {
  const debug::Session& session = debugged_session(thread);
  const debug::RegisterName name = must(thread, debug::parse_register(text));
  must(thread, debug::check_register(session.program(), name));
  const auto dwords =
      debug::read_register(session.program(), live_wave(thread, handle), name, lane % emu::kLanes);
  return dwords[0] | (dwords.size() > 1 ? std::uint64_t{dwords[1]} << 32 : 0);
}

unsigned bytes_of(std::string_view type) {
  const std::string_view digits = type.substr(1);
  return digits == "8" ? 1 : digits == "16" ? 2 : digits == "32" ? 4 : 8;
}

void push_typed(lua_State* thread, std::uint64_t bits, std::string_view type) {
  const unsigned unused = 64 - 8 * bytes_of(type);
  if (type[0] == 'i') {
    lua_pushinteger(thread, static_cast<lua_Integer>(bits << unused) >> unused);
  } else if (type == "f64") {
    lua_pushnumber(thread, std::bit_cast<double>(bits));
  } else if (type == "f32") {
    lua_pushnumber(thread,
                   static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  } else if (type == "f16") {
    const std::uint16_t half = static_cast<std::uint16_t>(bits);
    const std::string text =
        debug::examined({.letter = 'f', .size = 'h'}, std::as_bytes(std::span(&half, 1)));
    lua_pushnumber(thread, std::strtod(text.c_str(), nullptr));
  } else {
    lua_pushinteger(thread, static_cast<lua_Integer>(bits << unused >> unused));
  }
}

namespace debug_binding {
namespace {

unsigned lane_at(lua_State* thread, int index) {
  const lua_Integer lane = luaL_checkinteger(thread, index);
  luaL_argcheck(thread, lane >= 0 && lane < lua_Integer{emu::kLanes}, index, "lanes are 0 to 63");
  return static_cast<unsigned>(lane);
}

std::string numbered(lua_State* thread, char letter) {
  return fmt::format("{}{}", letter, luaL_checkinteger(thread, 2));
}

// rpl.Wave

template <char letter>
RegisterHandle vector_register(lua_State* thread, WaveHandle& wave) {
  const std::string name = numbered(thread, letter);
  register_bits(thread, wave, name, 0);
  return {wave, name};
}

std::uint32_t scalar_register(lua_State* thread, WaveHandle& wave, std::int64_t number) {
  return static_cast<std::uint32_t>(register_bits(thread, wave, fmt::format("s{}", number), 0));
}

LaneHandle wave_lane(lua_State* thread, WaveHandle& wave) {
  live_wave(thread, wave);
  return {wave, lane_at(thread, 2)};
}

void wave_select(lua_State* thread, WaveHandle& wave) {
  live_wave(thread, wave);
  debugged_session(thread).select({wave.workgroup, wave.wave});
}

std::string_view wave_state(lua_State* thread, WaveHandle& wave) {
  const auto state = live_wave(thread, wave).state;
  return state == emu::Wave::State::ready   ? "ready"
         : state == emu::Wave::State::ended ? "ended"
                                            : "at barrier";
}

const emu::Op& next_op(lua_State* thread, WaveHandle& wave) {
  return debugged_session(thread).program().ops[live_wave(thread, wave).pc];
}
std::int64_t wave_pc(lua_State* thread, WaveHandle& wave) {
  return static_cast<std::int64_t>(next_op(thread, wave).address);
}
std::string wave_instruction(lua_State* thread, WaveHandle& wave) {
  return isa::disassemble(debugged_session(thread).program().arch,
                          *next_op(thread, wave).instruction);
}
std::string wave_place(lua_State* thread, WaveHandle& wave) {
  return isa::place_text(debugged_session(thread).lines().chain(next_op(thread, wave).address));
}
std::int64_t wave_exec(lua_State* thread, WaveHandle& wave) {
  return static_cast<std::int64_t>(live_wave(thread, wave).exec());
}
std::int64_t wave_vcc(lua_State* thread, WaveHandle& wave) {
  return static_cast<std::int64_t>(live_wave(thread, wave).vcc());
}
bool wave_scc(lua_State* thread, WaveHandle& wave) { return live_wave(thread, wave).scc; }

std::vector<unsigned> wave_lanes(lua_State* thread, WaveHandle& wave) {
  const std::uint64_t exec = live_wave(thread, wave).exec();
  std::vector<unsigned> active;
  for (unsigned lane = 0; lane < emu::kLanes; ++lane) {
    if ((exec >> lane & 1) != 0) active.push_back(lane);
  }
  return active;
}

std::string wave_text(WaveHandle& wave) {
  return fmt::format("wave {} of workgroup {}", wave.wave, wave.workgroup);
}

// rpl.Lane

LaneHandle& lane_of(lua_State* thread) { return check_object<LaneHandle>(thread, 1); }
bool lane_active(lua_State* thread, LaneHandle& lane) {
  return (live_wave(thread, lane.wave).exec() >> lane.lane & 1) != 0;
}

/// `lane:f32(3)`: vector register 3 there.
template <Literal type>
int lane_value(lua_State* thread) {
  const LaneHandle& lane = lane_of(thread);
  std::string name = numbered(thread, 'v');
  if (bytes_of(type.text) == 8)
    name = fmt::format("v[{}:{}]", luaL_checkinteger(thread, 2), luaL_checkinteger(thread, 2) + 1);
  push_typed(thread, register_bits(thread, lane.wave, name, lane.lane), type.text);
  return 1;
}

std::string lane_text(LaneHandle& lane) {
  return fmt::format("lane {} of wave {} of workgroup {}", lane.lane, lane.wave.wave,
                     lane.wave.workgroup);
}

// rpl.Register

RegisterHandle& register_of(lua_State* thread) { return check_object<RegisterHandle>(thread, 1); }

template <Literal type>
int register_value(lua_State* thread) {
  const RegisterHandle& reg = register_of(thread);
  push_typed(thread, register_bits(thread, reg.wave, reg.name, lane_at(thread, 2)), type.text);
  return 1;
}

int register_index(lua_State* thread) {
  if (!lua_isinteger(thread, 2)) return 0;
  const RegisterHandle& reg = register_of(thread);
  push_typed(thread, register_bits(thread, reg.wave, reg.name, lane_at(thread, 2)), "u32");
  return 1;
}

std::vector<std::uint64_t> register_values(lua_State* thread, RegisterHandle& reg) {
  std::vector<std::uint64_t> lanes;
  for (unsigned lane = 0; lane < emu::kLanes; ++lane)
    lanes.push_back(register_bits(thread, reg.wave, reg.name, lane));
  return lanes;
}

std::string register_text(RegisterHandle& reg) {
  return fmt::format("{} of wave {} of workgroup {}", reg.name, reg.wave.wave, reg.wave.workgroup);
}

// rpl.Memory

template <Literal type>
int memory_value(lua_State* thread) {
  const bool method = find_object<MemoryHandle>(thread, 1) != nullptr;
  const bool lds = method && find_object<MemoryHandle>(thread, 1)->lds;
  const auto offset = static_cast<std::uint64_t>(luaL_checkinteger(thread, method ? 2 : 1));
  const debug::Address address{lds ? debug::Address::Space::lds : debug::Address::Space::global,
                               offset};
  const auto bytes =
      must(thread, debug::read(debugged_session(thread), address, bytes_of(type.text)));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  push_typed(thread, bits, type.text);
  return 1;
}

std::string memory_text(MemoryHandle& memory) {
  return memory.lds ? "LDS of the selected workgroup" : "memory of the emulated device";
}

constexpr auto kWaveColumns = bound_to<WaveHandle>(
    column<&WaveHandle::wave>("id", "Its number within the workgroup."),
    column<&WaveHandle::workgroup>("workgroup", "The linear number of its workgroup."));
constexpr auto kLaneColumns = bound_to<LaneHandle>(column<&LaneHandle::lane>("id", "0 to 63."));
constexpr auto kRegisterColumns =
    bound_to<RegisterHandle>(column<&RegisterHandle::name>("name", "v3, a0."));

constexpr FieldBinding kWaveFields[] = {
    {"state", "string", "ready, at barrier or ended.", thunk<&wave_state>},
    {"pc", "integer", "Address of the instruction that comes next, relative to the load base.",
     thunk<&wave_pc>},
    {"instruction", "string", "That instruction.", thunk<&wave_instruction>},
    {"place", "string", "Its source line; empty where none is known.", thunk<&wave_place>},
    {"exec", "integer", "The mask of active lanes.", thunk<&wave_exec>},
    {"vcc", "integer", "The vector condition code.", thunk<&wave_vcc>},
    {"scc", "boolean", "The scalar condition code.", thunk<&wave_scc>},
    {"lanes", "integer[]", "The numbers of its active lanes.", thunk<&wave_lanes>},
};
constexpr FunctionBinding kWaveMethods[] = {
    {"v", thunk<&vector_register<'v'>>, "number: integer", "rpl.Register", "A vector register.",
     kReads},
    {"a", thunk<&vector_register<'a'>>, "number: integer", "rpl.Register",
     "An accumulation register.", kReads},
    {"s", thunk<&scalar_register>, "number: integer", "integer", "What a scalar register holds.",
     kReads},
    {"lane", thunk<&wave_lane>, "number: integer", "rpl.Lane", "One lane, 0 to 63.", kReads},
    {"select", thunk<&wave_select>, "", "", "Makes it the selected wave.", kReads},
};
constexpr luaL_Reg kWaveMeta[] = {
    {"__tostring", thunk<&wave_text>},
    {"__eq", thunk<&same<WaveHandle, &WaveHandle::workgroup, &WaveHandle::wave>>}};

constexpr FieldBinding kLaneFields[] = {
    {"active", "boolean", "Whether it executes.", thunk<&lane_active>},
};
constexpr FunctionBinding kLaneMethods[] = {
    {"v", thunk<&lane_value<"u32">>, "number: integer", "integer",
     "A vector register in this lane.", kReads},
    {"i32", thunk<&lane_value<"i32">>, "number: integer", "integer",
     "The same as a signed integer.", kReads},
    {"f32", thunk<&lane_value<"f32">>, "number: integer", "number", "The same as a float.", kReads},
    {"f16", thunk<&lane_value<"f16">>, "number: integer", "number", "Its low half as a half float.",
     kReads},
    {"u64", thunk<&lane_value<"u64">>, "number: integer", "integer", "It and the next one.",
     kReads},
    {"f64", thunk<&lane_value<"f64">>, "number: integer", "number",
     "It and the next one as a double.", kReads},
};
constexpr luaL_Reg kLaneMeta[] = {{"__tostring", thunk<&lane_text>}};

constexpr FunctionBinding kRegisterMethods[] = {
    {"u32", thunk<&register_value<"u32">>, "lane: integer", "integer",
     "What it holds in a lane, 0 to 63; register[lane] is the same.", kReads},
    {"i32", thunk<&register_value<"i32">>, "lane: integer", "integer",
     "The same as a signed integer.", kReads},
    {"f32", thunk<&register_value<"f32">>, "lane: integer", "number", "The same as a float.",
     kReads},
    {"f16", thunk<&register_value<"f16">>, "lane: integer", "number",
     "Its low half as a half float.", kReads},
    {"totable", thunk<&register_values>, "", "integer[]", "All 64 lanes; lane 0 is at index 1.",
     kReads},
};
constexpr luaL_Reg kRegisterMeta[] = {{"__tostring", thunk<&register_text>},
                                      {"__index", thunk<&register_index>}};

constexpr FunctionBinding kMemoryMethods[] = {
    {"u8", thunk<&memory_value<"u8">>, "address: integer", "integer", "A byte.", kReads},
    {"u16", thunk<&memory_value<"u16">>, "address: integer", "integer", "Two bytes.", kReads},
    {"u32", thunk<&memory_value<"u32">>, "address: integer", "integer", "Four bytes.", kReads},
    {"u64", thunk<&memory_value<"u64">>, "address: integer", "integer", "Eight bytes.", kReads},
    {"i8", thunk<&memory_value<"i8">>, "address: integer", "integer", "A signed byte.", kReads},
    {"i16", thunk<&memory_value<"i16">>, "address: integer", "integer", "Two bytes, signed.",
     kReads},
    {"i32", thunk<&memory_value<"i32">>, "address: integer", "integer", "Four bytes, signed.",
     kReads},
    {"i64", thunk<&memory_value<"i64">>, "address: integer", "integer", "Eight bytes, signed.",
     kReads},
    {"f16", thunk<&memory_value<"f16">>, "address: integer", "number", "A half float.", kReads},
    {"f32", thunk<&memory_value<"f32">>, "address: integer", "number", "A float.", kReads},
    {"f64", thunk<&memory_value<"f64">>, "address: integer", "number", "A double.", kReads},
};
constexpr luaL_Reg kMemoryMeta[] = {{"__tostring", thunk<&memory_text>}};

}  // namespace
}  // namespace debug_binding

const ClassBinding kWaveClass{.name = "rpl.Wave",
                              .help = "A wave of the kernel that is stopped.",
                              .fields = debug_binding::kWaveFields,
                              .methods = debug_binding::kWaveMethods,
                              .metamethods = debug_binding::kWaveMeta,
                              .finalizer = detail::finalize<WaveHandle>,
                              .columns = debug_binding::kWaveColumns,
                              .read = read_object<WaveHandle>};
const ClassBinding kLaneClass{.name = "rpl.Lane",
                              .help = "A lane of a wave.",
                              .fields = debug_binding::kLaneFields,
                              .methods = debug_binding::kLaneMethods,
                              .metamethods = debug_binding::kLaneMeta,
                              .finalizer = detail::finalize<LaneHandle>,
                              .columns = debug_binding::kLaneColumns,
                              .read = read_object<LaneHandle>};
const ClassBinding kRegisterClass{
    .name = "rpl.Register",
    .help = "A vector register with its lanes, as it is now: later steps change it.",
    .fields = {},
    .methods = debug_binding::kRegisterMethods,
    .metamethods = debug_binding::kRegisterMeta,
    .element = "integer",
    .finalizer = detail::finalize<RegisterHandle>,
    .columns = debug_binding::kRegisterColumns,
    .read = read_object<RegisterHandle>};
const ClassBinding kMemoryClass{
    .name = "rpl.Memory",
    .help = "Memory of the stopped kernel; mem.f32(address) and mem:f32(address) are the same.",
    .fields = {},
    .methods = debug_binding::kMemoryMethods,
    .metamethods = debug_binding::kMemoryMeta,
    .finalizer = detail::finalize<MemoryHandle>};

}  // namespace rpl
