// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/path.h"

namespace rpl::emu {
namespace {

constexpr unsigned kPairs = 126;  ///< operand numbers below are pairs of Wave::sgprs

/// Equal addresses of two lanes are worth different numbers.
constexpr std::uint64_t lane_key(unsigned lane) { return (lane + 1) * 0xd1b54a32d192ed03U; }

}  // namespace

PathWatch::Exec PathWatch::exec_of(const Op& op) {
  if (op.instruction == nullptr) return Exec::other;
  const auto name = op.instruction->opcode->mnemonic;
  const auto& operands = op.instruction->operands;
  if (name == "s_or_saveexec_b64" && operands[1].number == isa::kMinusOne) return Exec::whole;
  if (name != "s_mov_b64" || operands[0].number != isa::kExecLo) return Exec::other;
  return operands[1].number == isa::kMinusOne ? Exec::whole : Exec::kept;
}

PathWatch::PathWatch(const Program& program, bool traces) : program_(program), traces_(traces) {
  for (const Op& op : program.ops) {
    Choice choice = Choice::none;
    bool scalar = true;
    if (op.instruction != nullptr) {
      const auto name = op.instruction->opcode->mnemonic;
      scalar = name.starts_with("s_");
      if (name.starts_with("v_cndmask_b32"))
        choice = op.sources[2].kind == Source::Kind::scalar && op.sources[2].number != isa::kVccLo
                     ? Choice::by_pair
                     : Choice::by_vcc;
      if (name.starts_with("s_cselect_") || name.starts_with("s_cbranch_scc"))
        choice = Choice::by_scc;
      if (name.starts_with("s_cbranch_vcc")) choice = Choice::branch_by_vcc;
      if (name == "s_and_saveexec_b64" && op.instruction->operands[1].number < kPairs)
        choice = Choice::lanes;
      const bool combines = name == "s_and_b64" || name == "s_or_b64" || name == "s_andn2_b64" ||
                            name == "s_orn2_b64" || name == "s_xor_b64";
      if (combines && op.instruction->operands[1].number < kPairs &&
          op.instruction->operands[2].number < kPairs)
        choice = Choice::both_masks;
    }
    if (const auto bound = bound_of(op)) {
      bounds_.emplace(static_cast<std::uint32_t>(choices_.size()), *bound);
      choice = Choice::bounded;
    }
    exec_.push_back(exec_of(op));
    choices_.push_back(choice);
    scalar_.push_back(scalar);
    const bool loads = op.instruction != nullptr &&
                       op.instruction->opcode->mnemonic.find("_load") != std::string_view::npos;
    stores_.push_back(op.kind == isa::Class::vmem && !loads ? 1 : 0);
  }
  settled_.resize(program.ops.size());
  path_.ran.resize(program.ops.size());
  path_.chosen.resize(program.ops.size());
}

void PathWatch::before(const Wave& wave, std::uint32_t at) {
  const std::uint64_t exec = wave.exec();
  if (exec != 0 || scalar_[at]) {
    path_.ran[at] = true;
    const bool meets = program_.ops[at].kind == isa::Class::barrier;
    settled_[at] = choices_[at] == Choice::none && !meets ? 1 : 0;
  }
  if (!left_.empty() || program_.ops[at].kind == isa::Class::barrier) look_for_split(wave, at);
  const auto side = [&](bool second) { path_.chosen[at] |= second ? 2 : 1; };
  switch (choices_[at]) {
    case Choice::none:
      return;
    case Choice::by_scc:
      return side(wave.scc);
    case Choice::branch_by_vcc:
      return side(wave.vcc() != 0);
    case Choice::bounded:
      path_.chosen[at] |= shown_by(bounds_.at(at), wave);
      return;
    case Choice::both_masks: {
      const auto& operands = program_.ops[at].instruction->operands;
      for (unsigned i = 0; i < 2; ++i) {
        const std::uint64_t mask = wave.pair(operands[i + 1].number);
        if ((exec & ~mask) != 0) path_.chosen[at] |= 1U << (2 * i);
        if ((exec & mask) != 0) path_.chosen[at] |= 2U << (2 * i);
      }
      return;
    }
    default: {
      const Op& op = program_.ops[at];
      const std::uint64_t mask = choices_[at] == Choice::by_vcc ? wave.vcc()
                                 : choices_[at] == Choice::by_pair
                                     ? wave.pair(op.sources[2].number)
                                     : wave.pair(op.instruction->operands[1].number);
      if ((exec & ~mask) != 0) path_.chosen[at] |= 1;
      if ((exec & mask) != 0) path_.chosen[at] |= 2;
    }
  }
}

// Lanes that have left the kernel stay off. Those that come back were elsewhere when the others met, which no device has to allow.
void PathWatch::look_for_split(const Wave& wave, std::uint32_t at) {
  const std::uint64_t key = std::uint64_t{wave.workgroup} << 32 | wave.id;
  if (program_.ops[at].kind == isa::Class::barrier) {
    if (~wave.exec() == 0) {
      left_.erase(key);
      return;
    }
    Left& off = left_[key];
    if (off.lanes == 0) off.barrier = at;
    off.pending = ~wave.exec() & ~off.lanes;
    return;
  }
  if (scalar_[at] && exec_[at] == Exec::other) return;
  const auto left = left_.find(key);
  if (left == left_.end()) return;
  Left& off = left->second;
  if (exec_[at] != Exec::other) off.whole = exec_[at] == Exec::whole;
  if (scalar_[at] || off.whole) return;
  // At the end of a block compilers put a barrier, which does not look at lanes, in front of the instruction that has all of them on again.
  if ((wave.exec() & off.lanes) == 0) {
    off.lanes |= off.pending & ~wave.exec();
    off.pending = 0;
    return;
  }
  if (!path_.split_barrier) path_.split_barrier = off.barrier;
  left_.erase(left);
}

// The sum of what the lanes are worth each, which does not have to wait for one after the other.
void PathWatch::mix_addresses(const Access& access) {
  std::uint64_t sum = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t worth = (access.address[lane] ^ lane_key(lane)) * kOdd;
    sum += (access.active >> lane & 1) != 0 ? worth ^ worth >> 29 : 0;
  }
  mix(sum);
}

void PathWatch::after(const Op& op, std::uint32_t at, std::uint64_t exec, const Access& access) {
  const bool goes_somewhere =
      touches_memory(op.kind) && access.space != Access::Space::none && access.active != 0;
  if (traces_) {
    mix(at);
    mix(exec);
    if (goes_somewhere) mix_addresses(access);
  }
  if (!goes_somewhere || !access.store || access.space != Access::Space::global) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    add_page(access.address[lane] / kPageBytes);
    // The last byte may lie on the next page.
    add_page((access.address[lane] + access.bytes - 1) / kPageBytes);
  }
}

}  // namespace rpl::emu
