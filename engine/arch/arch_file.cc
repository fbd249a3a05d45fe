// SPDX-License-Identifier: MIT
#include "engine/arch/arch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::arch {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The number at the beginning of `text`, and what follows it.
std::optional<std::pair<double, std::string_view>> leading_number(std::string_view text) {
  const auto value = take_number<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return std::pair{*value, trimmed(text)};
}

/// Factors of byte counts, as people write them.
std::optional<double> byte_factor(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  if (unit == "KiB") return 1024;
  if (unit == "MiB") return 1024.0 * 1024;
  if (unit == "GiB") return 1024.0 * 1024 * 1024;
  if (unit == "GB") return 1e9;
  return std::nullopt;
}

Result<Fact> numeric_in_unit(const Key& key, std::string_view value) {
  const auto parsed = leading_number(value);
  if (!parsed)
    return fail(Errc::usage, fmt::format("{}: '{}' is not a number", key.name, value),
                fmt::format("{} = NUMBER, in {}", key.name, key.unit.empty() ? "units" : key.unit));
  Fact fact;
  fact.key = key.name;
  fact.unit = key.unit;
  fact.number = parsed->first;
  const std::string_view unit = parsed->second;
  if (fact.number < 0)
    return fail(Errc::usage, fmt::format("{} is negative", key.name),
                "give 0 or more; 'info arch' shows what it is now");
  if (key.unit == "rate") {
    fact.unit = unit.empty() ? "GB/s" : unit;
    if (is_rate_unit(fact.unit)) return fact;
    return fail(Errc::usage, fmt::format("{}: unknown unit '{}'", key.name, unit),
                "bandwidths are in GB/s, B/clk, B/clk/CU or B/clk/XCD");
  }
  if (key.unit == "bytes") {
    if (const auto factor = byte_factor(unit)) {
      fact.number *= *factor;
      return fact;
    }
  }
  if (unit.empty() || unit == key.unit) return fact;
  return fail(
      Errc::usage, fmt::format("{}: unknown unit '{}'", key.name, unit),
      fmt::format("leave it out; the value is in {}", key.unit.empty() ? "units" : key.unit));
}

Result<Fact> numeric(const Key& key, std::string_view value) {
  Fact fact = TRY(numeric_in_unit(key, value));
  if (fact.number >= key.least && fact.number <= key.most) return fact;
  return fail(
      Errc::usage,
      fmt::format("{} is {}, not from {} to {}", key.name, fact.number, key.least, key.most),
      "'info arch' shows what it is now and where that is from");
}

class Reader {
 public:
  Reader(std::string_view name, Origin origin) : origin_(origin) {
    file_.name = name;
    file_.sections.emplace_back();
  }

  Status line(std::string_view text) {
    ++number_;
    const std::size_t hash = text.find('#');
    const std::string_view note =
        hash == std::string_view::npos ? std::string_view() : trimmed(text.substr(hash + 1));
    const std::string_view content = trimmed(text.substr(0, hash));
    if (content.empty()) return {};
    if (content.front() == '[') return header(content);
    const std::size_t equals = content.find('=');
    if (equals == std::string_view::npos) return bad("expected KEY = VALUE or [PRODUCT]");
    return value(trimmed(content.substr(0, equals)), trimmed(content.substr(equals + 1)), note);
  }

  Result<ArchFile> finish() && {
    if (file_.arch.empty()) {
      return fail(Errc::corrupt, fmt::format("{}: names no architecture", file_.name),
                  "begin it with a line such as: arch = " + isa::usual_architecture());
    }
    return std::move(file_);
  }

 private:
  Status bad(std::string_view why) const {
    return fail(Errc::corrupt, fmt::format("{}:{}: {}", file_.name, number_, why),
                "docs/architectures.md describes these files");
  }

  Status header(std::string_view content) {
    if (content.back() != ']' || content.size() < 3) return bad("expected [PRODUCT]");
    const std::string_view product = trimmed(content.substr(1, content.size() - 2));
    if (product == file_.arch) {
      section_ = 0;
      return {};
    }
    for (const Section& section : file_.sections) {
      if (section.product == product) return bad(fmt::format("a second section [{}]", product));
    }
    section_ = file_.sections.size();
    file_.sections.push_back({std::string(product), {}});
    return {};
  }

  Status value(std::string_view key, std::string_view text, std::string_view note) {
    Section& section = file_.sections[section_];
    if (key == "arch") {
      if (!section.product.empty() || !file_.arch.empty()) return bad("a second architecture");
      file_.arch = text;
      return {};
    }
    auto fact = parse_fact(key, text);
    if (!fact) return bad(fact.error().message);
    if (std::ranges::find(section.facts, key, &Fact::key) != section.facts.end())
      return bad(fmt::format("a second value for {}", key));
    fact->origin = origin_;
    fact->source = fmt::format("{}:{}", file_.name, number_);
    fact->note = note;
    section.facts.push_back(std::move(*fact));
    return {};
  }

  ArchFile file_;
  Origin origin_;
  std::size_t number_ = 0;
  std::size_t section_ = 0;  ///< to which lines belong
};

}  // namespace

Result<Fact> parse_fact(std::string_view key, std::string_view value) {
  const Key* known = find_key(key);
  if (known == nullptr) {
    return fail(Errc::usage, fmt::format("unknown value '{}'", key),
                "docs/architectures.md lists them; 'info arch' shows those of a GPU");
  }
  if (value.empty())
    return fail(Errc::usage, fmt::format("{} has no value", key),
                fmt::format("write {} = …; docs/architectures.md lists the values", key));
  if (!known->is_text) return numeric(*known, value);
  Fact fact;
  fact.key = key;
  fact.text = value;
  return fact;
}

Result<ArchFile> parse_arch_file(std::string_view name, std::string_view text, Origin origin) {
  if (text.size() > kLargestFile)
    return fail(Errc::corrupt, fmt::format("{}: larger than a megabyte", name));
  Reader reader(name, origin);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    TRY(reader.line(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return std::move(reader).finish();
}

}  // namespace rpl::arch
