// SPDX-License-Identifier: MIT
#include "engine/source/text/kernel_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/text.h"

namespace rpl {
namespace {

constexpr std::size_t kLongestReference = 65536;

std::string_view without_suffixes(std::string_view text) {
  while (true) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    text = text.substr(0, end == text.npos ? 0 : end + 1);
    const std::size_t clone = text.rfind(" [clone ");
    if (text.ends_with("]") && clone != text.npos) {
      text = text.substr(0, clone);
    } else if (text.ends_with(".kd")) {
      text.remove_suffix(3);
    } else {
      return text;
    }
  }
}

std::string spaced(const SourceText& text, std::size_t begin, std::size_t end) {
  std::string result;
  for (const std::string_view word : text.words(begin, end)) {
    result += (result.empty() ? "" : " ") + std::string(word);
  }
  return result;
}

/// Where the template list that ends before `end` opens; `end` when there is none.
std::size_t angle_open(const SourceText& text, std::size_t end) {
  if (end == 0 || !text.is(end - 1, ">")) return end;
  std::size_t depth = 0;
  for (std::size_t i = end; i-- > 0;) {
    if (text.is(i, ">")) ++depth;
    if (text.is(i, "<") && --depth == 0) return i;
  }
  return end;
}

/// Reads the path that ends before `end` from its back; what stands before it is a return type.
void read_path(const SourceText& text, std::size_t end, KernelReference& out) {
  while (end > 0) {
    const std::size_t open = angle_open(text, end);
    if (out.path.empty() && open < end) out.arguments = spaced(text, open + 1, end - 1);
    if (open == 0) return;
    const std::size_t name = open - 1;
    if (text.is(name, ")")) {
      out.path.insert(out.path.begin(), "(anonymous namespace)");
      const std::size_t opener = text.partner(name);
      if (opener == kNoToken) return;
      end = opener;
    } else if (text[name].kind == SourceTokenKind::identifier) {
      out.path.insert(out.path.begin(), std::string(text[name].text));
      end = name;
    } else {
      return;
    }
    if (end == 0 || !text.is(end - 1, "::")) return;
    --end;
  }
}

/// `namespace a::b` is one scope of two parts.
std::vector<std::string> path_of(const SourceKernel& kernel) {
  std::vector<std::string> result;
  std::string_view rest = kernel.qualified;
  for (std::size_t at = rest.find("::"); at != rest.npos; at = rest.find("::")) {
    result.emplace_back(rest.substr(0, at));
    rest.remove_prefix(at + 2);
  }
  result.emplace_back(rest);
  return result;
}

bool ends_with_path(const SourceKernel& kernel, const std::vector<std::string>& path) {
  const auto own = path_of(kernel);
  return own.size() >= path.size() &&
         std::equal(path.rbegin(), path.rend(), own.rbegin(),
                    own.rbegin() + static_cast<std::ptrdiff_t>(path.size()));
}

bool is_pack(const SourceKernel& kernel) {
  return std::ranges::any_of(kernel.parameters, [](const std::string& type) {
    return type.find("...") != std::string::npos;
  });
}

/// Whether a type is made of words that mean the same everywhere, so that two spellings are two types.
bool is_builtin(const std::string& type) {
  const SourceText text(type);
  return std::ranges::all_of(text.tokens(), [](const SourceToken& token) {
    constexpr std::string_view kWords =
        " void bool char short int long signed unsigned float double const volatile ";
    return token.kind == SourceTokenKind::punctuator ||
           kWords.find(" " + std::string(token.text) + " ") != kWords.npos;
  });
}

/// Whether the parameters of `kernel` can be those of the reference. Types named by a typedef, a macro or a template
/// parameter can be anything.
bool may_take(const SourceKernel& kernel, const KernelReference& reference) {
  if (!reference.parameters || is_pack(kernel)) return true;
  const auto& wanted = *reference.parameters;
  if (wanted.size() != kernel.parameters.size()) return false;
  if (kernel.is_template) return true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool known = is_builtin(wanted[i]) && is_builtin(kernel.parameters[i]);
    if (known && wanted[i] != kernel.parameters[i]) return false;
  }
  return true;
}

/// Keeps those for which `better` holds, if any.
template <class Better>
void prefer(std::vector<const SourceKernel*>& candidates, const Better& better) {
  if (std::ranges::any_of(candidates, better)) {
    std::erase_if(candidates, [&](const SourceKernel* kernel) { return !better(kernel); });
  }
}

