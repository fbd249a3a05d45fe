// SPDX-License-Identifier: MIT
#include "engine/source/text/fused_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/source/text/kernel_name.h"
#include "engine/source/text/launch_sites.h"

namespace rpl {
namespace {

Failure cannot(std::string why, std::string next = {}) {
  return fail(Errc::unsupported, std::move(why), std::move(next));
}

struct Parameter {
  std::string name, type;  ///< the type as canonical_type() spells it
  std::string written;     ///< as it stands in the header
};

/// One of the two kernels in its text.
struct Part {
  SourceKernel kernel;
  std::vector<Parameter> parameters;

  [[nodiscard]] std::optional<std::size_t> named(std::string_view name) const {
    const auto at = std::ranges::find(parameters, name, &Parameter::name);
    if (at == parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(at - parameters.begin());
  }
};

std::vector<Parameter> parameters_in(const SourceText& text, const SourceKernel& kernel) {
  std::vector<Parameter> out;
  const std::size_t open = parameter_list_of(text, kernel);
  if (open == kNoToken) return out;
  for (const ByteRange& one : parameters_of(text, open))
    out.push_back({std::string(parameter_name(text, one)), canonical_type(text, one.begin, one.end),
                   std::string(written(text, one))});
  return out;
}

/// The file with both kernels.
struct PairText {
  SourceText text;
  SourceDeclarations declared;
  std::array<Part, 2> parts;
};

Result<PairText> pair_in(std::string_view source, const LaunchedPair& pair) {
  PairText out{.text = SourceText(source), .declared = {}, .parts = {}};
  out.declared = find_declarations(out.text);
  const std::array<std::string_view, 2> names{pair.first, pair.second};
  for (std::size_t i = 0; i < 2; ++i) {
    out.parts[i].kernel = TRY(find_target(out.declared.kernels, names[i]));
    out.parts[i].parameters = parameters_in(out.text, out.parts[i].kernel);
  }
  return out;
}

/// Whether `edited` is `source` with bytes inserted in one place.
bool is_insertion(std::string_view source, std::string_view edited) {
  if (edited.size() < source.size()) return false;
  const auto front = std::ranges::mismatch(source, edited).in1 - source.begin();
  const auto back =
      std::mismatch(source.rbegin(), source.rend(), edited.rbegin()).first - source.rbegin();
  return front + back >= static_cast<std::ptrdiff_t>(source.size());
}

/// The kernel that `edited` has more.
struct Inserted {
  SourceText text;
  SourceDeclarations declared;
  SourceKernel kernel;
};

/// Outside that kernel the compiler sees the same tokens.
bool same_outside(const SourceText& source, const Inserted& edited) {
  const std::size_t begin = edited.kernel.header_begin, end = edited.kernel.body_close + 1;
  if (edited.text.size() - (end - begin) != source.size()) return false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const SourceToken &one = source[i], &other = edited.text[i < begin ? i : i + (end - begin)];
    if (one.kind != other.kind || one.text != other.text) return false;
  }
  return true;
}

Result<Inserted> inserted_in(const PairText& base, std::string_view edited) {
  constexpr std::string_view kHow =
      "leave the file as it is, launches included, and write one more kernel beside the two";
  Inserted out{.text = SourceText(edited), .declared = {}, .kernel = {}};
  out.declared = find_declarations(out.text);
  std::size_t found = 0;
  for (const SourceKernel& kernel : out.declared.kernels) {
    const bool known = std::ranges::any_of(base.declared.kernels, [&](const SourceKernel& one) {
      return one.qualified == kernel.qualified && one.header == kernel.header;
    });
    if (known) continue;
    ++found;
    out.kernel = TRY(find_target(out.declared.kernels, kernel.qualified));
  }
  if (found != 1)
    return cannot(fmt::format("the edited file has {} kernels that the source lacks, where one is "
                              "to take the place of {} and {}",
                              found, base.parts[0].kernel.name, base.parts[1].kernel.name),
                  std::string(kHow));
  if (out.kernel.is_template)
    return cannot(fmt::format("{} is a template", out.kernel.name), "write it without parameters");
  if (!is_insertion(base.text.text(), edited) || !same_outside(base.text, out))
    return cannot(fmt::format("the edited file differs outside {}", out.kernel.name),
                  std::string(kHow));
  return out;
}

/// What a pointer points to may be written by the other kernel alone.
std::string without_const(std::string_view type) {
  return std::string(type.starts_with("const ") ? type.substr(6) : type);
}

Result<FusedParameter> source_of(const Parameter& parameter, const std::array<Part, 2>& parts) {
  FusedParameter out{.name = parameter.name};
  const auto first = parts[0].named(parameter.name), second = parts[1].named(parameter.name);
  if (first || second) {
    out.launch = first ? 0 : 1;
    out.index = first ? *first : *second;
    if (first) out.also_second = second;
  } else {
    bool found = false;
    for (std::size_t i = 0; i < 2 && !found; ++i) {
      const std::string prefix = parts[i].kernel.name + "_";
      if (!parameter.name.starts_with(prefix)) continue;
      const auto at = parts[i].named(std::string_view(parameter.name).substr(prefix.size()));
      if (!at) continue;
      out.launch = i;
      out.index = *at;
      found = true;
    }
    if (!found)
      return cannot(
          fmt::format("neither {} nor {} has a parameter '{}'", parts[0].kernel.name,
                      parts[1].kernel.name, parameter.name),
          fmt::format("name each parameter as one of theirs, or '{}_NAME' for the one of {}",
                      parts[1].kernel.name, parts[1].kernel.name));
  }
  const std::string& type = parts[out.launch].parameters[out.index].type;
  if (without_const(type) != without_const(parameter.type))
    return cannot(fmt::format("'{}' is '{}' there and '{}' in {}", parameter.name, parameter.type,
                              type, parts[out.launch].kernel.name),
                  "give it the same type");
  return out;
}

Result<FusedKernel> fused_of(const PairText& base, const Inserted& inserted) {
  FusedKernel out{.name = inserted.kernel.name, .parameters = {}};
  for (const Parameter& parameter : parameters_in(inserted.text, inserted.kernel))
    out.parameters.push_back(TRY(source_of(parameter, base.parts)));
  return out;
}

/// A launch and the one that follows it directly.
struct Neighbours {
  LaunchSite first, second;
};

std::vector<std::string_view> words_of(const SourceText& text, ByteRange tokens) {
  return text.words(tokens.begin, tokens.end);
}

bool same_configuration(const SourceText& text, const LaunchSite& one, const LaunchSite& other) {
  if (words_of(text, one.grid) != words_of(text, other.grid) ||
      words_of(text, one.workgroup) != words_of(text, other.workgroup) ||
      one.more.size() != other.more.size())
    return false;
  for (std::size_t i = 0; i < one.more.size(); ++i) {
    if (words_of(text, one.more[i]) != words_of(text, other.more[i])) return false;
  }
  return true;
}

/// Whether evaluating it twice, or not at all, makes a difference.
bool has_effects(const SourceText& text, ByteRange tokens) {
  for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
    const std::string_view word = text[i].text;
    const bool assigns = text[i].kind == SourceTokenKind::punctuator && word.ends_with('=') &&
                         word != "==" && word != "!=" && word != "<=" && word != ">=";
    const bool calls = text[i].kind == SourceTokenKind::identifier && text.is(i + 1, "(") &&
                       word != "dim3" && word != "sizeof";
    if (assigns || calls || word == "++" || word == "--") return true;
  }
  return false;
}

Result<std::vector<Neighbours>> neighbours_in(const SourceText& text, std::string_view first,
                                              std::string_view second) {
  std::vector<Neighbours> out;
  const auto followers = launch_sites(text, second);
  for (const LaunchSite& one : launch_sites(text, first)) {
    // `first<<<…>>>(…); second<<<…>>>(…);`
    const auto next = std::ranges::find_if(followers, [&](const LaunchSite& other) {
      return text.is(one.whole.end, ";") && other.whole.begin == one.whole.end + 1 &&
             text.is(other.whole.end, ";");
    });
    if (next != followers.end()) out.push_back({one, *next});
  }
  if (out.empty())
    return cannot(
        fmt::format("{} is nowhere in this file launched directly after {}", second, first));
  for (const Neighbours& pair : out) {
    if (!same_configuration(text, pair.first, pair.second))
      return cannot(fmt::format("line {}: {} is launched with another configuration than {}",
                                pair.second.line, second, first));
    for (const LaunchSite* site : {&pair.first, &pair.second}) {
      for (const ByteRange& argument : site->arguments) {
        if (has_effects(text, argument))
          return cannot(fmt::format("line {}: the argument '{}' may do more than to name a value",
                                    site->line, written(text, argument)));
      }
    }
  }
  return out;
}

/// The launch of the fused kernel in place of two.
Result<std::string> fused_launch(const SourceText& text, const Neighbours& pair,
                                 const FusedKernel& fused) {
  std::vector<std::string> words{std::string(written(text, pair.first.grid)),
                                 std::string(written(text, pair.first.workgroup))};
  for (const ByteRange& more : pair.first.more) words.emplace_back(written(text, more));
  std::vector<std::string> arguments;
  for (const FusedParameter& parameter : fused.parameters) {
    const LaunchSite& site = parameter.launch == 0 ? pair.first : pair.second;
    if (parameter.index >= site.arguments.size())
      return cannot(fmt::format("line {}: '{}' is left to its default", site.line, parameter.name));
    const ByteRange argument = site.arguments[parameter.index];
    if (parameter.also_second) {
      const std::size_t other = *parameter.also_second;
      if (other >= pair.second.arguments.size() ||
          words_of(text, pair.second.arguments[other]) != words_of(text, argument))
        return cannot(fmt::format("line {}: '{}' is another argument than in line {}",
                                  pair.second.line, parameter.name, pair.first.line));
    }
    arguments.emplace_back(written(text, argument));
  }
  if (!pair.first.is_call)
    return fmt::format("{}<<<{}>>>({})", fused.name, fmt::join(words, ", "),
                       fmt::join(arguments, ", "));
  for (std::string& argument : arguments) words.push_back(std::move(argument));
  return fmt::format("hipLaunchKernelGGL({}, {})", fused.name, fmt::join(words, ", "));
}

/// Two blanks in front of each line; the last one holds the closing brace.
std::string indented(std::string_view body) {
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    out += body[i];
    const char next = i + 1 < body.size() ? body[i + 1] : '}';
    if (body[i] == '\n' && next != '\n' && next != '\r' && next != '#') out += "  ";
  }
  return out;
}

