// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

using ControlTable = std::unordered_map<std::string, Handler>;

bool next(Machine&, Wave&, const Op&) { return true; }

template <auto kCondition>
bool run_branch(Machine&, Wave& wave, const Op& op) {
  if (kCondition(wave)) wave.pc = op.target;
  return true;
}

template <class F>
Handler branch(F) {
  return run_branch<F{}>;
}

bool end(Machine&, Wave& wave, const Op&) {
  wave.state = Wave::State::ended;
  return false;
}

// Loops that wait for others sleep in between: the others' turns come at once instead of after millions of rounds.
bool sleep(Machine& machine, Wave&, const Op&) {
  machine.slept = true;
  return false;
}

bool barrier(Machine&, Wave& wave, const Op&) {
  wave.state = Wave::State::at_barrier;
  return false;
}

std::uint64_t following(const Machine& machine, const Op& op) {
  return machine.load_base + op.address + op.instruction->bytes;
}

}  // namespace

bool jump_to(Machine& machine, Wave& wave, const Op& op, std::uint64_t address) {
  const Program& program = *machine.program;
  const std::uint64_t offset = address - machine.load_base - program.first_address;
  const std::uint64_t word = offset / sizeof(std::uint32_t);
  if (offset % sizeof(std::uint32_t) != 0 || word >= program.index_of.size() ||
      program.index_of[word] == Program::kNoOp) {
    return machine.stop(wave, op, Errc::verification_failed,
                        fmt::format("jumps to 0x{:x}, where there is no code", address));
  }
  wave.pc = program.index_of[word];
  return true;
}

