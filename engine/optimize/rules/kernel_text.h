// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rule.h"

/// What several rules need to know of a kernel's text.
namespace rpl::rules {

/// Bytes [begin, end) become `text`.
struct Replacement {
  std::size_t begin = 0, end = 0;
  std::string text;
};
/// The file with these changes, which do not overlap, in any order.
std::string replaced(std::string_view text, std::vector<Replacement> changes);

/// The text of tokens [begin, end) as it stands in the file.
std::string_view written(const SourceText& text, std::size_t begin, std::size_t end);
/// The blanks that the line of byte `at` begins with.
std::string indent_at(std::string_view text, std::size_t at);
std::string_view line_end_of(std::string_view text);

/// `wanted`, or `wanted` with a number behind it: a name that the file does not have.
std::string fresh_name(const SourceText& text, std::string wanted);

/// A pointer parameter of a kernel.
struct PointerParameter {
  std::size_t position = 0;
  std::string_view name;
  std::string element;  ///< canonical type without const: "float", "unsigned int"
  bool is_const = false;
  bool is_restrict = false;
};
/// Those that are written as one pointer to a named type.
std::vector<PointerParameter> pointer_parameters(const KernelCase& on);

/// Pointers to elements in a body: parameters, and local ones as `const float* x = in + …;`.
struct ElementPointer {
  std::string_view name;
  std::string element;
  bool is_const = false;
  std::string_view base;     ///< the parameter that it points into; the name itself for a parameter
  std::size_t declared = 0;  ///< token of the name in its declaration; 0 for a parameter
};
/// Names that are declared once alone: one name, one meaning.
std::vector<ElementPointer> element_pointers(const KernelCase& on);

/// How often tokens [begin, end) declare a name; what may or may not be a declaration counts.
std::size_t declarations_in(const SourceText& text, std::string_view name, std::size_t begin,
                            std::size_t end);

/// Bytes of an arithmetic type: 4 for "float"; 0 for others.
std::uint32_t bytes_of(std::string_view type);

/// One occurrence of a name in a body.
enum class UseKind {
  read,      ///< `x[i]` in an expression
  write,     ///< `x[i] = …`
  update,    ///< `x[i] += …`, `++x[i]`
  address,   ///< `&x[i]`
  bare,      ///< `x` without brackets
  assigned,  ///< `x = …`, `++x`
};
struct NameUse {
  UseKind kind = UseKind::bare;
  std::size_t token = 0;
  std::size_t end = 0;         ///< behind the name and its brackets
  std::size_t subscripts = 0;  ///< how many
};
/// In [begin, end). Members of other objects of that name are none.
std::vector<NameUse> uses_of(const SourceText& text, std::string_view name, std::size_t begin,
                             std::size_t end);

/// `for (int i = a; i < b; ++i)`.
struct CountedLoop {
  std::string_view type, counter;
  ByteRange first, limit;  ///< tokens of a and b
  bool inclusive = false;  ///< `<=`
};
std::optional<CountedLoop> counted(const SourceText& text, const SourceLoop& loop);

/// Whether tokens [begin, end) are names, numbers and arithmetic without a call, an assignment or an access to memory.
bool is_plain_arithmetic(const SourceText& text, std::size_t begin, std::size_t end);

/// The value of a constant expression of numbers and of `constexpr`/`const`/`#define` integers of the file; none when it cannot be determined.
std::optional<std::int64_t> constant_value(const KernelCase& on, std::size_t begin,
                                           std::size_t end);

/// A function of <cmath> or HIP that computes a value from values and touches no memory: fmaxf, expf, __fdividef.
bool is_pure_function(std::string_view name);

/// Whether tokens [begin, end) are the number of the work-item in a grid of one dimension: `blockIdx.x * blockDim.x + threadIdx.x`, in any order.
bool is_work_item_number(const SourceText& text, std::size_t begin, std::size_t end);
inline constexpr std::size_t kWorkItemNumberWords = 11;

/// Why nothing is known of how large workgroups are; "" when something is.
std::string_view no_launch(const KernelCase& on);

/// Why captured launches are not known to have workgroups of one dimension; "" when they are.
std::string_view not_one_dimension(const KernelCase& on);

void refuse(RuleOutcome& out, std::size_t line, std::string reason);

}  // namespace rpl::rules
