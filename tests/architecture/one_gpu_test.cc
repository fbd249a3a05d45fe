// SPDX-License-Identifier: MIT
// What differs between GPUs is a trait of the table in engine/isa/traits or a value of the files in engine/arch/data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

#include "tests/architecture/source_tree.h"

namespace rpl::architecture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Places that may name a GPU, each with its reason.
struct Exemption {
  std::string_view file, text, reason;
};
constexpr std::array kExemptions{
    Exemption{"engine/metrics/roofline/explain.cc", "memory bound on gfx942",
              "what another tool's constant does on one GPU"},
    Exemption{"shell/commands/profile/profile_run.cc", "`set emu gpu MI250X`",
              "a line to type, within a longer help"},
    Exemption{"shell/commands/session/tutorial_steps.cc", "emulated MI300X stands in",
              "prose, whose line breaks are made for it"},
    Exemption{"shell/core/inputs/hardware.cc", "taken for (MI308X)",
              "a product that recordings confuse with others"}};

/// The parts of one line: code with empty literals, and what the literals hold. Comments are neither.
struct Parts {
  std::string code;
  std::vector<std::string> literals;
};

Parts parts_of(std::string_view line) {
  Parts out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("//")) break;
    const bool quoted =
        line[i] == '"' || (line[i] == '\'' && (i == 0 || !std::isalnum(line[i - 1])));
    out.code += line[i];
    if (!quoted) continue;
    const char quote = line[i];
    std::string text;
    for (++i; i < line.size() && line[i] != quote; ++i) {
      if (line[i] == '\\') ++i;
      if (i < line.size()) text += line[i];
    }
    if (quote == '"') out.literals.push_back(std::move(text));
    out.code += quote;
  }
  return out;
}

bool is_exempt(const std::string& file, const std::string& line) {
  return std::ranges::any_of(kExemptions, [&](const Exemption& one) {
    return one.file == file && line.find(one.text) != std::string::npos;
  });
}

/// "FILE:LINE: TEXT" of the lines that `is_wrong`, lines of commands to try (`.examples`) left out.
template <class Check>
std::vector<std::string> wrong_lines(const std::vector<Source>& files, Check is_wrong) {
  std::vector<std::string> out;
  for (const Source& file : files) {
    bool in_examples = false;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      if (line.find(".examples = {") != std::string::npos) in_examples = true;
      const bool may_be = line.find("gfx") != line.npos || line.find("MI") != line.npos ||
                          line.find(" k") != line.npos;
      if (may_be && !in_examples && !is_exempt(file.path, line) && is_wrong(parts_of(line)))
        out.push_back(fmt::format("{}:{}: {}", file.path, i + 1, line));
      if (in_examples && line.find('}') != std::string::npos) in_examples = false;
    }
  }
  return out;
}

bool names_a_gpu(const Parts& parts) {
  static const std::regex kName(R"(\b(gfx[0-9][0-9a-f]{2,3}|MI[0-9]{3}[AX]?)\b)");
  static const std::regex kEnumerator(R"(\bArch::gfx)");
  return std::regex_search(parts.code, kEnumerator) ||
         std::ranges::any_of(parts.literals, [](const std::string& literal) {
           return std::regex_search(literal, kName);
         });
}

/// Whether a constant is given a number that a table has: lanes of a wave, largest workgroup, LDS and its banks.
bool repeats_a_trait(const Parts& parts) {
  static const std::regex kConstant(
      R"(\bk[A-Za-z]*(Lanes?|Wave|WaveSize|Banks|Lds[A-Za-z]*|[Ww]orkgroup|WorkItems)\s*=\s*(32|64|128|1024|65536|64 \* 1024|163840)\b)");
  return std::regex_search(parts.code, kConstant);
}

/// Product code outside the table. The HIP headers are code of the devices' own.
std::vector<Source> product() {
  std::vector<Source> files = sources({"engine", "shell"});
  std::erase_if(files, [](const Source& file) {
    return file.path.starts_with("engine/isa/traits/") ||
           file.path.starts_with("engine/device/hip/include/");
  });
  return files;
}

Source source_with(std::vector<std::string> lines) { return {.path = "x.cc", .lines = lines}; }

TEST(OneGpu, IsNotNamedInCode) { EXPECT_THAT(wrong_lines(product(), names_a_gpu), IsEmpty()); }

TEST(OneGpu, HasNoNumbersInCode) {
  EXPECT_THAT(wrong_lines(product(), repeats_a_trait), IsEmpty());
}

