// SPDX-License-Identifier: MIT
// The decoder and the disassembler beside LLVM's, over all encodings.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "engine/isa/code/instruction.h"
#include "tests/engine/isa/probes.h"

namespace rpl::isa {
namespace {

struct Architecture {
  Arch arch;
  const char* name;
};
constexpr Architecture kBoth[] = {{Arch::gfx90a, "gfx90a"}, {Arch::gfx942, "gfx942"}};

struct Difference {
  std::string wanted, found;
  llvm::Words words;
};

class Comparison {
 public:
  explicit Comparison(const Architecture& arch) : arch_(arch) {}

  /// Compares wherever LLVM assembles its own text to the same bytes again.
  void run(std::span<const llvm::Words> probes) {
    const auto decoded = llvm::disassemble(arch_.name, probes);
    std::vector<std::string> texts;
    for (const auto& text : decoded) texts.push_back(text ? text->text : "s_nop 0");
    const auto bytes = llvm::assemble(arch_.name, texts);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      if (!decoded[i] || !bytes[i] || !same(probes[i], *bytes[i])) continue;
      ++compared;
      const auto ours = decode(arch_.arch, probes[i]);
      const std::string text = ours ? disassemble(arch_.arch, *ours) : "nothing";
      if (ours) opcodes.insert(ours->opcode);
      if (text != decoded[i]->text || ours->bytes != decoded[i]->bytes)
        differences.push_back({decoded[i]->text, text, probes[i]});
    }
  }

  std::size_t compared = 0;
  std::set<const Opcode*> opcodes;  ///< that were compared
  std::vector<Difference> differences;

 private:
  static bool same(const llvm::Words& words, const std::vector<std::uint8_t>& bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != static_cast<std::uint8_t>(words[i / 4] >> 8 * (i % 4))) return false;
    }
    return true;
  }

  const Architecture& arch_;
};

std::string report(const Comparison& comparison) {
  std::map<std::string, std::pair<std::size_t, const Difference*>> by_name;
  for (const Difference& difference : comparison.differences) {
    auto& entry = by_name[difference.wanted.substr(0, difference.wanted.find(' '))];
    ++entry.first;
    entry.second = &difference;
  }
  std::string text =
      fmt::format("{} of {} differ\n", comparison.differences.size(), comparison.compared);
  std::size_t shown = 0;
  for (const auto& [name, entry] : by_name) {
    if (shown++ == 40) break;
    const Difference& d = *entry.second;
    text += fmt::format("{}x {:08x} {:08x}\n    LLVM  {}\n    ours  {}\n", entry.first, d.words[0],
                        d.words[1], d.wanted, d.found);
  }
  return text;
}

/// More with RPL_ISA_ROUNDS in the environment.
unsigned rounds(unsigned usual) {
  const char* wanted = std::getenv("RPL_ISA_ROUNDS");
  return wanted == nullptr ? usual : static_cast<unsigned>(std::atoi(wanted));
}

using Probes = std::vector<llvm::Words> (*)(const Shape&, unsigned, std::mt19937&);

void compare_all(Probes make, unsigned count, double least_share) {
  if (!llvm::is_installed()) GTEST_SKIP() << "llvm-mc-19 is not installed (scripts/setup --full)";
  for (const Architecture& arch : kBoth) {
    for (const Shape& shape : shapes()) {
      std::mt19937 random(1);
      const auto probes = make(shape, count, random);
      Comparison comparison(arch);
      comparison.run(probes);
      EXPECT_TRUE(comparison.differences.empty())
          << arch.name << " " << shape.name << ": " << report(comparison);
      // Of most encodings half of the opcodes are none.
      EXPECT_GT(static_cast<double>(comparison.compared),
                least_share * static_cast<double>(probes.size()))
          << arch.name << " " << shape.name;
    }
  }
}

TEST(Llvm, AgreesOnRandomWordsOfEveryOpcode) { compare_all(random_probes, rounds(1), -1); }

TEST(Llvm, AgreesOnSensibleOperandsOfEveryOpcode) { compare_all(sensible_probes, rounds(2), 0.02); }

std::set<const Opcode*> rows_of(const Architecture& arch) {
  std::set<const Opcode*> rows;
  for (const Opcode& opcode : opcodes()) {
    if ((opcode.archs & traits(arch.arch).instructions) != 0) rows.insert(&opcode);
  }
  return rows;
}

/// A few probes for each of the rows.
std::vector<llvm::Words> probes_of(const Architecture& arch, const std::set<const Opcode*>& rows,
                                   std::mt19937& random) {
  constexpr unsigned kTries = 32, kEach = 4;
  std::map<const Opcode*, unsigned> chosen;
  std::vector<llvm::Words> probes;
  for (const Shape& shape : shapes()) {
    for (const llvm::Words& words : sensible_probes(shape, kTries, random)) {
      const auto ours = decode(arch.arch, words);
      if (!ours || !rows.contains(ours->opcode) || chosen[ours->opcode]++ >= kEach) continue;
      probes.push_back(words);
    }
  }
  return probes;
}

/// A row that no probe reaches would never be compared.
TEST(Llvm, AgreesOnEveryRowOfTheTables) {
  if (!llvm::is_installed()) GTEST_SKIP() << "llvm-mc-19 is not installed (scripts/setup --full)";
  constexpr int kMostRounds = 40;
  for (const Architecture& arch : kBoth) {
    std::mt19937 random(2);
    std::set<const Opcode*> unseen = rows_of(arch);
    for (int round = 0; round < kMostRounds && !unseen.empty(); ++round) {
      Comparison comparison(arch);
      comparison.run(probes_of(arch, unseen, random));
      EXPECT_TRUE(comparison.differences.empty()) << arch.name << ": " << report(comparison);
      for (const Opcode* opcode : comparison.opcodes) unseen.erase(opcode);
    }
    std::string names;
    for (const Opcode* opcode : unseen) names += fmt::format(" {}", opcode->mnemonic);
    EXPECT_TRUE(unseen.empty()) << arch.name << ": not compared" << names;
  }
}

}  // namespace
}  // namespace rpl::isa
