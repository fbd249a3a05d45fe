// SPDX-License-Identifier: MIT
// The decoder and the disassembler beside LLVM's, over all encodings.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
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
constexpr Architecture kEach[] = {
    {Arch::gfx90a, "gfx90a"}, {Arch::gfx942, "gfx942"}, {Arch::gfx950, "gfx950"}};

struct Difference {
  std::string wanted, found;
  llvm::Words words;
};

/// What LLVM writes for some words.
struct Recorded {
  llvm::Words words;
  std::string text;
  std::uint8_t bytes;
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
      recorded.push_back({probes[i], decoded[i]->text, decoded[i]->bytes});
      if (text != decoded[i]->text || ours->bytes != decoded[i]->bytes)
        differences.push_back({decoded[i]->text, text, probes[i]});
    }
  }

  std::size_t compared = 0;
  std::set<const Opcode*> opcodes;  ///< that were compared
  std::vector<Difference> differences;
  std::vector<Recorded> recorded;

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
  for (const Architecture& arch : kEach) {
    if (!llvm::is_installed(arch.name)) {
      std::cout << "no llvm-mc for " << arch.name << " is installed (scripts/setup --full)\n";
      continue;
    }
    for (const Shape& shape : shapes()) {
      std::mt19937 random(1);
      const auto probes = make(shape, count, random);
      Comparison comparison(arch);
      comparison.run(probes);
      EXPECT_TRUE(comparison.differences.empty())
          << arch.name << " " << shape.name << ": " << report(comparison);
      // Of most encodings half of the opcodes are none, of some all.
      const bool has_any = std::ranges::any_of(
          probes, [&](const llvm::Words& words) { return decode(arch.arch, words).has_value(); });
      if (!has_any) continue;
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
  constexpr unsigned kTries = 32, kProbes = 4;
  std::map<const Opcode*, unsigned> chosen;
  std::vector<llvm::Words> probes;
  for (const Shape& shape : shapes()) {
    for (const llvm::Words& words : sensible_probes(shape, kTries, random)) {
      const auto ours = decode(arch.arch, words);
      if (!ours || !rows.contains(ours->opcode) || chosen[ours->opcode]++ >= kProbes) continue;
      probes.push_back(words);
    }
  }
  return probes;
}

/// Where texts are to be written for machines without this LLVM: RPL_RECORDED_TEXTS in the environment names the folder.
void keep(const Architecture& arch, const std::vector<Recorded>& recorded) {
  const char* folder = std::getenv("RPL_RECORDED_TEXTS");
  if (folder == nullptr) return;
  std::ofstream out(fmt::format("{}/texts.{}.txt", folder, arch.name), std::ios::app);
  for (const auto& [words, text, bytes] : recorded) {
    for (unsigned i = 0; i < bytes / 4U; ++i) out << fmt::format("{:08x} ", words[i]);
    out << text << '\n';
  }
}

/// A row that no probe reaches would never be compared.
TEST(Llvm, AgreesOnEveryRowOfTheTables) {
  constexpr int kMostRounds = 40;
  for (const Architecture& arch : kEach) {
    if (!llvm::is_installed(arch.name)) {
      std::cout << "no llvm-mc for " << arch.name << " is installed (scripts/setup --full)\n";
      continue;
    }
    std::mt19937 random(2);
    std::set<const Opcode*> unseen = rows_of(arch);
    for (int round = 0; round < kMostRounds && !unseen.empty(); ++round) {
      Comparison comparison(arch);
      comparison.run(probes_of(arch, unseen, random));
      EXPECT_TRUE(comparison.differences.empty()) << arch.name << ": " << report(comparison);
      for (const Opcode* opcode : comparison.opcodes) unseen.erase(opcode);
      keep(arch, comparison.recorded);
    }
    std::string names;
    for (const Opcode* opcode : unseen) names += fmt::format(" {}", opcode->mnemonic);
    EXPECT_TRUE(unseen.empty()) << arch.name << ": not compared" << names;
  }
}

/// The same without LLVM, from what version 22 wrote.
TEST(Llvm, WroteTheseTextsForEveryRow) {
  constexpr Arch kArch = Arch::gfx950;
  std::ifstream file(fmt::format("{}/expected/texts.{}.txt", RPL_ISA_TESTS, to_string(kArch)));
  std::set<const Opcode*> seen;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::uint32_t> words;
    std::size_t at = 0;
    for (; at + 9 <= line.size() && line.find_first_not_of("0123456789abcdef", at) == at + 8;
         at += 9)
      words.push_back(static_cast<std::uint32_t>(std::stoul(line.substr(at, 8), nullptr, 16)));
    const auto ours = decode(kArch, words);
    ASSERT_TRUE(ours) << line;
    EXPECT_EQ(disassemble(kArch, *ours), line.substr(at));
    EXPECT_EQ(ours->bytes, words.size() * 4) << line;
    seen.insert(ours->opcode);
  }
  for (const Opcode* opcode : rows_of({kArch, "gfx950"}))
    EXPECT_TRUE(seen.contains(opcode)) << opcode->mnemonic;
}

TEST(Decode, WhatGfx950LostIsNoInstruction) {
  for (const std::uint32_t code :
       {0x3eU, 0x3fU}) {  // v_mfma_f32_16x16x8_xf32, v_mfma_f32_32x32x4_xf32
    const std::array<std::uint32_t, 2> words = {0xd3800000U | code << 16, 0x04020100U};
    EXPECT_TRUE(decode(Arch::gfx942, words));
    EXPECT_FALSE(decode(Arch::gfx950, words));
  }
}

}  // namespace
}  // namespace rpl::isa
