// SPDX-License-Identifier: MIT
#include "engine/source/text/launch_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/base/numbers.h"
#include "engine/source/text/kernel_name.h"
#include "engine/source/text/launch_sites.h"

namespace rpl {
namespace {

using Range = ByteRange;  ///< of tokens

Failure cannot(std::size_t line, std::string why) {
  return fail(Errc::unsupported, fmt::format("line {}: {}", line, why));
}

class Launches {
 public:
  Launches(const SourceText& text, std::string_view kernel, const LaunchEdit& edit)
      : text_(text), kernel_(kernel), edit_(edit) {}

  Result<LaunchEdited> changed() {
    for (const LaunchSite& site : launch_sites(text_, kernel_)) TRY(change(site));
    if (lines_.empty())
      return fail(Errc::unsupported, fmt::format("this file does not launch {}", kernel_));
    // From the last one on, so that places stay what they were.
    std::ranges::sort(changes_, std::greater{}, &Change::begin);
    LaunchEdited out{.source = std::string(text_.text()), .lines = std::move(lines_)};
    for (const Change& change : changes_)
      out.source.replace(change.begin, change.end - change.begin, change.text);
    return out;
  }

 private:
  struct Change {
    std::size_t begin = 0, end = 0;
    std::string text;
  };

  Status change(const LaunchSite& site) {
    TRY(change_workgroup(site));
    TRY(change_grid(site));
    if (edit_.dynamic_lds_bytes) {
      const std::string bytes = fmt::format("{}", *edit_.dynamic_lds_bytes);
      if (!site.more.empty())
        put(site.more.front(), bytes);
      else
        changes_.push_back(
            {text_[site.workgroup.end - 1].end, text_[site.workgroup.end - 1].end, ", " + bytes});
    }
    lines_.push_back(site.line);
    return {};
  }

  Status change_workgroup(const LaunchSite& site) {
    Range size = site.workgroup;
    // dim3(256), dim3(256, 1, 1)
    if (const auto parts = parts_of_dim3(size)) {
      for (std::size_t i = 1; i < parts->size(); ++i) {
        if (value_of((*parts)[i]) != 1)
          return cannot(site.line, "its workgroups have more than one dimension");
      }
      size = parts->front();
    }
    const auto value = value_of(size);
    if (!value)
      return cannot(site.line,
                    fmt::format("'{}' is neither a number nor a constant of this file: what the "
                                "workgroup's size is there cannot be told",
                                written(text_, size)));
    if (*value != edit_.from)
      return cannot(site.line, fmt::format("it is launched with workgroups of {} work-items, not "
                                           "{} as in the captured launch",
                                           *value, edit_.from));
    if (edit_.workgroup != edit_.from) put(size, fmt::format("{}", edit_.workgroup));
    return {};
  }

  Status change_grid(const LaunchSite& site) {
    const std::uint64_t up = std::uint64_t{edit_.from} * edit_.items,
                        down = std::uint64_t{edit_.workgroup} * edit_.per;
    const std::uint64_t common = std::gcd(up, down);
    if (up == down) return {};
    Range groups = site.grid;
    if (const auto parts = parts_of_dim3(groups)) {
      put(parts->front(), scaled(parts->front(), "", up / common, down / common));
      return {};
    }
    if (groups.size() == 1 && text_[groups.begin].kind == SourceTokenKind::identifier) {
      const std::string_view name = text_[groups.begin].text;
      const auto declared = declaration_of(name);
      if (!declared)
        return cannot(site.line, fmt::format("'{}', the grid, is not declared once in this file: "
                                             "whether it is a number cannot be told",
                                             name));
      if (*declared > 0 && text_.is(*declared - 1, "dim3")) {
        put(groups, fmt::format("dim3({0}, {1}.y, {1}.z)",
                                scaled(groups, ".x", up / common, down / common), name));
        return {};
      }
    }
    put(groups, scaled(groups, "", up / common, down / common));
    return {};
  }

  /// As many workgroups as hold `up` for every `down` of them.
  [[nodiscard]] std::string scaled(Range groups, std::string_view member, std::uint64_t up,
                                   std::uint64_t down) const {
    if (const auto number = value_of_number(groups))
      return fmt::format("{}", (*number * up + down - 1) / down);
    const std::string one = groups.size() == 1
                                ? fmt::format("{}{}", written(text_, groups), member)
                                : fmt::format("({}){}", written(text_, groups), member);
    if (down == 1) return fmt::format("{} * {}", one, up);
    if (up == 1) return fmt::format("({} + {}) / {}", one, down - 1, down);
    return fmt::format("({} * {} + {}) / {}", one, up, down - 1, down);
  }

