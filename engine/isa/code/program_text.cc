// SPDX-License-Identifier: MIT
#include "engine/isa/code/program_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/sha256.h"

namespace rpl::isa {
namespace {

std::vector<std::uint32_t> words_of(ByteView code) {
  std::vector<std::uint32_t> words(code.size() / sizeof(std::uint32_t));
  if (!words.empty())
    std::memcpy(words.data(), code.bytes().data(), words.size() * sizeof(std::uint32_t));
  return words;
}

bool any_of(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

Class vector_class(std::string_view name) {
  if (any_of(name, {"v_mfma", "v_smfmac"})) return Class::matrix;
  if (any_of(name, {"v_rcp", "v_rsq", "v_sqrt", "v_exp", "v_log", "v_sin", "v_cos"}))
    return Class::transcendental;
  return Class::valu;
}

Class program_class(const Opcode& opcode) {
  if (opcode.flags == "branch") return Class::branch;
  if (opcode.mnemonic == "s_barrier") return Class::barrier;
  return opcode.mnemonic == "s_waitcnt" ? Class::wait : Class::other;
}

}  // namespace

std::string_view to_string(Class kind) {
  constexpr std::string_view kNames[] = {"valu", "transcendental", "matrix", "salu",
                                         "smem", "vmem",           "lds",    "branch",
                                         "wait", "barrier",        "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

Class class_of(const Opcode& opcode) {
  switch (opcode.encoding) {
    case Encoding::sop1:
    case Encoding::sop2:
    case Encoding::sopc:
    case Encoding::sopk:
      return any_of(opcode.mnemonic, {"pc_b64", "s_call"}) ? Class::branch : Class::salu;
    case Encoding::sopp:
      return program_class(opcode);
    case Encoding::smem:
      return Class::smem;
    case Encoding::ds:
      return Class::lds;
    case Encoding::vop1:
    case Encoding::vop2:
    case Encoding::vopc:
    case Encoding::vop3:
    case Encoding::vop3p:
    case Encoding::vop3px:
      return vector_class(opcode.mnemonic);
    default:
      return Class::vmem;
  }
}

std::optional<std::uint64_t> branch_target(std::uint64_t address, const Instruction& instruction) {
  if (instruction.opcode->flags != "branch") return std::nullopt;
  constexpr std::int64_t kDword = 4;
  const std::int64_t distance = static_cast<std::int16_t>(instruction.immediate);
  return address + static_cast<std::uint64_t>(kDword * (1 + distance));
}

Result<std::vector<Located>> decode_kernel(const CodeObject& object, const Kernel& kernel) {
  const auto words = words_of(TRY(object.loaded(kernel.entry, kernel.code_bytes)));
  std::vector<Located> result;
  for (std::size_t at = 0; at < words.size();) {
    const std::uint64_t address = kernel.entry + at * sizeof(std::uint32_t);
    const auto instruction = decode(object.arch(), std::span(words).subspan(at));
    if (!instruction) {
      return fail(Errc::unsupported, fmt::format("no known {} instruction at 0x{:x}: 0x{:08x}",
                                                 to_string(object.arch()), address, words[at]));
    }
    result.push_back({address, *instruction});
    at += instruction->bytes / sizeof(std::uint32_t);
  }
  return result;
}

Result<std::vector<Located>> decode_body(const CodeObject& object, const Kernel& kernel) {
  auto code = TRY(decode_kernel(object, kernel));
  while (!code.empty() && code.back().instruction.opcode->mnemonic != "s_endpgm") code.pop_back();
  return code;
}

Result<std::string> disassemble_kernel(const CodeObject& object, const Kernel& kernel) {
  std::string text;
  for (const auto& located : TRY(decode_kernel(object, kernel))) {
    text += disassemble(object.arch(), located.instruction);
    text += '\n';
  }
  return text;
}

Result<StaticFacts> static_facts(const CodeObject& object, const Kernel& kernel) {
  const auto code = TRY(decode_body(object, kernel));
  StaticFacts facts;
  for (const auto& [address, instruction] : code) {
    const Opcode& opcode = *instruction.opcode;
    ++facts.instructions;
    ++facts.by_class[static_cast<std::size_t>(class_of(opcode))];
    facts.atomics += opcode.flags == "atomic" ? 1 : 0;
    facts.scratch_accesses += opcode.encoding == Encoding::scratch ? 1 : 0;
    facts.code_bytes = address + instruction.bytes - kernel.entry;
  }
  const auto bytes = TRY(object.loaded(kernel.entry, facts.code_bytes)).bytes();
  facts.code_hash = sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return facts;
}

}  // namespace rpl::isa
