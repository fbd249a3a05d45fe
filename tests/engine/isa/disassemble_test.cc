// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "engine/isa/code/instruction.h"
#include "engine/isa/code/program_text.h"
#include "engine/process/run.h"
#include "tests/engine/isa/example_objects.h"

namespace rpl::isa {
namespace {

constexpr const char* kObjdump = "llvm-objdump-19";

std::uint32_t next(std::mt19937& random) { return static_cast<std::uint32_t>(random()); }

// The padding behind the code is the same for every kernel.
std::string without_padding(std::string text) {
  text.resize(text.rfind("s_endpgm\n") + 9);
  return text;
}

std::string our_text(const std::string& kernel, const std::string& arch) {
  const auto object = example(kernel, arch);
  const auto text = disassemble_kernel(*object, object->kernels().front());
  EXPECT_TRUE(text.has_value()) << text.error().message;
  return text.value_or("");
}

// The instructions alone: "\tv_add ...   // 000000001234: 00000000 <reduce+0x9c>" becomes "v_add ...".
std::string instructions_of(const std::string& objdump) {
  std::istringstream lines(objdump);
  std::string line, out;
  while (std::getline(lines, line)) {
    if (!line.starts_with('\t')) continue;
    line = line.substr(1, line.find("//") - 1);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Disassemble : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  std::string kernel_ = std::get<0>(GetParam());
  std::string arch_ = std::get<1>(GetParam());
};

TEST_P(Disassemble, EqualsObjdumpForWholeCodeObjects) {
  const auto run_tool =
      run({.argv = {kObjdump, "-d", "--mcpu=" + arch_, example_path(kernel_, arch_)}});
  if (!run_tool || run_tool->code != 0) GTEST_SKIP() << kObjdump << " is not installed";
  EXPECT_EQ(without_padding(our_text(kernel_, arch_)),
            without_padding(instructions_of(run_tool->out.text)));
}

TEST_P(Disassemble, EqualsTheRecordedText) {
  const auto path = fmt::format("{}/expected/{}.{}.s", RPL_ISA_TESTS, kernel_, arch_);
  EXPECT_EQ(without_padding(our_text(kernel_, arch_)), read_file(path));
}

INSTANTIATE_TEST_SUITE_P(Examples, Disassemble,
                         testing::Combine(testing::ValuesIn(kExampleKernels),
                                          testing::ValuesIn(kArchitectures)),
                         [](const auto& pair) {
                           return fmt::format("{}_{}", std::get<0>(pair.param),
                                              std::get<1>(pair.param));
                         });

TEST(Disassemble, EqualsObjdumpForMoreKernels) {
  for (const std::string source : {"instructions", "modelled"}) {
    for (const std::string arch : kArchitectures) {
      const auto object = test_object(source, arch);
      const auto tool =
          run({.argv = {kObjdump, "-d", "--mcpu=" + arch, test_object_path(source, arch)}});
      if (!tool || tool->code != 0) GTEST_SKIP() << kObjdump << " is not installed";
      const std::string expected = instructions_of(tool->out.text);
      for (const auto& kernel : object->kernels()) {
        EXPECT_THAT(expected,
                    testing::HasSubstr(disassemble_kernel(*object, kernel).value_or("failed")));
      }
    }
  }
}

TEST(Decode, AccumulationMovesNameTheirFilesByTheOpcode) {
  const std::array<std::uint32_t, 2> write = {0xD3D94020, 0x18000101},
                                     read = {0xD3D84000, 0x18000120};
  EXPECT_EQ(disassemble(Arch::gfx942, *decode(Arch::gfx942, write)), "v_accvgpr_write_b32 a32, v1");
  EXPECT_EQ(disassemble(Arch::gfx942, *decode(Arch::gfx942, read)), "v_accvgpr_read_b32 v0, a32");
}

// What llvm-mc 19 writes; of random words one in some ten thousand is like that.
TEST(Disassemble, LdsComesFirstWhereItBelongsToTheInstruction) {
  const std::uint32_t stores[] = {0xe0f74000, 0x800d0000};
  EXPECT_EQ(disassemble(Arch::gfx90a, *decode(Arch::gfx90a, stores)),
            "buffer_store_lds_dword s[52:55], 0 lds glc slc");
}

TEST(Decode, SurvivesRandomWords) {
  std::mt19937 random(42);
  std::size_t decoded = 0;
  for (int round = 0; round < 200000; ++round) {
    const std::array<std::uint32_t, 4> words = {next(random), next(random), next(random),
                                                next(random)};
    for (const Arch arch : architectures()) {
      const auto instruction = decode(arch, std::span(words).first(1 + random() % 4));
      if (!instruction) continue;
      ++decoded;
      EXPECT_FALSE(disassemble(arch, *instruction).empty());
    }
  }
  EXPECT_GT(decoded, 100000U);
}

TEST(Opcodes, AreUniqueForEachArchitecture) {
  for (const auto& opcode : opcodes()) {
    for (const Arch arch : architectures()) {
      if ((opcode.archs & traits(arch).instructions) == 0) continue;
      EXPECT_EQ(find_opcode(arch, opcode.encoding, opcode.code), &opcode) << opcode.mnemonic;
    }
  }
}

}  // namespace
}  // namespace rpl::isa
