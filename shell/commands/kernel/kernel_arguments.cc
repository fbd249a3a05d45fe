// SPDX-License-Identifier: MIT
#include "shell/commands/kernel/kernel_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

constexpr const char* kBufferForm = "TYPE:INIT:COUNT, as in f32:zero:1024";
constexpr const char* kValueForm = "TYPE:VALUE, as in i32:1024";
constexpr const char* kInits =
    "zero, one, iota, random[(SEED)], nan, chain[(STRIDE[,SEED])], addresses(ARGUMENT,…) or @FILE";

bool takes_pointer(const isa::KernelArgument& parameter) {
  return parameter.kind == isa::KernelArgument::Kind::global_buffer;
}

/// "random(7)" is random of {7}, "zero" zero of nothing. None for what is not a word with numbers in parentheses.
struct InitWords {
  std::string_view name;
  std::vector<std::uint64_t> numbers;
};
std::optional<InitWords> init_words(std::string_view text) {
  const std::size_t open = text.find('(');
  InitWords words{text.substr(0, open), {}};
  if (open == std::string_view::npos) return words;
  if (!text.ends_with(')')) return std::nullopt;
  for (std::string_view rest = text.substr(open + 1, text.size() - open - 2);;) {
    const std::size_t comma = rest.find(',');
    const auto number = whole_number<std::uint64_t>(rest.substr(0, comma));
    if (!number) return std::nullopt;
    words.numbers.push_back(*number);
    if (comma == std::string_view::npos) return words;
    rest.remove_prefix(comma + 1);
  }
}

struct InitWord {
  std::string_view name;
  emu::Fill::Kind kind;
  std::size_t most;  ///< numbers in parentheses
};
constexpr std::array<InitWord, 7> kInitWords = {{{"zero", emu::Fill::Kind::zero, 0},
                                                 {"one", emu::Fill::Kind::one, 0},
                                                 {"iota", emu::Fill::Kind::iota, 0},
                                                 {"nan", emu::Fill::Kind::nan, 0},
                                                 {"random", emu::Fill::Kind::random, 1},
                                                 {"chain", emu::Fill::Kind::chain, 2},
                                                 {"addresses", emu::Fill::Kind::addresses, 64}}};

Result<emu::Fill> parse_fill(std::string_view text, std::size_t number) {
  const auto words = init_words(text);
  const auto* known =
      std::ranges::find(kInitWords, words ? words->name : std::string_view(), &InitWord::name);
  if (known == kInitWords.end() || words->numbers.size() > known->most)
    return fail(Errc::usage, fmt::format("no initial value '{}'", text),
                fmt::format("use {}", kInits));
  emu::Fill fill;
  fill.kind = known->kind;
  fill.seed = number;
  const auto& numbers = words->numbers;
  using Kind = emu::Fill::Kind;
  if (fill.kind == Kind::random && !numbers.empty()) fill.seed = numbers[0];
  if (fill.kind == Kind::chain && !numbers.empty()) fill.stride = numbers[0];
  if (fill.kind == Kind::chain && numbers.size() > 1) fill.seed = numbers[1];
  if (fill.kind == Kind::addresses) fill.arguments.assign(numbers.begin(), numbers.end());
  return fill;
}

Result<emu::BufferArgument> buffer_of_file(Element element, std::string_view rest) {
  emu::BufferArgument buffer;
  buffer.element = element;
  buffer.fill.kind = emu::Fill::Kind::bytes;
  const std::size_t colon = rest.rfind(':');
  const auto count = colon == std::string_view::npos
                         ? std::nullopt
                         : whole_number<std::uint64_t>(rest.substr(colon + 1));
  const std::string path(rest.substr(0, count ? colon : rest.size()));
  buffer.fill.bytes = TRY(read_binary_file(path));
  const std::size_t width = size_of(element);
  buffer.count = count.value_or(buffer.fill.bytes.size() / width);
  if (buffer.fill.bytes.size() % width != 0 || buffer.count != buffer.fill.bytes.size() / width) {
    return fail(Errc::usage,
                fmt::format("{} holds {} bytes, not {} elements of {}", path,
                            buffer.fill.bytes.size(), buffer.count, to_string(element)),
                "leave the count out, or give a file of that size");
  }
  return buffer;
}

Result<emu::Argument> parse_buffer(Element element, std::string_view rest, std::size_t number) {
  if (rest.starts_with('@')) return emu::Argument(TRY(buffer_of_file(element, rest.substr(1))));
  const std::size_t colon = rest.rfind(':');
  const auto count = colon == std::string_view::npos
                         ? std::nullopt
                         : whole_number<std::uint64_t>(rest.substr(colon + 1));
  if (!count) {
    return fail(Errc::usage, "it is a pointer and needs a number of elements",
                fmt::format("write {}", kBufferForm));
  }
  emu::BufferArgument buffer;
  buffer.element = element;
  buffer.count = *count;
  buffer.fill = TRY(parse_fill(rest.substr(0, colon), number));
  return emu::Argument(std::move(buffer));
}

Result<emu::Argument> parse_by_value(Element element, std::string_view rest) {
  if (rest.starts_with('@')) {
    return emu::Argument(
        emu::ValueArgument{.bytes = TRY(read_binary_file(std::string(rest.substr(1))))});
  }
  if (rest.find(':') != std::string_view::npos) {
    return fail(Errc::usage, "it is a value, not a pointer", fmt::format("write {}", kValueForm));
  }
  return emu::Argument(TRY(emu::parse_value(element, rest)));
}

