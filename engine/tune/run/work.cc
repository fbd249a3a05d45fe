// SPDX-License-Identifier: MIT
#include "engine/tune/run/work.h"
#include "engine/pattern/pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/capture/capture.h"
#include "engine/capture/dispatches.h"
#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl::tune {
namespace {

constexpr auto kWork = bound_to<Work>(
    column<&Work::command>("command"), column<&Work::source>("source"),
    column<&Work::capture>("capture"), column<&Work::workgroup>("workgroup"),
    column<&Work::grid>("grid"), column<&Work::flags>("flags"), column<&Work::include>("include"),
    column<&Work::architecture>("architecture"), column<&Work::compiler>("compiler"),
    column<&Work::headers>("headers"), column<&Work::target>("target"), column<&Work::gpu>("gpu"),
    column<&Work::kernel>("kernel"), column<&Work::pattern>("pattern"),
    column<&Work::check>("check"), column<&Work::runs>("runs"),
    column<&Work::timeout_s>("timeout_s"), column<&Work::cwd>("cwd"),
    // Left out where it is the usual one, which tunings that were kept before do not name.
    column<&Work::objective>("objective").or_null().if_known(),
    column<&Work::variants>("variants").or_null().if_known(),
    column<&Work::programs>("programs").or_null().if_known());

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The names that stand in braces; what is not a name is not a placeholder.
std::vector<std::string> placeholders(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    if (is_macro_name(name)) out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> templates(const Work& work) {
  std::vector<std::string> out = work.command;
  out.insert(out.end(), work.flags.begin(), work.flags.end());
  out.insert(out.end(), work.check.begin(), work.check.end());
  out.push_back(work.workgroup);
  out.push_back(work.grid);
  return out;
}

Status check_objective(const Work& work) {
  if (work.objective != "application")
    return fail(Errc::usage, fmt::format("no objective '{}'", work.objective),
                "kernels or application");
  if (work.capture.empty() && work.pattern.empty() && work.kernel.empty() && work.target != "host")
    return {};
  return fail(
      Errc::usage, "the application's time is that of a recorded program as a whole",
      "leave --capture, --kernel, --time-pattern and --no-rocprof out, or --objective application");
}

Status check_target(const Work& work) {
  if (work.target != "emu" && work.target != "local" && work.target != "host")
    return fail(Errc::usage, fmt::format("no target '{}'", work.target),
                "emu, local, or --no-rocprof");
  // A record of the session says them too, which no option has checked.
  if (work.runs < 1 || work.runs > 1000)
    return fail(Errc::usage, "--runs must be 1 to 1000", "--runs 3");
  if (work.timeout_s < 0)
    return fail(Errc::usage, "--timeout takes seconds, 0 or more", "--timeout 0 waits forever");
  return {};
}

Status check_variants(const Work& work) {
  if (work.capture.empty())
    return fail(Errc::usage, "variants run on the arguments of a captured dispatch",
                "add --capture DIR: kernel run … --capture DIR makes one");
  const bool built = !work.source.empty() || !work.command.empty() || !work.flags.empty();
  if (built || !work.workgroup.empty() || !work.grid.empty() || work.target == "host" ||
      !work.check.empty() || !work.pattern.empty() || !work.objective.empty()) {
    return fail(Errc::usage, "variants are compiled, launched and verified as Triton's files say",
                "leave everything out but --capture, --programs and --target");
  }
  return check_target(work);
}

Status check_kind(const Work& work) {
  if (!work.variants.empty()) return check_variants(work);
  if (!work.programs.empty())
    return fail(Errc::usage, "--programs are of Triton's variants", "add --variants FOLDER");
  if (!work.capture.empty() && (work.source.empty() || !work.command.empty())) {
    return fail(Errc::usage,
                "a captured dispatch is tuned by building its source, without a command",
                "autotune --space F --source KERNEL.hip --capture DIR");
  }
  if (work.capture.empty() && work.command.empty() && work.source.empty()) {
    return fail(Errc::usage, "nothing to run for a configuration",
                "--cmd-template \"./app --block {BLOCK}\", or --source FILE.hip, with --capture "
                "DIR for a kernel alone");
  }
  if (work.capture.empty() && !(work.workgroup.empty() && work.grid.empty()))
    return fail(Errc::usage, "--workgroup and --grid are of a captured dispatch",
                "add --capture DIR");
  if (!work.capture.empty() &&
      (work.target == "host" || !work.check.empty() || !work.pattern.empty())) {
    return fail(Errc::usage, "a captured dispatch is timed and verified by rpl itself",
                "leave --no-rocprof, --check-cmd and --time-pattern out");
  }
  if (!work.objective.empty()) TRY(check_objective(work));
  return check_target(work);
}

Status check_pattern(const std::string& pattern) {
  if (pattern.empty()) return {};
  const auto compiled = Pattern::of(pattern);
  if (!compiled)
    return fail(Errc::usage, fmt::format("'{}' is not a regular expression", pattern),
                "POSIX extended, with the number in its first group: time: ([0-9.]+) ms");
  if (compiled->groups() >= 1) return {};
  return fail(Errc::usage, fmt::format("the time pattern '{}' has no group for the time", pattern),
              "--time-pattern 'took ([0-9.]+) ms'");
}

}  // namespace

Value to_value(const Work& work) { return rpl::to_value(kWork, work); }

Result<Work> work_from(const Value& value) { return from_value(kWork, value, "what is to be run"); }

std::string digest_of(const Work& work) {
  Work same = work;
  same.target.clear();
  same.cwd.clear();
  same.timeout_s = 0;
  same.runs = 0;
  std::string text = to_json(to_value(same));
  if (!work.source.empty()) text += read_text_file(work.source).value_or("");
  if (!work.variants.empty()) {
    if (const auto variants = variants_of(work))
      for (const triton::Variant& one : variants->all) text += one.code_hash;
  }
  constexpr std::size_t kDigits = 16;
  return sha256_hex(text).substr(0, kDigits);
}

bool is_macro_name(std::string_view name) {
  return !name.empty() && letter(name[0]) &&
         std::ranges::all_of(name, [](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string expanded(std::string_view text, const Record& configuration,
                     const std::string& binary) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at),
                      close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(at, open - at);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const auto cell = std::ranges::find(configuration, name, &std::pair<std::string, Value>::first);
    if (cell != configuration.end()) {
      out += choice_text(cell->second);
    } else if (name == "BINARY") {
      out += binary;
    } else {
      // Only the brace is taken: a placeholder may stand inside.
      out += '{';
      at = open + 1;
      continue;
    }
    at = close + 1;
  }
  return out + std::string(text.substr(at));
}

Result<triton::Variants> variants_of(const Work& work) {
  const Capture capture = TRY(read_capture(work.capture));
  TRY(require_one_dispatch(capture, "tuning"));
  return triton::read_variants(work.variants, capture.kernel, capture.architecture);
}

Status check_work(const Work& work, const Space& space) {
  TRY(check_kind(work));
  TRY(check_pattern(work.pattern));
  std::vector<std::string> used;
  for (const std::string& text : templates(work)) {
    for (std::string& name : placeholders(text)) used.push_back(std::move(name));
  }
  std::string names;
  for (const Parameter& parameter : space.parameters()) {
    names += (names.empty() ? "" : ", ") + parameter.name;
    const bool takes = std::ranges::find(used, parameter.name) != used.end() ||
                       std::ranges::any_of(templates(work), [&](const std::string& text) {
                         return text.find("{" + parameter.name + "}") != std::string::npos;
                       });
    if (!work.source.empty() && !takes && !is_macro_name(parameter.name))
      return fail(Errc::usage, fmt::format("the compiler takes no -D{}=…", parameter.name),
                  "name parameters as C names");
  }
  for (const std::string& name : used) {
    const bool known = std::ranges::any_of(
        space.parameters(), [&](const Parameter& parameter) { return parameter.name == name; });
    if (!known && !(name == "BINARY" && !work.source.empty()))
      return fail(Errc::usage, fmt::format("{{{}}} is not a parameter of the space", name),
                  "it has " + names);
  }
  return {};
}

}  // namespace rpl::tune