/// Values of the cycle model in the architecture files that no other reason puts into code: not powers of two or ten, and of three digits or more.
std::set<std::string> values_of_the_model() {
  static const std::regex kFact(R"(^(cycle|band)\.[A-Za-z0-9_.]+ *= *([0-9.]+))");
  std::set<std::string> out;
  for (const char* name : {"gfx90a", "gfx942", "gfx950"}) {
    std::istringstream text(text_of(fmt::format("engine/arch/data/{}.arch", name)));
    std::smatch found;
    for (std::string line; std::getline(text, line);) {
      if (!std::regex_search(line, found, kFact)) continue;
      const std::string value = found[2].str();
      const double number = std::stod(value);
      const auto is_power = [&](double base) {
        const double exponent = std::round(std::log(number) / std::log(base));
        return std::abs(std::pow(base, exponent) - number) < 1e-9;
      };
      constexpr std::ptrdiff_t kDigits = 3;
      const std::string digits =
          value.substr(std::min(value.find_first_of("123456789"), value.size()));
      if (std::ranges::count_if(digits, [](unsigned char c) { return std::isdigit(c); }) >=
              kDigits &&
          !is_power(2) && !is_power(10))
        out.insert(value);
    }
  }
  return out;
}

/// Lines of the device's model whose code has such a value.
std::vector<std::string> lines_with(const std::set<std::string>& values,
                                    const std::vector<Source>& files) {
  static const std::regex kNumber(R"([0-9][0-9.']*)");
  std::vector<std::string> out;
  for (const Source& file : files) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string code = parts_of(file.lines[i]).code;
      for (std::sregex_iterator at(code.begin(), code.end(), kNumber), end; at != end; ++at) {
        std::string number = at->str();
        std::erase(number, '\'');
        if (values.contains(number))
          out.push_back(fmt::format("{}:{}: {}", file.path, i + 1, file.lines[i]));
      }
    }
  }
  return out;
}

TEST(OneGpu, HasNoValueOfTheCycleModelInCode) {
  const auto values = values_of_the_model();
  EXPECT_GT(values.size(), 10U);
  EXPECT_THAT(lines_with(values, sources({"engine/device/cycle"})), IsEmpty());
  EXPECT_THAT(lines_with({"880"}, {source_with({"constexpr double kMemory = 880;", "// 880",
                                                "say(\"880\"); at(8801);"})}),
              ElementsAre(testing::StartsWith("x.cc:1:")));
}

TEST(OneGpu, EveryValueOfTheCycleModelHasItsSource) {
  static const std::regex kFact(R"(^(cycle|band)\.)");
  for (const char* name : {"gfx90a", "gfx942", "gfx950"}) {
    std::istringstream text(text_of(fmt::format("engine/arch/data/{}.arch", name)));
    for (std::string line; std::getline(text, line);) {
      if (!std::regex_search(line, kFact)) continue;
      const std::size_t source = line.find('#');
      ASSERT_NE(source, std::string::npos) << name << ": " << line;
      EXPECT_GT(line.substr(source).size(), 6U) << name << ": " << line;
    }
  }
}

TEST(OneGpu, IsFoundWhereItIsNamed) {
  const std::vector<Source> files{source_with({
      "if (arch == \"gfx942\") return;  // comment",
      "std::string arch;  ///< \"gfx942\"",
      "return arch == Arch::gfx90a;",
      "fail(\"an MI300X has \\\"it\\\"\");",
      ".examples = {\"info arch MI300X\",",
      "             \"info arch gfx942\"}},",
      "say(\"gfx9 and later, gfx942x\");",
  })};
  EXPECT_THAT(wrong_lines(files, names_a_gpu),
              ElementsAre(testing::StartsWith("x.cc:1:"), testing::StartsWith("x.cc:3:"),
                          testing::StartsWith("x.cc:4:")));
  const std::vector<Source> numbers{source_with(
      {"constexpr unsigned kWaveLanes = 64;", "constexpr unsigned kLdsBytes = 65536;",
       "constexpr unsigned kLanes = isa::kWaveSize;", "constexpr unsigned kChunk = 65536;"})};
  EXPECT_THAT(wrong_lines(numbers, repeats_a_trait),
              ElementsAre(testing::StartsWith("x.cc:1:"), testing::StartsWith("x.cc:2:")));
}

TEST(OneGpu, EveryExemptionIsNeeded) {
  for (const Exemption& one : kExemptions) {
    EXPECT_NE(text_of(one.file).find(one.text), std::string::npos) << one.file << ": " << one.text;
    EXPECT_FALSE(one.reason.empty());
  }
}

}  // namespace
}  // namespace rpl::architecture