  /// `dim3(a, b)` and `dim3{a, b}`, and nothing behind it.
  [[nodiscard]] std::optional<std::vector<Range>> parts_of_dim3(Range range) const {
    if (range.size() < 4 || !text_.is(range.begin, "dim3")) return std::nullopt;
    if (!text_.is(range.begin + 1, "(") && !text_.is(range.begin + 1, "{")) return std::nullopt;
    if (text_.partner(range.begin + 1) != range.end - 1) return std::nullopt;
    auto parts = parts_between_commas(text_, range.begin + 2, range.end - 1);
    if (parts.empty()) return std::nullopt;
    return parts;
  }

  [[nodiscard]] std::optional<std::uint64_t> value_of_number(Range range) const {
    if (range.size() != 1 || text_[range.begin].kind != SourceTokenKind::number)
      return std::nullopt;
    std::string_view digits = text_[range.begin].text;
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != digits.npos)
      digits.remove_suffix(1);
    return whole_number<std::uint64_t>(digits);
  }

  /// Of a number, or a name that the file gives one value once.
  [[nodiscard]] std::optional<std::uint64_t> value_of(Range range) const {
    if (const auto number = value_of_number(range)) return number;
    if (range.size() != 1 || text_[range.begin].kind != SourceTokenKind::identifier)
      return std::nullopt;
    const std::string_view name = text_[range.begin].text;
    if (const auto defined = value_of_macro(name)) return defined;
    const auto at = declaration_of(name);
    if (!at || is_changed(name)) return std::nullopt;
    // `= 256;`, `(256)`, `{256}`, `(256, 1, 1)`
    const bool bracket = text_.is(*at + 1, "(") || text_.is(*at + 1, "{");
    if (!bracket && !text_.is(*at + 1, "=")) return std::nullopt;
    const std::size_t end = bracket ? text_.partner(*at + 1) : *at + 3;
    if (end == kNoToken || (!bracket && !text_.is(end, ";") && !text_.is(end, ",")))
      return std::nullopt;
    const auto parts = parts_between_commas(text_, *at + 2, end);
    if (parts.empty()) return std::nullopt;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (value_of_number(parts[i]) != 1) return std::nullopt;
    }
    return value_of_number(parts.front());
  }

  [[nodiscard]] std::optional<std::uint64_t> value_of_macro(std::string_view name) const {
    std::optional<std::uint64_t> out;
    for (const SourceToken& token : text_.tokens()) {
      const std::string start = fmt::format("define {} ", name);
      if (token.directive() != "define" || !token.text.starts_with(start)) continue;
      if (out) return std::nullopt;
      out = whole_number<std::uint64_t>(token.text.substr(start.size()));
      if (!out) return std::nullopt;
    }
    return out;
  }

  /// The token of a name where it is declared: behind the name of a type, and before its value. None where that is not so once.
  [[nodiscard]] std::optional<std::size_t> declaration_of(std::string_view name) const {
    std::optional<std::size_t> out;
    for (std::size_t i = 1; i + 1 < text_.size(); ++i) {
      if (!text_.is(i, name) || text_[i - 1].kind != SourceTokenKind::identifier ||
          text_.is(i - 1, "return"))
        continue;
      if (out) return std::nullopt;
      out = i;
    }
    return out;
  }

  [[nodiscard]] bool is_changed(std::string_view name) const {
    constexpr std::string_view kChanges[] = {"+=", "-=", "*=", "/=", "<<=", ">>=", "++", "--"};
    std::size_t set = 0;
    for (std::size_t i = 1; i + 1 < text_.size(); ++i) {
      if (!text_.is(i, name)) continue;
      if (text_.is(i + 1, "=")) ++set;
      if (text_.is(i - 1, "&") || text_.is(i - 1, "++") || text_.is(i - 1, "--")) return true;
      // Reading a member is no change, but writing one looks alike.
      if (text_.is(i + 1, ".") && text_.is(i + 3, "=")) return true;
      const bool changes =
          std::ranges::any_of(kChanges, [&](std::string_view one) { return text_.is(i + 1, one); });
      if (changes) return true;
    }
    return set > 1;
  }

  void put(Range range, std::string with) {
    changes_.push_back({text_[range.begin].begin, text_[range.end - 1].end, std::move(with)});
  }

  const SourceText& text_;
  std::string_view kernel_;
  const LaunchEdit& edit_;
  std::vector<Change> changes_;
  std::vector<std::size_t> lines_;
};

}  // namespace

Result<LaunchEdited> apply_launch_edit(std::string_view source, std::string_view kernel,
                                       const LaunchEdit& edit) {
  const SourceKernel target = TRY(find_target(source, kernel));
  const SourceText text(source);
  return Launches(text, target.name, edit).changed();
}

}  // namespace rpl
