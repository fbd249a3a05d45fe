// SPDX-License-Identifier: MIT
// Hostile source text, kernel names and answers: source, name and answer are separated by lines of "=". Tokens stay in order
// and inside the text, kernels inside the file, and what the guard accepts differs in one body alone.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/optimize/rules/diff.h"
#include "engine/optimize/rules/loops.h"
#include "engine/source/text/guard.h"
#include "engine/source/text/kernel_name.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string_view next_part(std::string_view& rest) {
  constexpr std::string_view kSeparator = "\n=\n";
  const std::size_t end = rest.find(kSeparator);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + kSeparator.size());
  return part;
}

void check_tokens(std::string_view source) {
  std::size_t before = 0;
  for (const rpl::SourceToken& token : rpl::lex_source(source).tokens) {
    require(before <= token.begin && token.begin < token.end && token.end <= source.size());
    before = token.end;
  }
}

void check_kernels(std::string_view source) {
  for (const rpl::SourceKernel& kernel : rpl::find_kernels(source)) {
    require(kernel.header_range.begin <= kernel.header_range.end);
    require(kernel.header_range.end <= kernel.body.begin);
    require(kernel.body.begin <= kernel.body.end && kernel.body.end <= source.size());
  }
}

void check_verdict(std::string_view source, std::string_view kernel,
                   const rpl::Result<rpl::GuardVerdict>& verdict) {
  if (!verdict) return;
  require(verdict->accept == verdict->reasons.empty());
  if (!verdict->accept) return;
  const auto target = rpl::find_target(source, kernel);
  require(target.has_value());
  const std::string& patched = verdict->patched;
  require(patched.starts_with(source.substr(0, target->body.begin)));
  require(patched.ends_with(source.substr(target->body.end)));
  require(patched.size() >= source.size() - target->body.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view source = next_part(rest);
  const std::string_view kernel = next_part(rest);
  check_tokens(source);
  check_kernels(source);
  check_tokens(rest);
  check_verdict(source, kernel, rpl::check_response(source, kernel, rest));
  check_verdict(source, kernel, rpl::check_edit(source, kernel, rest));
  if (const auto outcome = rpl::propose_unroll(source, kernel)) {
    for (const rpl::RuleEdit& edit : outcome->edits) {
      const auto verdict = rpl::check_edit(source, kernel, edit.source);
      require(verdict.has_value() && verdict->accept);
    }
  }
  require(rpl::unified_diff(source, rest, "a", "b").empty() == (source == rest));
  return 0;
}
