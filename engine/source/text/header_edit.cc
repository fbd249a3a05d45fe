// SPDX-License-Identifier: MIT
#include "engine/source/text/header_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"
#include "engine/isa/traits/architecture.h"
#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 3> kKindNames{"launch-bounds", "waves-per-eu", "restrict"};
constexpr std::uint32_t kMostWaves = 10;  // what compilers take for every GCN and CDNA target
constexpr std::size_t kMostNumbers = 64;

/// Text to be put in at a byte.
struct Insertion {
  std::size_t at = 0;
  std::string text;
};

Failure refused(std::size_t line, std::string why) {
  return fail(Errc::unsupported, fmt::format("line {}: {}", line, why));
}

std::size_t global_word(const SourceText& text, const SourceKernel& kernel) {
  for (std::size_t i = kernel.header_begin; i < kernel.body_open; i = text.after_group(i)) {
    if (text.is(i, "__global__")) return i;
  }
  return kNoToken;
}

/// The first of `words` in the header, also inside attributes.
std::string_view held_word(const SourceText& text, const SourceKernel& kernel,
                           std::initializer_list<std::string_view> words) {
  for (std::size_t i = kernel.header_begin; i < kernel.body_open; ++i) {
    for (const std::string_view word : words) {
      if (text.is(i, word)) return word;
    }
  }
  return {};
}

Result<std::vector<Insertion>> behind_global(const SourceText& text, const SourceKernel& kernel,
                                             std::string words,
                                             std::initializer_list<std::string_view> foreign) {
  const std::string_view held = held_word(text, kernel, foreign);
  if (!held.empty()) return refused(kernel.line, fmt::format("the header has '{}' already", held));
  const std::size_t global = global_word(text, kernel);
  if (global == kNoToken) return refused(kernel.line, "'__global__' is not written in the header");
  return std::vector<Insertion>{{text[global].end, " " + std::move(words)}};
}

Result<Insertion> restricted(const SourceText& text, const SourceKernel& kernel,
                             ByteRange parameter, std::uint32_t number) {
  std::size_t star = kNoToken;
  for (std::size_t i = parameter.begin; i < parameter.end && !text.is(i, "=");
       i = text.after_group(i)) {
    if (text.is(i, "__restrict__") || text.is(i, "__restrict")) {
      return refused(text[i].line, fmt::format("parameter {} is restrict already", number + 1));
    }
    if (text.is(i, "*")) star = i;
  }
  if (star == kNoToken || star + 1 >= parameter.end ||
      text[star + 1].kind != SourceTokenKind::identifier) {
    return refused(kernel.line,
                   fmt::format("parameter {} is not written as a pointer with a name", number + 1));
  }
  const bool blank = text[star + 1].begin > text[star].end;
  return Insertion{text[star].end, blank ? " __restrict__" : " __restrict__ "};
}

Result<std::vector<Insertion>> insertions(const SourceText& text, const SourceKernel& kernel,
                                          const HeaderEdit& edit) {
  switch (edit.kind) {
    case HeaderEdit::Kind::launch_bounds:
      return behind_global(
          text, kernel, fmt::format("__launch_bounds__({})", edit.numbers.front()),
          {"__launch_bounds__", "amdgpu_flat_work_group_size", "__amdgpu_flat_work_group_size__"});
    case HeaderEdit::Kind::waves_per_eu:
      return behind_global(
          text, kernel,
          fmt::format("__attribute__((amdgpu_waves_per_eu({})))", fmt::join(edit.numbers, ", ")),
          {"amdgpu_waves_per_eu", "__amdgpu_waves_per_eu__", "amdgpu_num_vgpr"});
    case HeaderEdit::Kind::restrict_pointers:
      break;
  }
  const std::size_t open = parameter_list_of(text, kernel);
  if (open == kNoToken) return refused(kernel.line, "the parameter list cannot be determined");
  const std::vector<ByteRange> parameters = parameters_of(text, open);
  std::vector<Insertion> out;
  for (const std::uint32_t number : edit.numbers) {
    if (number >= parameters.size())
      return refused(kernel.line, fmt::format("there is no parameter {}", number + 1));
    out.push_back(TRY(restricted(text, kernel, parameters[number], number)));
  }
  return out;
}

