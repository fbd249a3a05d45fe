// SPDX-License-Identifier: MIT
// lds-padding: rows of a two-dimensional LDS array whose length is a multiple of the banks put a whole column into one bank.
#include <fmt/format.h>

#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

constexpr std::uint32_t kDword = 4;

/// `__shared__ float tile[32][32];`
struct LdsArray {
  std::string_view name;
  std::string element;
  std::size_t token = 0;                    ///< of the name
  std::size_t row_open = 0, row_close = 0;  ///< the brackets of the last extent
  std::size_t end = 0;                      ///< the token behind the extents
  std::size_t extents = 0;
};

std::optional<LdsArray> lds_array_at(const KernelCase& on, std::size_t shared) {
  const SourceText& text = on.text;
  std::size_t i = shared + 1;
  while (text.is(i, "alignas") || text.is(i, "__align__")) i = text.after_group(i + 1);
  const std::size_t type = i;
  while (i < on.kernel.body_close && !text.is(i, "[") && !text.is(i, ";") && !text.is(i, "="))
    i = text.after_group(i);
  if (!text.is(i, "[") || i < type + 2) return {};
  LdsArray out;
  out.token = i - 1;
  out.name = text[i - 1].text;
  out.element = std::string(written(text, type, i - 1));
  for (; text.is(i, "[") && text.partner(i) != kNoToken; i = text.after_group(i)) {
    out.row_open = i;
    out.row_close = text.partner(i);
    ++out.extents;
  }
  out.end = i;
  return out;
}

/// Why an array must keep its shape; "" when it may change.
std::string fixed_shape(const KernelCase& on, const LdsArray& array, std::size_t& line) {
  const SourceText& text = on.text;
  if (array.extents != 2)
    return fmt::format("'{}' has {} dimension{}, not two", array.name, array.extents,
                       array.extents == 1 ? "" : "s");
  if (text.is(array.end, ","))
    return fmt::format("'{}' is declared together with others", array.name);
  if (text.is(array.end, "=") || text.is(array.end, "{"))
    return fmt::format("'{}' is initialized", array.name);
  if (declarations_in(on.text, array.name, on.kernel.body_open, on.kernel.body_close) > 1)
    return fmt::format("'{}' is declared twice", array.name);
  for (const NameUse& use : uses_of(text, array.name, array.end, on.kernel.body_close)) {
    line = text[use.token].line;
    if (use.kind == UseKind::address)
      return fmt::format("the address of '{}' is taken, which fixes its layout", array.name);
    if (use.subscripts != 2)
      return fmt::format("'{}' is used without both subscripts, which fixes its layout",
                         array.name);
  }
  return {};
}

/// Why the rows need no padding; "" when they may.
std::string no_conflict(const KernelCase& on, const LdsArray& array, std::uint32_t bytes) {
  const auto columns = constant_value(on, array.row_open + 1, array.row_close);
  if (!columns || *columns <= 0) return {};  // of unknown length: try
  const std::int64_t row = *columns * bytes;
  if (row % kDword != 0 || (row / kDword) % 2 != 0) {
    return fmt::format(
        "rows of '{}' are {} dwords, an odd number: a column meets every bank already", array.name,
        row / kDword);
  }
  return {};
}

void offer_padding(const KernelCase& on, const LdsArray& array, RuleOutcome& out) {
  const SourceText& text = on.text;
  std::size_t line = text[array.token].line;
  const std::uint32_t bytes = bytes_of(array.element);
  std::string why_not = bytes == 0 ? fmt::format("elements of '{}' have a type of unknown size: {}",
                                                 array.name, array.element)
                                   : fixed_shape(on, array, line);
  if (why_not.empty()) why_not = no_conflict(on, array, bytes);
  if (!why_not.empty()) return refuse(out, line, std::move(why_not));
  const std::uint32_t pad = bytes < kDword ? kDword / bytes : 1;
  const std::string_view columns = written(text, array.row_open + 1, array.row_close);
  const bool single = array.row_close == array.row_open + 2;
  RuleEdit edit;
  edit.line = text[array.token].line;
  edit.title = fmt::format("pad the rows of {} by {}", array.name, pad);
  edit.why =
      "elements of a column lie in different LDS banks, so that lanes that walk down a column do "
      "not wait for each other";
  edit.source = replaced(text.text(), {{text[array.row_open].end, text[array.row_close].begin,
                                        single ? fmt::format("{} + {}", columns, pad)
                                               : fmt::format("({}) + {}", columns, pad)}});
  out.edits.push_back(std::move(edit));
}

}  // namespace

RuleOutcome lds_padding(const KernelCase& on) {
  RuleOutcome out;
  for (std::size_t i = on.kernel.body_open + 1; i < on.kernel.body_close; ++i) {
    if (!on.text.is(i, "__shared__")) continue;
    if (on.text.is(i - 1, "extern")) {
      refuse(out, on.text[i].line, "the launch decides the size of dynamic LDS");
      continue;
    }
    if (const auto array = lds_array_at(on, i)) {
      offer_padding(on, *array, out);
    } else {
      refuse(out, on.text[i].line, "what is in LDS here is not an array");
    }
  }
  if (out.edits.empty() && out.refusals.empty())
    refuse(out, on.kernel.line, fmt::format("{} declares no LDS array", on.kernel.qualified));
  return out;
}

}  // namespace rpl::rules