namespace {

bool get_pc(Machine& machine, Wave& wave, const Op& op) {
  wave.set_pair(op.destination, following(machine, op));
  return true;
}
bool set_pc(Machine& machine, Wave& wave, const Op& op) {
  const bool done = jump_to(machine, wave, op, scalar64(machine, wave, op.sources[0]));
  // A return leads behind a call; it may leave several functions at once.
  const auto back = std::find(wave.calls.rbegin(), wave.calls.rend(), wave.pc);
  if (done && back != wave.calls.rend()) wave.calls.erase(std::next(back).base(), wave.calls.end());
  return done;
}
/// A function that was called is known by where it returns to: behind the operation that is executed.
void enter_function(const Machine& machine, Wave& wave, const Op& op) {
  const Program& program = *machine.program;
  const std::uint64_t word =
      (following(machine, op) - machine.load_base - program.first_address) / sizeof(std::uint32_t);
  if (wave.calls.size() < kMostCalls && word < program.index_of.size() &&
      program.index_of[word] != Program::kNoOp)
    wave.calls.push_back(program.index_of[word]);
}
bool swap_pc(Machine& machine, Wave& wave, const Op& op) {
  const std::uint64_t target = scalar64(machine, wave, op.sources[0]);
  wave.set_pair(op.destination, following(machine, op));
  enter_function(machine, wave, op);
  return jump_to(machine, wave, op, target);
}
bool call(Machine& machine, Wave& wave, const Op& op) {
  const std::uint64_t after = following(machine, op);
  wave.set_pair(op.destination, after);
  enter_function(machine, wave, op);
  const std::int64_t distance =
      std::int64_t{static_cast<std::int16_t>(op.instruction->immediate)} * 4;
  return jump_to(machine, wave, op, after + static_cast<std::uint64_t>(distance));
}

bool trap(Machine& machine, Wave& wave, const Op& op) {
  return machine.stop(wave, op, Errc::verification_failed, "the kernel trapped");
}

bool message(Machine& machine, Wave& wave, const Op& op) {
  if (!machine.memory->on_message) {
    return machine.stop(wave, op, Errc::unsupported,
                        "a message to the host, and nobody there listens");
  }
  machine.memory->on_message();
  return next(machine, wave, op);
}

bool read_clock(Machine& machine, Wave& wave, const Op& op) {
  machine.access.space = Access::Space::none;
  wave.set_pair(op.destination, machine.clock);
  return true;
}

/// Of the class of memory instructions, and accesses none: what the one before accessed is not accessed again.
bool control_cache(Machine& machine, Wave& wave, const Op& op) {
  machine.access.space = Access::Space::none;
  machine.access.active = 0;
  return next(machine, wave, op);
}

ControlTable make_control() {
  ControlTable table;
  // Caches are not modelled as state and waves run in order, so waiting and cache control change nothing.
  for (const char* name :
       {"s_nop", "s_waitcnt", "s_setprio", "s_icache_inv", "s_dcache_inv", "s_dcache_wb",
        "s_dcache_inv_vol", "s_dcache_wb_vol", "s_ttracedata", "s_incperflevel", "s_decperflevel",
        "s_wakeup", "s_sethalt", "v_nop", "v_clrexcp"}) {
    table[name] = next;
  }
  for (const char* name :
       {"buffer_wbl2", "buffer_inv", "buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_vol"})
    table[name] = control_cache;
  table["s_branch"] = branch([](const Wave&) { return true; });
  table["s_cbranch_scc0"] = branch([](const Wave& wave) { return !wave.scc; });
  table["s_cbranch_scc1"] = branch([](const Wave& wave) { return wave.scc; });
  table["s_cbranch_vccz"] = branch([](const Wave& wave) { return wave.vcc() == 0; });
  table["s_cbranch_vccnz"] = branch([](const Wave& wave) { return wave.vcc() != 0; });
  table["s_cbranch_execz"] = branch([](const Wave& wave) { return wave.exec() == 0; });
  table["s_cbranch_execnz"] = branch([](const Wave& wave) { return wave.exec() != 0; });
  table["s_endpgm"] = table["s_endpgm_saved"] = end;
  // No debugger sets the bits that these branch on.
  for (const char* name : {"s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user",
                           "s_cbranch_cdbgsys_and_user"})
    table[name] = next;
  table["s_barrier"] = barrier;
  table["s_sleep"] = sleep;
  table["s_getpc_b64"] = get_pc;
  table["s_setpc_b64"] = set_pc;
  table["s_swappc_b64"] = swap_pc;
  table["s_call_b64"] = call;
  table["s_trap"] = trap;
  table["s_sendmsg"] = message;
  table["s_memtime"] = read_clock;
  table["s_memrealtime"] = read_clock;
  return table;
}

}  // namespace

std::string source_of(const Program& program, std::uint64_t address) {
  if (program.object == nullptr) return {};
  const auto lines = program.object->source_lines();
  const std::string place = lines ? isa::place_text(lines->chain(address)) : std::string();
  return place.empty() ? place : fmt::format(" ({})", place);
}

std::string place_of(const Program& program, const Wave& wave, const Op& op) {
  return fmt::format("wave {} of workgroup {} at 0x{:x}{}, {}", wave.id, wave.workgroup, op.address,
                     source_of(program, op.address),
                     isa::disassemble(program.arch, *op.instruction));
}

bool Machine::stop(const Wave& wave, const Op& op, Errc code, std::string_view what) {
  fault = Fault{code, fmt::format("{}: {}: {}", short_kernel(program->kernel),
                                  place_of(*program, wave, op), what)};
  return false;
}

bool run_unsupported(Machine& machine, Wave& wave, const Op& op) {
  const auto& words = op.instruction->words;
  return machine.stop(
      wave, op, Errc::unsupported,
      fmt::format("the emulator does not know this instruction (encoding 0x{:08x} 0x{:08x})",
                  words[0], words[1]));
}

bool run_refused(Machine& machine, Wave& wave, const Op& op) {
  return machine.stop(
      wave, op, Errc::unsupported,
      "the global data share and global wave sync, by which workgroups wait for each "
      "other in hardware, are not emulated");
}

Handler find_control_handler(const std::string& name) {
  static const ControlTable table = make_control();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace rpl::emu
