// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/decode_text.h"

#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {

void decode_segment(const isa::CodeObject& object, const isa::Segment& segment, Program& program) {
  const auto loaded = object.loaded(segment.address, segment.file_size);
  if (!loaded) return;
  std::vector<std::uint32_t> words(loaded->size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), loaded->bytes().data(), words.size() * sizeof(std::uint32_t));
  program.first_address = segment.address;
  program.index_of.assign(words.size(), Program::kNoOp);
  static const isa::Opcode kUnknown{isa::Encoding::sopp, 0, 0, "unknown", "", ""};
  for (std::size_t at = 0; at < words.size();) {
    auto instruction = isa::decode(program.arch, std::span(words).subspan(at));
    if (!instruction) {
      instruction.emplace();
      instruction->opcode = &kUnknown;
      instruction->bytes = sizeof(std::uint32_t);
      instruction->words[0] = words[at];
    }
    program.index_of[at] = static_cast<std::uint32_t>(program.text.size());
    program.text.push_back({segment.address + at * sizeof(std::uint32_t), *instruction});
    at += instruction->bytes / sizeof(std::uint32_t);
  }
  // Running off the end must find something that stops it.
  isa::Instruction past_end;
  past_end.opcode = &kUnknown;
  past_end.bytes = sizeof(std::uint32_t);
  program.text.push_back({segment.address + words.size() * sizeof(std::uint32_t), past_end});
}

void resolve_branches(Program& program) {
  for (auto& op : program.ops) {
    if (op.kind != isa::Class::branch) continue;
    const auto address = isa::branch_target(op.address, *op.instruction);
    if (!address) continue;
    // Below the first address it wraps around to far behind the last.
    const std::uint64_t word = (*address - program.first_address) / sizeof(std::uint32_t);
    const bool inside = word < program.index_of.size();
    const std::uint32_t target = inside ? program.index_of[word] : Program::kNoOp;
    if (target == Program::kNoOp) op.handler = run_unsupported;
    op.target = target;
  }
}

}  // namespace rpl::emu