/// Writes the kernel that has both bodies.
class FusedWriter {
 public:
  FusedWriter(const PairText& base, const Neighbours& site) : base_(base), site_(site) {}

  [[nodiscard]] std::string text(const std::string& name) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < base_.parts[i].parameters.size(); ++k) add(i, k);
    }
    std::string out =
        fmt::format("\n\n{}void {}({}) {{\n", qualifiers(), name, fmt::join(declarations_, ", "));
    for (std::size_t i = 0; i < 2; ++i) {
      const Part& part = base_.parts[i];
      std::vector<std::string> inner;
      for (const Parameter& parameter : part.parameters) inner.push_back(parameter.written);
      const ByteRange body = part.kernel.body;
      out += fmt::format(
          "  // What {} does.\n  []({}) {{{}}}({});\n", part.kernel.name, fmt::join(inner, ", "),
          indented(base_.text.text().substr(body.begin, body.size())), fmt::join(passed_[i], ", "));
    }
    return out + "}";
  }

 private:
  [[nodiscard]] ByteRange argument(std::size_t part, std::size_t index) const {
    const LaunchSite& site = part == 0 ? site_.first : site_.second;
    return index < site.arguments.size() ? site.arguments[index] : ByteRange{};
  }

  [[nodiscard]] bool same_argument(std::size_t first, std::size_t second) const {
    return words_of(base_.text, argument(0, first)) == words_of(base_.text, argument(1, second));
  }

  /// Arguments that are written alike are one parameter.
  void add(std::size_t part, std::size_t index) {
    const Parameter& parameter = base_.parts[part].parameters[index];
    const std::vector<Parameter>& firsts = base_.parts[0].parameters;
    for (std::size_t k = 0; part == 1 && k < firsts.size(); ++k) {
      if (without_const(firsts[k].type) != without_const(parameter.type) ||
          !same_argument(k, index))
        continue;
      const std::string& name = passed_[0][k];
      if (firsts[k].type.starts_with("const "))
        declarations_[k] = declaration(parameter.type, name);
      passed_[1].push_back(name);
      return;
    }
    std::string name = parameter.name;
    const auto other = base_.parts[1 - part].named(name);
    if (other && !(part == 0 ? same_argument(index, *other) : same_argument(*other, index)))
      name = base_.parts[part].kernel.name + "_" + name;
    declarations_.push_back(declaration(parameter.type, name));
    passed_[part].push_back(name);
  }

  /// Without promises: they hold in each part alone.
  static std::string declaration(std::string_view type, std::string_view name) {
    return fmt::format("{}{}{}", type, type.ends_with('*') ? "" : " ", name);
  }

  [[nodiscard]] std::string qualifiers() const {
    // `__launch_bounds__` stays where both have the same.
    const auto bounds = [&](const Part& part) -> std::string {
      for (std::size_t i = part.kernel.header_begin; i < part.kernel.body_open; ++i) {
        if (base_.text.is(i, "__launch_bounds__"))
          return std::string(written(base_.text, {i, base_.text.after_group(i + 1)})) + " ";
      }
      return {};
    };
    const std::string first = bounds(base_.parts[0]);
    return "__global__ " + (first == bounds(base_.parts[1]) ? first : std::string());
  }

  const PairText& base_;
  const Neighbours& site_;
  std::vector<std::string> declarations_;
  std::array<std::vector<std::string>, 2> passed_;
};

}  // namespace

