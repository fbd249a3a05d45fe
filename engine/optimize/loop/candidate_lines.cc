// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/candidate_lines.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "engine/base/files.h"
#include "engine/device/execute/launch/program.h"
#include "engine/optimize/verify/mathematics.h"
#include "engine/source/build/build.h"
#include "engine/source/text/source_text.h"

namespace rpl {
namespace {

std::vector<std::uint64_t> addresses_of(const isa::CodeObject& object, const std::string& kernel) {
  std::vector<std::uint64_t> out;
  const auto found = object.kernel(kernel);
  if (!found) return out;
  for (const emu::Op& op : emu::make_program(object, **found)->ops) out.push_back(op.address);
  return out;
}

}  // namespace

void CandidateLines::build() {
  built_ = true;
  if (!bench_.compiler) return;
  const auto compiler = bench_.compiler();
  if (!compiler) return;
  const Optimization& optimization = *bench_.optimization;
  std::vector<std::string> flags = optimization.flags;
  flags.insert(flags.end(), proposal_.flags.begin(), proposal_.flags.end());
  flags.emplace_back("-gline-tables-only");
  const std::string output = proposal_.folder + "/lines.co";
  const auto built = build_hip(
      *compiler,
      {.source = proposal_.candidate_source(),
       .architecture = optimization.architecture,
       .output = output,
       .include_folders = {std::filesystem::path(optimization.source).parent_path().string()},
       .flags = std::move(flags),
       .confined = true});
  if (!built || !built->built) return;
  const auto object = isa::CodeObject::open(output);
  std::error_code ignored;
  std::filesystem::remove(output, ignored);
  const auto plain = isa::CodeObject::open(proposal_.candidate_object());
  if (!object || !plain) return;
  auto lines = (*object)->source_lines();
  if (!lines) return;
  const std::string& kernel =
      proposal_.fusion.empty() ? optimization.kernel : proposal_.fusion.kernel;
  plain_ = addresses_of(**plain, kernel);
  with_lines_ = addresses_of(**object, kernel);
  lines_ = std::move(*lines);
  if (plain_.size() != with_lines_.size()) plain_.clear();
  read_loops();
}

/// Not where a directive gives lines other numbers.
void CandidateLines::read_loops() {
  const auto text = read_text_file(proposal_.candidate_source());
  if (!text) return;
  const SourceText source(*text);
  for (const SourceToken& token : source.tokens()) {
    const std::string_view word = token.directive();
    if (word == "line" || (!word.empty() && word.front() >= '0' && word.front() <= '9'))
      return loops_.clear();
    if (!token.is("for") && !token.is("while") && !token.is("do")) continue;
    const std::size_t before = text->rfind('\n', token.begin);
    loops_.emplace_back(token.line,
                        token.begin - (before == std::string::npos ? 0 : before + 1) + 1);
  }
}

std::vector<isa::SourcePlace> CandidateLines::chain(std::uint64_t address) {
  if (!built_) build();
  const auto at = std::ranges::find(plain_, address);
  if (at == plain_.end()) return {};
  return lines_.chain(with_lines_[static_cast<std::size_t>(at - plain_.begin())]);
}

std::int64_t CandidateLines::line(std::uint64_t address) {
  const std::vector<isa::SourcePlace> own = isa::own_frames(chain(address));
  return own.empty() ? 0 : own.front().line;
}

std::string CandidateLines::loop(std::uint64_t address) {
  const std::vector<isa::SourcePlace> all = chain(address);
  if (all.empty()) return {};
  const isa::SourcePlace& place = all.front();
  const bool own = std::filesystem::path(place.file).filename() ==
                   std::filesystem::path(proposal_.candidate_source()).filename();
  const std::pair<std::size_t, std::size_t> at(place.line, place.column);
  if (!own || std::ranges::find(loops_, at) == loops_.end()) return {};
  return isa::place_text(all);
}

bool CandidateLines::is_from_mathematics(std::uint64_t address) {
  return rpl::is_from_mathematics(chain(address));
}

}  // namespace rpl
