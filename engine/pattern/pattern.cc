// SPDX-License-Identifier: MIT
#include "engine/pattern/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>

namespace rpl {
namespace {

constexpr const char* kHint = "patterns are POSIX extended regular expressions: ^scale, sum|max";

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Result<Pattern> Pattern::of(std::string_view text) {
  if (text.size() > kLongest) {
    return fail(Errc::usage,
                fmt::format("a pattern of {} bytes is too long: at most {}", text.size(), kLongest),
                kHint);
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_posix_syntax(true);
  options.set_perl_classes(true);
  options.set_word_boundary(true);
  options.set_longest_match(true);
  // Names are bytes: what is no UTF-8 matches as well.
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  Pattern out;
  const auto compiled = std::make_shared<const re2::RE2>(piece(text), options);
  if (!compiled->ok())
    return fail(Errc::usage, fmt::format("bad pattern /{}/: {}", text, compiled->error()), kHint);
  out.compiled_ = compiled;
  return out;
}

bool Pattern::in(std::string_view text) const {
  return compiled_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

std::optional<std::string> Pattern::first_group(std::string_view text) const {
  std::array<re2::StringPiece, 2> found;
  if (groups() < 1 ||
      !compiled_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, found.data(),
                        found.size()) ||
      found[1].data() == nullptr) {
    return std::nullopt;
  }
  return std::string(found[1].data(), found[1].size());
}

int Pattern::groups() const { return compiled_->NumberOfCapturingGroups(); }

}  // namespace rpl