bool plausible(const HeaderEdit& edit) {
  const auto within = [&](std::uint32_t least, std::uint32_t most) {
    return std::ranges::all_of(edit.numbers,
                               [&](std::uint32_t n) { return n >= least && n <= most; });
  };
  switch (edit.kind) {
    case HeaderEdit::Kind::launch_bounds:
      return edit.numbers.size() == 1 && within(1, isa::kMaxWorkgroup);
    case HeaderEdit::Kind::waves_per_eu:
      return !edit.numbers.empty() && edit.numbers.size() <= 2 && within(1, kMostWaves) &&
             std::ranges::is_sorted(edit.numbers);
    case HeaderEdit::Kind::restrict_pointers:
      return !edit.numbers.empty() && edit.numbers.size() <= kMostNumbers &&
             std::ranges::is_sorted(edit.numbers) &&
             std::ranges::adjacent_find(edit.numbers) == edit.numbers.end();
  }
  return false;
}

}  // namespace

std::string to_text(const HeaderEdit& edit) {
  return fmt::format("{} {}", kKindNames[static_cast<std::size_t>(edit.kind)],
                     fmt::join(edit.numbers, " "));
}

Result<HeaderEdit> header_edit_from(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(' '));
  const auto found = std::ranges::find(kKindNames, name);
  HeaderEdit out;
  bool good = found != kKindNames.end();
  if (good) out.kind = static_cast<HeaderEdit::Kind>(found - kKindNames.begin());
  text.remove_prefix(name.size());
  while (good && !text.empty()) {
    text.remove_prefix(1);
    const auto number = take_number<std::uint32_t>(text);
    good = number && out.numbers.size() < kMostNumbers && (text.empty() || text.starts_with(' '));
    if (good) out.numbers.push_back(*number);
  }
  if (good && plausible(out)) return out;
  return fail(Errc::corrupt, fmt::format("'{}' is not an edit of a kernel's header", name));
}

Result<std::string> apply_header_edit(std::string_view source, std::string_view kernel,
                                      const HeaderEdit& edit) {
  if (!plausible(edit))
    return fail(Errc::unsupported,
                fmt::format("'{}' is not an edit of a kernel's header", to_text(edit)));
  const SourceText text(source);
  const SourceDeclarations declared = find_declarations(text);
  const SourceKernel target = TRY(find_target(declared.kernels, kernel));
  auto changes = TRY(insertions(text, target, edit));
  std::ranges::sort(changes, {}, &Insertion::at);
  std::string out;
  std::size_t from = 0;
  for (const Insertion& change : changes) {
    out += source.substr(from, change.at - from);
    out += change.text;
    from = change.at;
  }
  out += source.substr(from);
  return out;
}

Result<GuardVerdict> check_header_edit(std::string_view source, std::string_view kernel,
                                       const HeaderEdit& edit, std::string_view edited) {
  GuardVerdict verdict;
  const auto expected = apply_header_edit(source, kernel, edit);
  if (!expected && expected.error().code != Errc::unsupported) return Failure(expected.error());
  if (!expected) {
    verdict.reasons.push_back({"typed-edit", expected.error().message, 0});
    return verdict;
  }
  if (*expected != edited) {
    const auto at = std::ranges::mismatch(edited, *expected).in1 - edited.begin();
    verdict.reasons.push_back(
        {"typed-edit", fmt::format("the file is not the source with '{}' alone", to_text(edit)),
         line_of(edited, static_cast<std::size_t>(at))});
    return verdict;
  }
  verdict.accept = true;
  verdict.patched = std::string(edited);
  verdict.open = {
      "symbol: symbol, kernel arguments, LDS and resources stay within bounds (code object)",
      "output: the kernel computes the same (verification)"};
  if (edit.kind == HeaderEdit::Kind::launch_bounds)
    verdict.open.emplace_back(
        "launches: no launch has a larger workgroup (captured launches alone)");
  if (edit.kind == HeaderEdit::Kind::restrict_pointers)
    verdict.open.emplace_back("aliasing: no two of these pointers meet (captured launches alone)");
  return verdict;
}

}  // namespace rpl
