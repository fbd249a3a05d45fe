// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/source/text/source_text.h"

namespace rpl {

/// A `__global__` function with a body.
struct SourceKernel {
  std::string name;                 ///< unqualified, without template arguments
  std::string qualified;            ///< with its namespaces: `a::scale`, `(anonymous namespace)::k`
  std::string arguments;            ///< of a template specialization: `float , 4`; "" otherwise
  std::vector<std::string> header;  ///< its words, with `const` in front of the type it belongs to
  std::vector<std::string> parameters;  ///< canonical types, see canonical_type()
  ByteRange header_range;               ///< from its first specifier to the opening brace
  ByteRange body;                       ///< between the outer braces
  std::size_t body_open = 0;            ///< token of the opening brace
  std::size_t body_close =
      0;  ///< token of the closing brace; the number of tokens when there is none
  std::size_t header_begin = 0;  ///< first token of the header
  std::size_t line = 1;          ///< of the name
  bool is_template = false;
  bool closed = true;        ///< the closing brace was found
  bool conditional = false;  ///< an `#if`, `#else` or `#endif` stands in the header or the body
};

/// Any other function with a body, at namespace or class scope.
struct SourceFunction {
  std::string_view name;
  std::size_t body_open = 0;
  std::size_t body_close = 0;
};

struct SourceVariable {
  std::string_view name;
  bool device_state = false;    ///< `__device__` or `__managed__`, and neither const nor constexpr
  bool dynamic_shared = false;  ///< `extern __shared__`
};

struct SourceMacro {
  std::string_view name;
  std::string_view replacement;  ///< its words, and the parameter list before them
};

/// What a file declares outside function bodies, in the order of the text. What a macro generates is not seen.
struct SourceDeclarations {
  std::vector<SourceKernel> kernels;
  std::vector<SourceFunction> functions;
  std::vector<std::string_view>
      function_names;  ///< at namespace scope, defined or declared, kernels included
  std::vector<SourceVariable> variables;
  std::vector<SourceMacro> macros;
};

/// Linear in the number of tokens. The result refers to `source`.
SourceDeclarations find_declarations(const SourceText& source);

/// The kernels of a text; the same as find_declarations().kernels.
std::vector<SourceKernel> find_kernels(std::string_view source);

/// The type of one parameter [begin, end) as Itanium symbols spell it, one blank between two words: without the name, the
/// default argument, `__restrict__` and a top-level `const`, with `const` in front: `const float *`.
std::string canonical_type(const SourceText& source, std::size_t begin, std::size_t end);

/// The parameters in the group that opens at `open`, as [begin, end) token ranges; none for `()` and `(void)`.
std::vector<ByteRange> parameters_of(const SourceText& source, std::size_t open);

/// The token that opens a kernel's parameter list; kNoToken when it cannot be determined.
std::size_t parameter_list_of(const SourceText& source, const SourceKernel& kernel);

/// The name of one parameter [begin, end); "" for one without.
std::string_view parameter_name(const SourceText& source, ByteRange parameter);

}  // namespace rpl
