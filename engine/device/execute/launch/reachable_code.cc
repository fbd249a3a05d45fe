// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/reachable_code.h"

#include <algorithm>
#include <cstring>

namespace rpl::emu {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint32_t);

// A jump by a register leaves a kernel's function in no code that compilers or rocBLAS's generators write. Small segments are decoded as a whole all the same.
constexpr std::uint64_t kSmallSegment = 1 << 20;

const isa::Opcode& unknown_opcode() {
  static const isa::Opcode unknown{isa::Encoding::sopp, 0, 0, "unknown", "", ""};
  return unknown;
}

/// Replaces the text by the instructions of `size` bytes at `address`.
void decode_range(const isa::CodeObject& object, std::uint64_t address, std::uint64_t size,
                  Program& program) {
  program.text.clear();
  program.index_of.clear();
  const auto loaded = object.loaded(address, size);
  if (!loaded) return;
  std::vector<std::uint32_t> words(loaded->size() / kWordBytes);
  std::memcpy(words.data(), loaded->bytes().data(), words.size() * kWordBytes);
  program.first_address = address;
  program.index_of.assign(words.size(), Program::kNoOp);
  for (std::size_t at = 0; at < words.size();) {
    auto instruction = isa::decode(program.arch, std::span(words).subspan(at));
    if (!instruction) {
      instruction.emplace();
      instruction->opcode = &unknown_opcode();
      instruction->bytes = kWordBytes;
      instruction->words[0] = words[at];
    }
    program.index_of[at] = static_cast<std::uint32_t>(program.text.size());
    program.text.push_back({address + at * kWordBytes, *instruction});
    at += instruction->bytes / kWordBytes;
  }
  isa::Instruction past_end;
  past_end.opcode = &unknown_opcode();
  past_end.bytes = kWordBytes;
  program.text.push_back({address + words.size() * kWordBytes, past_end});
}

bool is(const isa::Located& located, std::string_view mnemonic) {
  return located.instruction.opcode->mnemonic == mnemonic;
}

/// What stands between functions: s_nop, s_code_end, words that are no instruction, and zeros.
bool is_padding(const isa::Located& located) {
  return is(located, "s_nop") || is(located, "s_code_end") || is(located, "unknown") ||
         located.instruction.words[0] == 0;
}

/// Where `text[at]`, s_setpc_b64, goes when it is a branch that is too far for s_branch: s_getpc_b64, s_add_u32 with the distance, s_addc_u32, s_setpc_b64, as
/// LLVM writes it. Nothing for any other jump.
std::optional<std::uint64_t> far_target(std::span<const isa::Located> text, std::size_t at) {
  if (at < 3 || !is(text[at - 3], "s_getpc_b64") || !is(text[at - 2], "s_add_u32") ||
      !is(text[at - 1], "s_addc_u32"))
    return std::nullopt;
  const isa::Operand* target = text[at].instruction.operand('A');
  const isa::Operand* base = text[at - 3].instruction.operand('D');
  const isa::Operand* sum = text[at - 2].instruction.operand('D');
  const isa::Operand* distance = text[at - 2].instruction.operand('B');
  if (target == nullptr || base == nullptr || sum == nullptr || distance == nullptr ||
      target->number != base->number || sum->number != base->number ||
      distance->number != isa::kLiteral)
    return std::nullopt;
  const auto bytes =
      static_cast<std::int64_t>(static_cast<std::int32_t>(text[at - 2].instruction.literal));
  return text[at - 2].address + static_cast<std::uint64_t>(bytes);
}

/// Whether a wave that begins in the text stays there: nothing is called, every branch leads to an instruction of it, and behind the last one that is no
/// padding it does not go on. `trusts_jumps`: what jumps to an address of its own reckoning does not leave it.
bool is_closed(const Program& program, bool trusts_jumps) {
  const std::uint64_t bytes = program.index_of.size() * kWordBytes;
  const auto inside = [&](std::uint64_t address) {
    const std::uint64_t offset = address - program.first_address;
    return offset < bytes && program.index_of[offset / kWordBytes] != Program::kNoOp;
  };
  std::span<const isa::Located> text = program.text;
  text = text.first(text.size() - 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view name = text[i].instruction.opcode->mnemonic;
    if (name == "s_setpc_b64") {
      const auto target = far_target(text, i);
      if (target ? !inside(*target) : !trusts_jumps) return false;
      continue;
    }
    const bool calls = name == "s_swappc_b64" || name == "s_call_b64" || name == "s_rfe_b64" ||
                       name == "s_rfe_restore_b64" || name == "s_cbranch_g_fork" ||
                       name == "s_cbranch_i_fork" || name == "s_cbranch_join";
    const auto target = isa::branch_target(text[i].address, text[i].instruction);
    if (calls || (target && !inside(*target))) return false;
  }
  while (!text.empty() && is_padding(text.back())) text = text.first(text.size() - 1);
  return !text.empty() && (is(text.back(), "s_endpgm") || is(text.back(), "s_branch") ||
                           is(text.back(), "s_setpc_b64"));
}

/// Of a function whose symbol has no size, as assemblers write it, all up to the next one.
std::uint64_t function_bytes(const isa::CodeObject& object, const isa::Kernel& kernel) {
  if (kernel.code_bytes != 0) return kernel.code_bytes;
  std::uint64_t next = ~std::uint64_t{0};
  for (const isa::Symbol& symbol : object.elf().symbols) {
    if (symbol.kind == isa::Symbol::Kind::function && symbol.address > kernel.entry)
      next = std::min(next, symbol.address);
  }
  return next - kernel.entry;
}

}  // namespace

void decode_reachable(const isa::CodeObject& object, const isa::Kernel& kernel, Program& program) {
  for (const auto& segment : object.elf().segments) {
    const std::uint64_t offset = kernel.entry - segment.address;
    if (!segment.executable || offset >= segment.file_size) continue;
    const std::uint64_t size = std::min(function_bytes(object, kernel), segment.file_size - offset);
    decode_range(object, kernel.entry, size, program);
    if (program.text.empty() || !is_closed(program, segment.file_size > kSmallSegment))
      decode_range(object, segment.address, segment.file_size, program);
  }
}

}  // namespace rpl::emu
