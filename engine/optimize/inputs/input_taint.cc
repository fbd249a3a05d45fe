// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/input_taint.h"

#include <algorithm>
#include <string_view>

#include "engine/optimize/inputs/control_flow.h"

namespace rpl {
namespace {

/// Scalar instructions that leave a condition (ISA documents, "Scalar ALU Instructions").
bool writes_scc(std::string_view name) {
  constexpr std::string_view kBegin[] = {
      "s_add_",  "s_addc_", "s_sub_",   "s_subb_",  "s_min_",  "s_max_",  "s_and",    "s_or",
      "s_xor_",  "s_nand_", "s_nor_",   "s_xnor_",  "s_not_",  "s_lshl",  "s_lshr_",  "s_ashr_",
      "s_bfe_",  "s_abs",   "s_bcnt",   "s_wqm_",   "s_quad",  "s_cmp",   "s_bitcmp", "s_addk_",
      "s_xor_s", "s_nor_s", "s_nand_s", "s_xnor_s", "s_orn2_", "s_andn2_"};
  return std::ranges::any_of(kBegin,
                             [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_result(const isa::Instruction& in, unsigned i) {
  const char letter = in.operands[i].letter;
  // What is compared with a constant stands where others have their result.
  if (in.opcode->mnemonic.starts_with("s_cmpk_") || in.opcode->mnemonic.starts_with("s_setreg"))
    return false;
  // A carry in is named last, one that comes out second; comparisons name their mask first.
  const bool mask_out = letter == 'V' && i < 2 && !in.opcode->mnemonic.starts_with("v_cndmask") &&
                        !in.opcode->mnemonic.starts_with("v_div_fmas");
  return letter == 'D' || letter == 'Q' || letter == 'S' || mask_out;
}

}  // namespace

InputTaint::InputTaint(const emu::Program& program) : ops_(program.ops), entry_(program.entry) {
  if (program.object != nullptr) {
    for (const isa::Kernel& one : program.object->kernels()) {
      if (one.name == program.kernel) kernel_ = &one;
    }
  }
  before_.resize(ops_.size());
  tainted_branch_.resize(ops_.size());
  on_either_way_.resize(ops_.size());
  if (entry_ >= ops_.size()) return;
  join_ = joins(program);
  before_[entry_] = at_entry();
  solve();
}

// What the packet processor sets: llvm.org/docs/AMDGPUUsage.html, "Initial Kernel Execution State".
InputTaint::State InputTaint::at_entry() const {
  State out;
  out.reached = true;
  out.tainted.set();
  out.pointer.fill(-1);
  for (const Extra bit : {kExec, kLastCondition}) out.tainted.reset(bit);
  out.levels.resize(1);
  if (kernel_ == nullptr) return out;
  const isa::KernelDescriptor& d = kernel_->descriptor;
  // The numbers of the work-item; in one register, or in three.
  for (unsigned i = 0; i < 3; ++i) out.tainted.reset(i);
  unsigned next = d.private_buffer ? 4 : 0;
  const auto point = [&](bool is_there, std::int16_t to) {
    if (!is_there) return;
    if (to >= 0) {
      out.pointer[next] = to;
      out.pointer[next + 1] = kHigh;
    }
    next += 2;
  };
  point(d.dispatch_pointer, kPacket);
  point(d.queue_pointer, -1);
  point(d.kernarg_pointer, 0);
  return out;
}

void InputTaint::solve() {
  std::vector<std::size_t> open = {entry_};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    State state = before_[at];
    const auto name = name_of(ops_[at]);
    const auto flow_on = [&](std::size_t to, const State& with) {
      if (flow(at, to, with)) open.push_back(to);
    };
    if (name.starts_with("s_cbranch") && !tainted_branch_[at] && condition(at, state)) {
      tainted_branch_[at] = true;
      on_either_way_[at] = between(at);
    }
    // Where the ways meet again it depends on inputs what was written on either.
    if (tainted_branch_[at] && join_[at] < ops_.size()) {
      State met = state;
      for (const std::size_t one : on_either_way_[at]) write(ops_[one], true, met);
      flow_on(join_[at], met);
    }
    step(at, state);
    for_each_next(ops_, at, [&](std::size_t to) { flow_on(to, state); });
  }
}

/// The operations on the ways from a branch to where these meet.
std::vector<std::size_t> InputTaint::between(std::size_t branch) const {
  std::vector<std::size_t> out, open;
  std::vector<bool> seen(ops_.size());
  const auto add = [&](std::size_t to) {
    if (to == join_[branch] || seen[to]) return;
    seen[to] = true;
    open.push_back(to);
  };
  for_each_next(ops_, branch, add);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (ops_[at].instruction != nullptr) out.push_back(at);
    for_each_next(ops_, at, add);
  }
  return out;
}

bool InputTaint::flow(std::size_t from, std::size_t to, State state) {
  // What is written in turns of a loop whose number depends on inputs does so too.
  if (tainted_branch_[from] && to <= from) add_written({to, from}, state);
  State& there = before_[to];
  const State was = there;
  there.tainted |= state.tainted;
  there.off_tainted |= state.off_tainted;
  if (!was.reached) {
    there.pointer = state.pointer;
    there.levels = state.levels;
  }
  const bool other_levels = merge_levels(state.levels, there.levels);
  for (unsigned i = 0; i < kScalars; ++i) {
    if (there.pointer[i] != state.pointer[i]) there.pointer[i] = -1;
  }
  there.reached = true;
  return !was.reached || was.pointer != there.pointer || was.tainted != there.tainted ||
         was.off_tainted != there.off_tainted || other_levels;
}

/// Levels that only one of both has are no longer told apart from the one below. Whether that changed `into`.
bool InputTaint::merge_levels(const std::vector<Level>& from, std::vector<Level>& into) {
  const std::vector<Level> was = into;
  std::size_t common = 1;
  while (common < std::min(from.size(), into.size()) && from[common].mask == into[common].mask)
    ++common;
  std::vector<Level> out(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(common));
  for (const std::vector<Level>* each : {&from, &was}) {
    for (std::size_t i = 0; i < each->size(); ++i) {
      Level& there = out[std::min(i, common - 1)];
      there.depends = there.depends || (*each)[i].depends;
      there.written |= (*each)[i].written;
    }
  }
  into = std::move(out);
  return into != was;
}

/// The lanes that `level` and those above it had switched off go on: what was written meanwhile they have not.
void InputTaint::switch_on(std::size_t level, State& state) {
  while (state.levels.size() > level) {
    const Level top = std::move(state.levels.back());
    state.levels.pop_back();
    for (unsigned i = 0; i < kVectors; ++i) {
      if (top.written[i] && (top.depends || state.off_tainted[i])) state.tainted.set(i);
    }
    if (state.levels.empty()) {
      state.levels.push_back({.written = top.written});
      return;
    }
    state.levels.back().written |= top.written;
  }
}

/// Which lanes are switched off and on by an instruction that writes their mask; `condition`: what it takes besides the mask depends on inputs.
void InputTaint::follow_lanes(const emu::Op& op, bool condition, State& state) {
  const isa::Instruction& in = *op.instruction;
  const auto name = name_of(op);
  constexpr std::size_t kNone = ~std::size_t{0};
  const auto level_of = [&](unsigned mask) {
    for (std::size_t i = state.levels.size(); i-- > 1;) {
      if (state.levels[i].mask == mask) return i;
    }
    return kNone;
  };
  const auto push = [&](unsigned mask, bool depends) {
    if (state.levels.size() >= kMostLevels) switch_on(1, state);
    state.levels.push_back({.mask = mask, .depends = depends});
  };
  // The operand besides the mask itself.
  unsigned other = kScalars;
  for (unsigned i = 1; i < in.operand_count; ++i) {
    const bool exec =
        in.operands[i].number >= isa::kExecLo && in.operands[i].number <= isa::kExecHi;
    if (!exec && in.operands[i].kind == isa::Operand::Kind::scalar) other = in.operands[i].number;
  }
  const std::size_t level = level_of(other);
  if (name.ends_with("saveexec_b64")) {
    const bool narrows = name == "s_and_saveexec_b64";
    // Others begin with lanes that were off: the other side of a condition.
    const bool depends = condition || (level != kNone && state.levels[level].depends);
    if (!narrows) switch_on(level == kNone ? 0 : level, state);
    push(in.operands[0].number, depends);
  } else if (name == "s_and_b64" || name == "s_andn2_b64") {
    for (std::size_t i = level == kNone ? state.levels.size() - 1 : level; i < state.levels.size();
         ++i)
      state.levels[i].depends = state.levels[i].depends || condition;
  } else if (name == "s_xor_b64") {
    Level& top = state.levels.back();
    for (unsigned i = 0; i < kVectors; ++i) {
      if (top.written[i] && state.off_tainted[i]) state.tainted.set(i);
    }
    top.depends = top.depends || condition;
  } else {
    switch_on(level == kNone ? 0 : level, state);
  }
}

void InputTaint::add_written(Span span, State& state) const {
  for (std::size_t at = span.begin; at < span.end; ++at) {
    if (ops_[at].instruction != nullptr) write(ops_[at], true, state);
  }
}

void InputTaint::write(const emu::Op& op, bool tainted, State& state) const {
  const isa::Instruction& in = *op.instruction;
  for (unsigned i = 0; i < in.operand_count; ++i) {
    const isa::Operand& one = in.operands[i];
    if (!is_result(in, i)) continue;
    for (unsigned k = 0; k < std::max<unsigned>(one.dwords, 1); ++k) {
      const unsigned number = one.number + k;
      if (one.kind == isa::Operand::Kind::scalar) {
        if (number >= kScalars) continue;
        state.tainted[kVectors + number] = tainted;
        state.pointer[number] = -1;
      } else if (one.is_vector()) {
        const unsigned at = number + (one.kind == isa::Operand::Kind::agpr ? kVectors / 2 : 0);
        if (at >= kVectors) continue;
        // Lanes that are off keep what they had.
        const bool in_part = state.levels.size() > 1 || state.levels.back().depends;
        state.off_tainted[at] = in_part && (state.off_tainted[at] || state.tainted[at]);
        state.tainted[at] = tainted;
        state.levels.back().written.set(at);
      }
    }
  }
}

bool InputTaint::reads_tainted(const emu::Op& op, const State& state) const {
  const isa::Instruction& in = *op.instruction;
  const auto name = name_of(op);
  bool out = false;
  for (unsigned i = 0; i < in.operand_count; ++i) {
    const isa::Operand& one = in.operands[i];
    // Such as v_fmac add to what they write.
    const bool adds = name.starts_with("v_fmac") || name.starts_with("v_mac") ||
                      name.starts_with("v_dot") || name.starts_with("v_pk_fmac") ||
                      name.starts_with("v_writelane") || name.starts_with("s_addk_") ||
                      name.starts_with("s_mulk_") || name.starts_with("s_cmov") ||
                      name.starts_with("s_bitset");
    const bool carries_in =
        one.letter == 'V' && (name.starts_with("v_addc") || name.starts_with("v_subb"));
    if (is_result(in, i) && !carries_in && !(adds && one.letter == 'D')) continue;
    for (unsigned k = 0; k < std::max<unsigned>(one.dwords, 1); ++k) {
      const unsigned number = one.number + k;
      if (one.kind == isa::Operand::Kind::scalar) {
        if (number >= isa::kExecLo && number <= isa::kExecHi)
          out = out || state.tainted[kExec];
        else if (number < kScalars)
          out = out || state.tainted[kVectors + number];
        else if (number == isa::kScc)
          out = out || state.tainted[kScc];
      } else if (one.is_vector()) {
        const unsigned at = number + (one.kind == isa::Operand::Kind::agpr ? kVectors / 2 : 0);
        out = out || at >= kVectors || state.tainted[at];
      }
    }
  }
  if (name.starts_with("s_cselect") || name.starts_with("s_addc") || name.starts_with("s_subb") ||
      name.starts_with("s_cmov"))
    out = out || state.tainted[kScc];
  // Which lane is the first one, and what the others hold, depends on the mask.
  if (name.starts_with("v_readfirstlane") || in.form == isa::Instruction::Form::dpp)
    out = out || state.tainted[kExec];
  return out;
}

/// Sizes of the workgroup, which the hidden arguments and the dispatch packet hold.
bool InputTaint::loads_size(const emu::Op& op, const State& state) const {
  const isa::Instruction& in = *op.instruction;
  if (!name_of(op).starts_with("s_load_dword") || kernel_ == nullptr || in.has_soffset)
    return false;
  const isa::Operand* base = in.operand('A');
  const isa::Operand* result = in.operand('D');
  if (base == nullptr || result == nullptr) return false;
  constexpr int kPacketSizes =
      12;  // bytes of hsa_kernel_dispatch_packet_t before the size of the grid
  if (base->number + 1U >= kScalars) return false;
  const int to = state.pointer[base->number];
  if (to < 0 || state.pointer[base->number + 1U] != kHigh) return false;
  const int begin = to + in.offset, end = begin + 4 * result->dwords;
  if (to >= kPacket) return begin >= kPacket && end <= kPacket + kPacketSizes;
  int covered = 0;
  for (const isa::KernelArgument& argument : kernel_->arguments) {
    const bool size = argument.value_kind.starts_with("hidden_group_size");
    const int from = static_cast<int>(argument.offset),
              past = from + static_cast<int>(argument.size);
    if (size) covered += std::max(0, std::min(end, past) - std::max(begin, from));
  }
  return covered == end - begin;
}

// The hidden arguments are found from a pointer to the first of them, which is made by adding to that of the arguments.
void InputTaint::follow_pointer(const emu::Op& op, const Pointers& before, State& state) const {
  const isa::Instruction& in = *op.instruction;
  const auto name = name_of(op);
  if (in.operand_count < 2 || in.operands[0].number + 1U >= kScalars) return;
  const auto pointer = [&](unsigned i) {
    return in.operands[i].number < kScalars ? before[in.operands[i].number] : std::int16_t{-1};
  };
  const unsigned to = in.operands[0].number;
  if (name == "s_mov_b32") state.pointer[to] = pointer(1);
  if (name == "s_mov_b64" && in.operands[1].number + 1U < kScalars) {
    state.pointer[to] = pointer(1);
    state.pointer[to + 1] = before[in.operands[1].number + 1U];
  }
  if (in.operand_count < 3) return;
  for (unsigned i = 1; i < 3; ++i) {
    const unsigned constant = in.operands[3 - i].number;
    const bool is_small = constant >= isa::kZero && constant <= isa::kLastPositive;
    std::int64_t by = is_small ? constant - isa::kZero : -1;
    if (constant == isa::kLiteral) by = in.literal;
    const std::int16_t from = pointer(i);
    constexpr std::int64_t kMost = 4096;
    if (name == "s_add_u32" && from >= 0 && by >= 0 && by < kMost)
      state.pointer[to] = static_cast<std::int16_t>(from + by);
    if (name == "s_addc_u32" && from == kHigh && by == 0) state.pointer[to] = kHigh;
  }
}

void InputTaint::step_exec(const emu::Op& op, State& state) const {
  const isa::Instruction& in = *op.instruction;
  const auto name = name_of(op);
  const auto of = [&](unsigned i) {
    const unsigned number = in.operands[i].number;
    if (number >= isa::kExecLo && number <= isa::kExecHi) return bool{state.tainted[kExec]};
    return number < kScalars && state.tainted[kVectors + number];
  };
  const auto is_exec = [&](unsigned i) {
    return in.operands[i].kind == isa::Operand::Kind::scalar &&
           in.operands[i].number == isa::kExecLo;
  };
  bool now = state.tainted[kExec];
  if (name.ends_with("saveexec_b64")) {
    const bool condition = of(1);
    // What is saved is the mask before.
    if (in.operands[0].number + 1U < kScalars) {
      state.tainted[kVectors + in.operands[0].number] = now;
      state.tainted[kVectors + in.operands[0].number + 1] = now;
    }
    state.tainted[kScc] = now || condition;
    state.tainted[kLastCondition] = condition;
    now = name == "s_or_saveexec_b64" ? condition : now || condition;
    follow_lanes(op, condition, state);
  } else {
    bool other = false;
    for (unsigned i = 1; i < in.operand_count; ++i) other = other || (!is_exec(i) && of(i));
    const bool widens = name == "s_or_b64" || name == "s_mov_b64";
    now = widens ? other : now || other;
    if (name != "s_xor_b64") state.tainted[kLastCondition] = other;
    if (writes_scc(name)) state.tainted[kScc] = now || other;
    follow_lanes(op, other, state);
  }
  state.tainted[kExec] = now;
}

void InputTaint::step(std::size_t at, State& state) const {
  const emu::Op& op = ops_[at];
  if (op.instruction == nullptr) return;
  const isa::Instruction& in = *op.instruction;
  const auto name = name_of(op);
  const bool to_exec = in.operand_count > 0 && in.operands[0].kind == isa::Operand::Kind::scalar &&
                       in.operands[0].number == isa::kExecLo && is_result(in, 0);
  if (to_exec || name.ends_with("saveexec_b64")) return step_exec(op, state);
  if (op.writes_exec) {
    const bool condition = reads_tainted(op, state);
    state.tainted[kLastCondition] = condition;
    if (condition) {
      state.tainted.set(kExec);
      state.levels.back().depends = true;
    }
    return;
  }
  const bool loads = emu::touches_memory(op.kind) || name.starts_with("s_load") ||
                     name.starts_with("s_buffer_load") || name.starts_with("s_getreg") ||
                     name.starts_with("s_memtime") || name.starts_with("s_memrealtime");
  const bool tainted = loads ? !loads_size(op, state) : reads_tainted(op, state);
  const auto pointer = state.pointer;
  write(op, tainted, state);
  // An empty mask collects the lanes that leave a loop, which go on together behind it.
  if (name == "s_mov_b64" && in.operands[1].number == isa::kZero &&
      in.operands[0].number < kScalars && state.levels.size() < kMostLevels)
    state.levels.push_back({.mask = in.operands[0].number});
  follow_pointer(op, pointer, state);
  if (name.starts_with("s_") && writes_scc(name)) state.tainted[kScc] = tainted;
}

bool InputTaint::condition(std::size_t at, const State& state) const {
  const auto name = name_of(ops_[at]);
  if (name.ends_with("scc0") || name.ends_with("scc1")) return state.tainted[kScc];
  if (name.ends_with("vccz") || name.ends_with("vccnz"))
    return state.tainted[kVectors + isa::kVccLo];
  if (name.ends_with("execz") || name.ends_with("execnz")) return state.tainted[kLastCondition];
  return name != "s_branch";
}

bool InputTaint::of_branch(std::size_t at) const {
  return !before_[at].reached || condition(at, before_[at]);
}

bool InputTaint::of_choice(std::size_t at) const {
  const State& state = before_[at];
  if (!state.reached) return true;
  const emu::Op& op = ops_[at];
  if (name_of(op) == "s_and_saveexec_b64") {
    const unsigned mask = op.instruction->operands[1].number;
    return mask >= kScalars || state.tainted[kVectors + mask];
  }
  if (emu::bound_of(op)) return reads_tainted(op, state);
  if (name_of(op).starts_with("s_cbranch")) return condition(at, state);
  if (name_of(op).starts_with("s_cselect")) return state.tainted[kScc];
  const bool named = op.source_count > 2 && op.sources[2].kind == emu::Source::Kind::scalar;
  const unsigned mask = named ? op.sources[2].number : unsigned{isa::kVccLo};
  if (mask == isa::kExecLo) return state.tainted[kExec];
  return mask >= kScalars || state.tainted[kVectors + mask];
}

bool InputTaint::of_mask(std::size_t at, unsigned which) const {
  const unsigned mask = ops_[at].instruction->operands[which + 1].number;
  return !before_[at].reached || mask >= kScalars || before_[at].tainted[kVectors + mask];
}

bool InputTaint::of_lanes(std::size_t at) const {
  return !before_[at].reached || before_[at].tainted[kLastCondition];
}

}  // namespace rpl
