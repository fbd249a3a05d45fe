// SPDX-License-Identifier: MIT
#include "tests/engine/isa/llvm_oracle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engine/process/run.h"

namespace rpl::isa::llvm {
namespace {

/// The version whose tables the product's were made with: 19 does not know gfx950.
const char* program_for(const std::string& arch) {
  return arch == "gfx950" ? "llvm-mc-22" : "llvm-mc-19";
}
constexpr std::uint32_t kMark = 0xBF80ABCD;  ///< s_nop 0xabcd stands before each probe
constexpr const char* kMarkText = "s_nop 0xabcd";
/// After each probe, because the input is one stream, of which llvm-mc skips single bytes where it decodes nothing:
/// s_cmovk_i32 s76, 0xcccc, which is not an instruction from any of its other bytes on, so that decoding falls into step again.
constexpr std::uint32_t kPadding = 0xB0CCCCCC;

struct Line {
  std::string text;
  std::vector<std::uint8_t> bytes;
};

/// "\tv_nop      ; encoding: [0x00,0x00,0x00,0x7e]"
std::optional<Line> parse(const std::string& line) {
  constexpr std::string_view kComment = "; encoding: [";
  const auto comment = line.find(kComment);
  if (comment == std::string::npos) return std::nullopt;
  Line out;
  const auto first = line.find_first_not_of("\t ");
  const auto last = line.find_last_not_of("\t ", comment - 1);
  out.text = line.substr(first, last + 1 - first);
  for (std::size_t at = comment + kComment.size(); at < line.size();) {
    std::size_t length = 0;
    out.bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(at), &length, 16)));
    at += length;
    if (line[at] != ',') break;
    ++at;
  }
  return out;
}

std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
  }
  return bytes;
}

using Group = std::vector<Line>;

/// What llvm-mc prints between the marks, one group for each line of `inputs`. It crashes over some words that are no
/// instruction; the inputs are then halved until the one that does it is alone, which gets an empty group.
std::vector<Group> groups(const std::string& arch, std::span<const std::string> inputs,
                          const char* mode) {
  std::string input;
  for (const std::string& line : inputs) input += line + '\n';
  const auto result = run({.argv = {program_for(arch), mode, "--triple=amdgcn-amd-amdhsa",
                                    "--mcpu=" + arch, "--show-encoding"},
                           .env = {"LLVM_DISABLE_SYMBOLIZATION=1"},
                           .stdin_text = std::move(input),
                           .capture_limit = std::size_t{1} << 30});
  std::vector<Group> out;
  const std::uint32_t mark = kMark;
  const auto mark_bytes = bytes_of(std::span(&mark, 1));
  std::istringstream lines(result ? result->out.text : "");
  for (std::string text; std::getline(lines, text);) {
    auto line = parse(text);
    if (!line) continue;
    if (line->bytes == mark_bytes) {
      out.emplace_back();
    } else if (!out.empty()) {
      out.back().push_back(std::move(*line));
    }
  }
  if (result && result->signal == 0 && out.size() == inputs.size()) return out;
  if (inputs.size() == 1) return {{}};
  const std::size_t half = inputs.size() / 2;
  out = groups(arch, inputs.first(half), mode);
  for (Group& group : groups(arch, inputs.subspan(half), mode)) out.push_back(std::move(group));
  return out;
}

/// The same in portions, so that a crash costs little.
std::vector<Group> all_groups(const std::string& arch, std::span<const std::string> inputs,
                              const char* mode) {
  constexpr std::size_t kPortion = 512;
  std::vector<Group> out;
  for (std::size_t from = 0; from < inputs.size(); from += kPortion) {
    for (Group& group :
         groups(arch, inputs.subspan(from, std::min(kPortion, inputs.size() - from)), mode))
      out.push_back(std::move(group));
  }
  return out;
}

}  // namespace

bool is_installed(const std::string& arch) {
  const auto result = run({.argv = {program_for(arch), "--version"}});
  return result && result->ok();
}

std::vector<std::optional<Text>> disassemble(const std::string& arch,
                                             std::span<const Words> probes) {
  std::vector<std::string> inputs;
  for (const Words& words : probes) {
    std::string line;
    for (const std::uint8_t byte :
         bytes_of(std::array{kMark, words[0], words[1], words[2], words[3], kPadding, kPadding,
                             kPadding, kPadding}))
      line += fmt::format("{}0x{:02x}", line.empty() ? "" : ",", byte);
    inputs.push_back(std::move(line));
  }
  const auto found = all_groups(arch, inputs, "--disassemble");
  std::vector<std::optional<Text>> out(probes.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (found[i].empty()) continue;
    const Line& line = found[i].front();
    // "/*Invalid register ...*/": no instruction after all.
    if (line.text.find("/*") != std::string::npos) continue;
    const auto bytes = bytes_of(probes[i]);
    if (!std::equal(line.bytes.begin(), line.bytes.end(), bytes.begin())) continue;
    out[i] = Text{line.text, static_cast<std::uint8_t>(line.bytes.size())};
  }
  return out;
}

std::vector<std::optional<std::vector<std::uint8_t>>> assemble(const std::string& arch,
                                                               std::span<const std::string> texts) {
  std::vector<std::string> inputs;
  for (const std::string& text : texts) inputs.push_back(fmt::format("{}\n{}", kMarkText, text));
  const auto found = all_groups(arch, inputs, "--assemble");
  std::vector<std::optional<std::vector<std::uint8_t>>> out(texts.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!found[i].empty()) out[i] = found[i].front().bytes;
  }
  return out;
}

}  // namespace rpl::isa::llvm