std::string signature(const SourceKernel& kernel) {
  const std::string arguments = kernel.arguments.empty() ? "" : "<" + kernel.arguments + ">";
  return fmt::format("{}{}({}) in line {}", kernel.qualified, arguments,
                     fmt::join(kernel.parameters, ", "), kernel.line);
}

std::string listed(const std::vector<const SourceKernel*>& kernels) {
  constexpr std::size_t kShown = 8;
  std::string result;
  for (std::size_t i = 0; i < kernels.size() && i < kShown; ++i) {
    result += (i == 0 ? "" : "; ") + signature(*kernels[i]);
  }
  if (kernels.size() > kShown) result += fmt::format("; and {} more", kernels.size() - kShown);
  return result;
}

Failure no_such(std::span<const SourceKernel> kernels, std::string_view reference) {
  if (kernels.empty()) {
    return fail(Errc::not_found,
                fmt::format("no kernel '{}': the source defines no __global__ function", reference),
                "kernels that a macro generates are not seen; name the file that defines it");
  }
  std::vector<const SourceKernel*> all;
  for (const SourceKernel& kernel : kernels) all.push_back(&kernel);
  return fail(Errc::not_found, fmt::format("no kernel '{}' in the source", reference),
              "it has " + listed(all));
}

}  // namespace

Result<KernelReference> parse_kernel_reference(std::string_view text) {
  text = without_suffixes(text);
  if (text.size() > kLongestReference) {
    return fail(Errc::usage, "the kernel's name is longer than 64 KiB", "give its plain name");
  }
  const std::string name = demangled(std::string(text));
  const SourceText words(name);
  KernelReference result;
  std::size_t end = words.size();
  if (end > 0 && words.is(end - 1, ")") && words.partner(end - 1) != kNoToken) {
    const std::size_t open = words.partner(end - 1);
    result.parameters.emplace();
    for (const ByteRange& range : parameters_of(words, open)) {
      result.parameters->push_back(canonical_type(words, range.begin, range.end));
    }
    end = open;
  }
  read_path(words, end, result);
  if (result.path.empty()) {
    return fail(Errc::usage, fmt::format("'{}' is not a kernel name", text),
                "give a name such as scale, a::scale or scale(float const*, int)");
  }
  return result;
}

Result<SourceKernel> find_kernel(std::span<const SourceKernel> kernels,
                                 std::string_view reference) {
  const KernelReference wanted = TRY(parse_kernel_reference(reference));
  std::vector<const SourceKernel*> found;
  for (const SourceKernel& kernel : kernels) {
    if (ends_with_path(kernel, wanted.path) && may_take(kernel, wanted)) found.push_back(&kernel);
  }
  if (found.empty()) return no_such(kernels, reference);
  prefer(found, [&](const SourceKernel* k) { return path_of(*k) == wanted.path; });
  if (wanted.parameters) {
    prefer(found, [&](const SourceKernel* k) { return k->parameters == *wanted.parameters; });
  }
  if (!wanted.arguments.empty()) {
    prefer(found, [&](const SourceKernel* k) { return k->arguments == wanted.arguments; });
    prefer(found, [&](const SourceKernel* k) { return k->arguments.empty(); });
  }
  if (found.size() == 1) return *found.front();
  return fail(Errc::ambiguous,
              fmt::format("'{}' names {} kernels: {}", reference, found.size(), listed(found)),
              "add namespaces or parameter types");
}

Result<SourceKernel> find_target(std::string_view source, std::string_view reference) {
  return find_target(std::span<const SourceKernel>(find_kernels(source)), reference);
}

Result<SourceKernel> find_target(std::span<const SourceKernel> kernels,
                                 std::string_view reference) {
  const SourceKernel kernel = TRY(find_kernel(kernels, reference));
  if (!kernel.closed) {
    return fail(
        Errc::unsupported,
        fmt::format("the body of {} in line {} is not closed", kernel.qualified, kernel.line),
        "make the file compile first");
  }
  if (kernel.conditional) {
    return fail(
        Errc::unsupported,
        fmt::format("{} in line {} holds #if, so that what belongs to its body depends on macros",
                    kernel.qualified, kernel.line),
        "resolve the conditional, or move it out of the kernel");
  }
  return kernel;
}

}  // namespace rpl
