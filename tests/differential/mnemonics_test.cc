// SPDX-License-Identifier: MIT
// What clang makes of the kernels in this tree and of random functions is nothing that the emulator would refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "engine/device/execute/launch/program.h"
#include "tests/differential/compiled.h"
#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

using ::testing::IsEmpty;

/// The instructions of every kernel that the emulator has no semantics for, as text.
std::set<std::string> unsupported_in(const isa::CodeObject& object) {
  std::set<std::string> found;
  if (object.kernels().empty()) return found;
  // A program holds the whole segment of its kernel.
  const auto program = emu::make_program(object, object.kernels().front());
  for (const isa::Located& located : program->text) {
    const isa::Instruction& instruction = located.instruction;
    if (instruction.opcode->archs == 0) continue;  // data, or behind the end
    if (emu::fidelity_of(object.arch(), instruction) == emu::Fidelity::unsupported)
      found.insert(isa::disassemble(object.arch(), instruction));
  }
  return found;
}

TEST(Mnemonics, OfTheCodeObjectsInTheTreeAreAllSupported) {
  std::size_t objects = 0;
  for (const char* folder :
       {"examples/hip/objects", "tests/engine/device/execute/kernels/objects"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(RPL_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".co") continue;
      const auto object = isa::CodeObject::open(entry.path().string());
      ASSERT_TRUE(object) << entry.path();
      auto unsupported = unsupported_in(**object);
      unsupported.erase(
          "ds_gws_sema_v gds");  // tests/engine/device/execute/kernels/memory.hip has it to see it refused
      EXPECT_THAT(unsupported, IsEmpty()) << entry.path();
      ++objects;
    }
  }
  EXPECT_GE(objects, 16U);
}

TEST(Mnemonics, OfRandomFunctionsAreAllSupported) {
  if (!clang_is_there()) GTEST_SKIP() << "clang-19 is missing (scripts/setup --full)";
  char folder[] = "/tmp/rpl-mnemonics-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  // LLVM fails on some functions, and then on all that it compiles with them.
  constexpr std::uint64_t kGroups = 8, kFunctionsOfGroup = 8;
  std::size_t compiled = 0;
  for (std::uint64_t group = 0; group < kGroups; ++group) {
    std::vector<Function> functions;
    for (std::uint64_t i = 0; i < kFunctionsOfGroup; ++i)
      functions.push_back(
          random_function(group * kFunctionsOfGroup + i, fmt::format("f{}", i), {}));
    const Target target = group % 2 == 0 ? Target::gfx90a : Target::gfx942;
    const int level = group % 4 < 2 ? 0 : 2;
    const auto object = compile_device(module_text(functions, target), target, level,
                                       fmt::format("{}/batch", folder));
    if (!object) continue;
    ++compiled;
    EXPECT_THAT(unsupported_in(**object), IsEmpty()) << to_string(target) << " at -O" << level;
  }
  EXPECT_GE(compiled, kGroups / 2);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rpl::differential
