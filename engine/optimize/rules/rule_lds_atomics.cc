// SPDX-License-Identifier: MIT
// lds-atomics: additions of all work-items to a few elements of global memory wait for one another there. Each workgroup adds up in LDS first, and its sums once in global memory.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

constexpr std::uint64_t kMostBytes = 32768;  ///< of LDS: half of what a workgroup may have

/// `atomicAdd(&bins[index], value);`
struct Addition {
  std::size_t call = 0, close = 0;  ///< tokens of the name and of the closing parenthesis
  std::size_t index_begin = 0, index_end = 0;  ///< empty for `atomicAdd(total, value)`
  std::size_t value_begin = 0;
  PointerParameter pointer = {};
};

std::optional<Addition> addition_at(const KernelCase& on, std::size_t i,
                                    const std::vector<PointerParameter>& parameters) {
  const SourceText& text = on.text;
  if (!text.is(i, "atomicAdd") || !text.is(i + 1, "(") || text.partner(i + 1) == kNoToken)
    return std::nullopt;
  Addition out{.call = i, .close = text.partner(i + 1)};
  if (!text.is(out.close + 1, ";")) return std::nullopt;
  const SourceToken& before = text[i - 1];
  if (!before.is(";") && !before.is("{") && !before.is("}") && !before.is(")") &&
      !before.is("else"))
    return std::nullopt;
  std::size_t at = i + 2;
  const bool address = text.is(at, "&");
  if (address) ++at;
  const auto pointer = std::ranges::find(parameters, text[at].text, &PointerParameter::name);
  if (pointer == parameters.end()) return std::nullopt;
  out.pointer = *pointer;
  if (address) {
    if (!text.is(at + 1, "[") || text.partner(at + 1) == kNoToken) return std::nullopt;
    out.index_begin = at + 2;
    out.index_end = text.partner(at + 1);
    at = out.index_end + 1;
  } else {
    ++at;
  }
  if (!text.is(at, ",")) return std::nullopt;
  out.value_begin = at + 1;
  return out;
}

std::string text_of(const KernelCase& on, const std::vector<Addition>& additions,
                    std::uint64_t count) {
  const SourceText& text = on.text;
  const PointerParameter& pointer = additions.front().pointer;
  const std::string own = fresh_name(text, fmt::format("{}_of_group", pointer.name)),
                    at = fresh_name(text, "at"), work = fresh_name(text, "add_up");
  const std::string line(line_end_of(text.text()));
  std::vector<Replacement> changes;
  for (const Addition& one : additions) {
    const std::string_view index =
        one.index_begin == one.index_end ? "0" : written(text, one.index_begin, one.index_end);
    changes.push_back({text[one.call].begin, text[one.close].end,
                       fmt::format("atomicAdd(&{}[{}], {})", own, index,
                                   written(text, one.value_begin, one.close))});
  }
  const std::string over =
      fmt::format("for (unsigned {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x) ", at, count);
  const std::size_t begin = text[on.kernel.body_open].end, end = text[on.kernel.body_close].begin;
  // What leaves the kernel early must not leave the others alone at the barrier.
  changes.push_back({begin, begin,
                     fmt::format("{0}  __shared__ {1} {2}[{3}];{0}  {4}{2}[{5}] = 0;{0}  "
                                 "__syncthreads();{0}  const auto {6} = [&] {{",
                                 line, pointer.element, own, count, over, at, work)});
  changes.push_back({end, end,
                     fmt::format("  }};{0}  {1}();{0}  __syncthreads();{0}  {2}{{{0}    if "
                                 "({3}[{4}] != 0) atomicAdd(&{5}[{4}], {3}[{4}]);{0}  }}{0}",
                                 line, work, over, own, at, pointer.name)});
  return replaced(text.text(), std::move(changes));
}

std::string why_not(const KernelCase& on, const std::vector<Addition>& additions,
                    std::uint64_t& count) {
  if (const std::string_view why = not_one_dimension(on); !why.empty()) return std::string(why);
  const PointerParameter& pointer = additions.front().pointer;
  for (const Addition& one : additions) {
    if (one.pointer.name != pointer.name) return "it adds to more than one array";
  }
  const std::size_t uses =
      uses_of(on.text, pointer.name, on.kernel.body_open, on.kernel.body_close).size();
  if (uses != additions.size())
    return fmt::format("'{}' is used for more than additions", pointer.name);
  for (std::size_t i = on.kernel.body_open; i < on.kernel.body_close; ++i) {
    for (const std::string_view word : {"__syncthreads", "__shared__", "goto"}) {
      if (on.text.is(i, word)) return fmt::format("the kernel has '{}' already", word);
    }
  }
  const std::uint32_t bytes = bytes_of(pointer.element);
  constexpr std::string_view kTypes[] = {"int", "unsigned int", "float"};
  if (std::ranges::find(kTypes, pointer.element) == std::end(kTypes))
    return fmt::format("LDS adds no elements of type {}", pointer.element);
  if (pointer.position >= on.launches->parameters.size() ||
      !on.launches->parameters[pointer.position])
    return fmt::format("no captured launch says how many elements '{}' has", pointer.name);
  const CapturedPointer& captured = *on.launches->parameters[pointer.position];
  count = (captured.region_end - captured.address) / bytes;
  if (count == 0 || count * bytes > kMostBytes)
    return fmt::format("'{}' has {} elements, which are too many for LDS", pointer.name, count);
  return {};
}

}  // namespace

RuleOutcome lds_atomics(const KernelCase& on) {
  RuleOutcome out;
  const auto parameters = pointer_parameters(on);
  std::vector<Addition> additions;
  for (std::size_t i = on.kernel.body_open + 1; i < on.kernel.body_close; ++i) {
    if (auto one = addition_at(on, i, parameters)) additions.push_back(std::move(*one));
  }
  std::uint64_t count = 0;
  if (additions.empty()) {
    refuse(out, on.kernel.line, "nothing is added by 'atomicAdd' to elements of a parameter");
    return out;
  }
  const std::size_t line = on.text[additions.front().call].line;
  if (std::string why = why_not(on, additions, count); !why.empty()) {
    refuse(out, line, std::move(why));
    return out;
  }
  const PointerParameter& pointer = additions.front().pointer;
  RuleEdit edit;
  edit.line = line;
  edit.title = fmt::format("workgroups add up {} in LDS first", pointer.name);
  edit.why = "additions to the same element wait for one another, in global memory longest";
  edit.bit_exact = pointer.element != "float";
  edit.assumes = fmt::format("only {} shows that '{}' has no more than {} element{}",
                             on.launches->capture, pointer.name, count, count > 1 ? "s" : "");
  edit.source = text_of(on, additions, count);
  out.edits.push_back(std::move(edit));
  return out;
}

}  // namespace rpl::rules
