// SPDX-License-Identifier: MIT
#include "engine/capture/wish.h"

#include <fmt/format.h>
#include <regex.h>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/capture/capture.h"

namespace rpl {

Result<KernelPattern> KernelPattern::of(const std::string& text) {
  KernelPattern out;
  out.text_ = text;
  if (text.size() < 3 || text.front() != '/' || text.back() != '/') return out;
  // The library of a profiled program brings no other matcher: what regcomp() would take gigabytes for is refused.
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest || text.find('{') != std::string::npos) {
    return fail(Errc::usage, fmt::format("{} is too large a pattern", text),
                "at most 200 bytes, without {…}");
  }
  auto* regex = new regex_t;
  const int status =
      ::regcomp(regex, text.substr(1, text.size() - 2).c_str(), REG_EXTENDED | REG_NOSUB);
  if (status != 0) {
    char why[256];
    ::regerror(status, regex, why, sizeof(why));
    delete regex;
    return fail(Errc::usage, fmt::format("{} is not a regular expression: {}", text, why),
                "patterns are POSIX extended regular expressions");
  }
  out.regex_ = std::shared_ptr<void>(regex, [](void* compiled) {
    ::regfree(static_cast<regex_t*>(compiled));
    delete static_cast<regex_t*>(compiled);
  });
  return out;
}

bool KernelPattern::names(const std::string& mangled) const {
  const std::string name = demangled(mangled);
  if (regex_ != nullptr)
    return ::regexec(static_cast<const regex_t*>(regex_.get()), name.c_str(), 0, nullptr, 0) == 0;
  return mangled == text_ || name.find(text_) != std::string::npos;
}

std::optional<DispatchRange> parse_dispatch_range(std::string_view text) {
  constexpr std::string_view kTo = "..";
  const std::size_t at = text.find(kTo);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = whole_number<std::uint64_t>(text.substr(0, at)),
             last = whole_number<std::uint64_t>(text.substr(at + kTo.size()));
  if (!first || !last || *first == 0 || *last < *first || *last - *first >= kMostCapturedDispatches)
    return std::nullopt;
  return DispatchRange{*first, *last};
}

std::string to_text(const DispatchRange& range) {
  return fmt::format("{}..{}", range.first, range.last);
}

std::optional<std::array<std::uint32_t, 3>> parse_grid(std::string_view text) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::uint32_t& size : out) {
    const std::string_view item = text.substr(0, text.find(','));
    size = whole_number<std::uint32_t>(item).value_or(0);
    if (size == 0) return std::nullopt;
    if (item.size() == text.size()) return out;
    text.remove_prefix(item.size() + 1);
  }
  return std::nullopt;
}

}  // namespace rpl