Result<FusedKernel> find_fused_kernel(std::string_view source, const LaunchedPair& pair,
                                      std::string_view edited) {
  const PairText base = TRY(pair_in(source, pair));
  return fused_of(base, TRY(inserted_in(base, edited)));
}

Result<GuardVerdict> check_fused_kernel(std::string_view source, const LaunchedPair& pair,
                                        std::string_view edited) {
  const PairText base = TRY(pair_in(source, pair));
  const Inserted inserted = TRY(inserted_in(base, edited));
  const BodyInText candidate{inserted.text, inserted.kernel};
  GuardVerdict out;
  std::vector<GuardReason> others =
      check_body_rules({base.text, base.parts[1].kernel}, base.declared, candidate, 0);
  for (GuardReason& reason :
       check_body_rules({base.text, base.parts[0].kernel}, base.declared, candidate, 0)) {
    const bool both = std::ranges::any_of(others, [&](const GuardReason& other) {
      return other.rule == reason.rule && other.line == reason.line;
    });
    if (both) out.reasons.push_back(std::move(reason));
  }
  out.accept = out.reasons.empty();
  if (out.accept) out.patched = std::string(edited);
  return out;
}

Result<LaunchEdited> apply_fusion(std::string_view source, const LaunchedPair& pair,
                                  const FusedKernel& fused) {
  const PairText base = TRY(pair_in(source, pair));
  const std::vector<Neighbours> sites =
      TRY(neighbours_in(base.text, base.parts[0].kernel.name, base.parts[1].kernel.name));
  LaunchEdited out{.source = std::string(source), .lines = {}};
  // From the last one on, so that places stay what they were.
  for (auto site = sites.rbegin(); site != sites.rend(); ++site) {
    const std::size_t begin = base.text[site->first.whole.begin].begin,
                      end = base.text[site->second.whole.end - 1].end;
    out.source.replace(begin, end - begin, TRY(fused_launch(base.text, *site, fused)));
    out.lines.insert(out.lines.begin(), site->first.line);
  }
  return out;
}

Result<std::string> with_fused_kernel(std::string_view source, const LaunchedPair& pair) {
  const PairText base = TRY(pair_in(source, pair));
  for (const Part& part : base.parts) {
    if (part.kernel.is_template) return cannot(fmt::format("{} is a template", part.kernel.name));
    if (part.kernel.qualified != part.kernel.name)
      return cannot(fmt::format("{} stands in a namespace", part.kernel.qualified));
  }
  const std::string name = base.parts[0].kernel.name + "_" + base.parts[1].kernel.name;
  if (std::ranges::find(base.declared.function_names, name) != base.declared.function_names.end())
    return cannot(fmt::format("the file has a {} already", name));
  const std::vector<Neighbours> sites =
      TRY(neighbours_in(base.text, base.parts[0].kernel.name, base.parts[1].kernel.name));
  const SourceKernel& later = base.parts[0].kernel.body_close > base.parts[1].kernel.body_close
                                  ? base.parts[0].kernel
                                  : base.parts[1].kernel;
  std::string out(source);
  out.insert(base.text[later.body_close].end, FusedWriter(base, sites.front()).text(name));
  return out;
}

}  // namespace rpl
