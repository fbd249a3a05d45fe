// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/source/text/declarations.h"

namespace rpl {

/// How people and profilers name a kernel, taken apart.
struct KernelReference {
  std::vector<std::string> path;  ///< namespaces and name: {"a", "scale"}
  std::string arguments;  ///< template arguments of the name, one blank between words; "" for none
  /// Parameter types as canonical_type() spells them; none when only a name was given.
  std::optional<std::vector<std::string>> parameters;
};

/// Reads `scale`, `a::scale`, `scale<float>`, `void scale<float>(float const*, int)` and mangled Itanium names (demangled by
/// the C++ runtime), each with the suffixes ".kd" and " [clone …]" that profilers leave. Fails with Errc::usage.
Result<KernelReference> parse_kernel_reference(std::string_view text);

/// The one kernel of `kernels` that `reference` names. Namespaces may be left out, parameters decide between overloads.
/// Fails with not_found or ambiguous, naming the candidates with their lines.
Result<SourceKernel> find_kernel(std::span<const SourceKernel> kernels, std::string_view reference);

/// The kernel whose body may be replaced: find_kernel(), refused with Errc::unsupported when its closing brace is missing or
/// conditional directives stand in it: then what the braces enclose depends on macros.
Result<SourceKernel> find_target(std::string_view source, std::string_view reference);
/// The same among kernels found before.
Result<SourceKernel> find_target(std::span<const SourceKernel> kernels, std::string_view reference);

}  // namespace rpl