Failure wrong_count(const isa::Kernel& kernel, std::size_t given) {
  std::vector<std::string> all;
  for (const auto& parameter : kernel.explicit_arguments()) {
    all.push_back(fmt::format("{} {}", all.size() + 1, parameter_text(parameter)));
  }
  return fail(Errc::usage,
              fmt::format("'{}' has {} parameter{}, but {} given", demangled(kernel.name),
                          all.size(), all.size() == 1 ? "" : "s",
                          given == 1 ? "1 --arg is" : fmt::format("{} --arg are", given)),
              all.empty() ? "give no --arg" : fmt::format("it takes {}", fmt::join(all, ", ")));
}

}  // namespace

Result<emu::Size3> parse_size3(std::string_view text, std::string_view what) {
  emu::Size3 size{1, 1, 1};
  std::size_t parts = 0;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const auto number = whole_number<std::uint32_t>(rest.substr(0, comma));
    if (!number || *number == 0 || parts == size.size()) {
      return fail(Errc::usage, fmt::format("{} '{}' is not X[,Y[,Z]]", what, text),
                  "write work-items, as in 1024 or 64,16");
    }
    size[parts++] = *number;
    if (comma == std::string_view::npos) return size;
    rest.remove_prefix(comma + 1);
  }
}

Result<emu::Size3> parse_launch_grid(const std::string& grid, const std::string& programs,
                                     const emu::Size3& workgroup) {
  if (grid.empty() == programs.empty()) {
    return fail(Errc::usage,
                grid.empty() ? "no size of the grid" : "--grid and --programs are one thing",
                "give --grid in work-items, or --programs in workgroups");
  }
  if (!grid.empty()) return parse_size3(grid, "--grid");
  emu::Size3 out = TRY(parse_size3(programs, "--programs"));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] > std::numeric_limits<std::uint32_t>::max() / workgroup[i])
      return fail(Errc::usage, fmt::format("--programs {}: too many work-items", programs),
                  "a grid has less than 2^32 work-items in each direction");
    out[i] *= workgroup[i];
  }
  return out;
}

std::string parameter_text(const isa::KernelArgument& parameter) {
  if (takes_pointer(parameter)) return "buffer";
  return fmt::format("value of {} byte{}", parameter.size, parameter.size == 1 ? "" : "s");
}

Result<emu::Argument> parse_kernel_argument(std::string_view text,
                                            const isa::KernelArgument& parameter,
                                            std::size_t number) {
  if (text == "null" && takes_pointer(parameter)) return emu::Argument(emu::null_pointer());
  const std::size_t colon = text.find(':');
  const auto read = [&]() -> Result<emu::Argument> {
    const Element element = TRY(parse_element(text.substr(0, colon)));
    if (colon == std::string_view::npos) {
      return fail(Errc::usage, "a type alone says too little",
                  fmt::format("write {}", takes_pointer(parameter) ? kBufferForm : kValueForm));
    }
    const std::string_view rest = text.substr(colon + 1);
    return takes_pointer(parameter) ? parse_buffer(element, rest, number)
                                    : parse_by_value(element, rest);
  };
  auto argument = read();
  if (argument) return argument;
  return Failure(std::move(argument).error().in(fmt::format("argument {} '{}'", number, text)));
}

Result<std::vector<emu::Argument>> parse_kernel_arguments(const std::vector<std::string>& texts,
                                                          const isa::Kernel& kernel) {
  const auto parameters = kernel.explicit_arguments();
  if (parameters.size() != texts.size()) return wrong_count(kernel, texts.size());
  std::vector<emu::Argument> arguments;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    arguments.push_back(TRY(parse_kernel_argument(texts[i], parameters[i], i + 1)));
  }
  return arguments;
}

std::uint64_t buffer_bytes(const std::vector<std::string>& texts, const isa::Kernel& kernel) {
  const auto parameters = kernel.explicit_arguments();
  constexpr std::uint64_t kMost = std::uint64_t{1} << 59;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < std::min(texts.size(), parameters.size()); ++i) {
    const std::string_view text = texts[i];
    const auto element = parse_element(text.substr(0, text.find(':')));
    const auto count = whole_number<std::uint64_t>(text.substr(text.rfind(':') + 1));
    if (!element || !count || !takes_pointer(parameters[i])) continue;
    sum = std::min(sum + std::min(*count, kMost) * size_of(*element), kMost);
  }
  return sum;
}

Result<std::vector<ArgumentFile>> parse_argument_files(
    const std::vector<std::string>& texts, std::string_view option,
    const std::vector<emu::Argument>& arguments) {
  std::vector<ArgumentFile> files;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto number = whole_number<std::size_t>(std::string_view(text).substr(0, equals));
    if (!number || equals == std::string::npos || equals + 1 == text.size()) {
      return fail(Errc::usage, fmt::format("--{} '{}' is not ARGUMENT=FILE", option, text),
                  fmt::format("write --{} 2=out.bin for the second argument", option));
    }
    if (*number == 0 || *number > arguments.size() ||
        !std::holds_alternative<emu::BufferArgument>(arguments[*number - 1])) {
      return fail(Errc::usage, fmt::format("--{}: argument {} is not a buffer", option, *number),
                  "arguments count from 1");
    }
    files.push_back({.argument = *number, .path = text.substr(equals + 1)});
  }
  return files;
}

}  // namespace rpl
