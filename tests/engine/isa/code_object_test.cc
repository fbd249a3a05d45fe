// SPDX-License-Identifier: MIT
#include "engine/isa/object/code_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/engine/isa/bundles.h"
#include "tests/engine/isa/example_objects.h"

namespace rpl::isa {
namespace {

using ::testing::HasSubstr;

std::vector<std::byte> bytes_of(const CodeObject& object) {
  return {object.bytes().begin(), object.bytes().end()};
}

TEST(CodeObject, ReadsResourcesOfTheTiledMatmul) {
  const auto object = example("matmul", "gfx942");
  const auto kernel = object->kernel("matmul");
  ASSERT_TRUE(kernel.has_value());
  EXPECT_EQ(object->arch(), Arch::gfx942);
  EXPECT_EQ((*kernel)->kernarg_bytes, 36U);
  EXPECT_EQ((*kernel)->lds_bytes, 2048U);
  EXPECT_EQ((*kernel)->scratch_bytes, 0U);
  EXPECT_EQ((*kernel)->wave_size, 64U);
  EXPECT_EQ((*kernel)->entry, 0x1700U);
  EXPECT_GT((*kernel)->vgprs, 0U);
}

TEST(CodeObject, ListsExplicitArgumentsInOrder) {
  const auto object = example("vector_add", "gfx90a");
  const auto kernel = object->kernel("vector_add");
  ASSERT_TRUE(kernel.has_value());
  const auto arguments = (*kernel)->explicit_arguments();
  ASSERT_EQ(arguments.size(), 4U);
  EXPECT_EQ(arguments[2].offset, 16U);
  EXPECT_EQ(arguments[2].kind, KernelArgument::Kind::global_buffer);
  EXPECT_EQ(arguments[3].size, 4U);
  EXPECT_EQ(arguments[3].kind, KernelArgument::Kind::by_value);
}

// Objects of libraries have tens of thousands of symbols, so that they are looked up in an order; it must give what looking at all of them gives.
TEST(CodeObject, FindsSymbolsByNameAndByAddress) {
  for (const auto* name : kExampleKernels) {
    const auto object = example(name, "gfx90a");
    const auto& all = object->elf().symbols;
    EXPECT_EQ(object->symbol(std::string(name) + ".none"), nullptr);
    for (const Symbol& symbol : all) {
      EXPECT_EQ(object->symbol(symbol.name), &*std::ranges::find(all, symbol.name, &Symbol::name));
      for (const std::uint64_t address :
           {symbol.address - 4, symbol.address, symbol.address + 4, symbol.address + symbol.size}) {
        const Symbol* innermost = nullptr;
        for (const Symbol& each : all) {
          const bool covers =
              each.kind == Symbol::Kind::function && address - each.address < each.size;
          if (covers && (innermost == nullptr || each.address > innermost->address))
            innermost = &each;
        }
        EXPECT_EQ(object->function_at(address), innermost) << symbol.name << " " << address;
      }
    }
  }
}

TEST(CodeObject, DecodesTheDescriptorOfEveryExample) {
  for (const auto* arch : kArchitectures) {
    for (const auto* name : kExampleKernels) {
      SCOPED_TRACE(fmt::format("{} {}", name, arch));
      const auto object = example(name, arch);
      ASSERT_EQ(object->kernels().size(), 1U);
      const Kernel& kernel = object->kernels().front();
      EXPECT_TRUE(kernel.descriptor.kernarg_pointer);
      EXPECT_TRUE(kernel.descriptor.workgroup_id_x);
      EXPECT_EQ(kernel.descriptor.lds_bytes, kernel.lds_bytes);
      EXPECT_GE(kernel.descriptor.vgprs, kernel.vgprs);
      EXPECT_EQ(kernel.descriptor.denormal_mode, 0xf);
    }
  }
}

TEST(CodeObject, NamesItsKernelsWhenOneIsNotFound) {
  const auto missing = example("reduce", "gfx90a")->kernel("nope");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_THAT(missing.error().hint, HasSubstr("reduce"));
}

TEST(CodeObject, TakesOneArchitectureOutOfABundle) {
  const auto plain = example("reduce", "gfx90a");
  const auto bundle = bundle_of({{"hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+", bytes_of(*plain)}});
  const auto object = CodeObject::parse(bundle, "gfx90a");
  ASSERT_TRUE(object.has_value()) << object.error().message;
  EXPECT_EQ((*object)->hash(), plain->hash());
}

TEST(CodeObject, NamesWhatABundleHoldsWhenTheArchitectureIsMissing) {
  const auto bundle =
      bundle_of({{"hipv4-amdgcn-amd-amdhsa--gfx1100", bytes_of(*example("reduce", "gfx90a"))}});
  const auto object = CodeObject::parse(bundle);
  ASSERT_FALSE(object.has_value());
  EXPECT_EQ(object.error().code, Errc::not_found);
  EXPECT_THAT(object.error().hint, HasSubstr("gfx1100"));
}

TEST(CodeObject, RefusesTheHostProgram) {
  const auto object = CodeObject::open("/proc/self/exe");
  ASSERT_FALSE(object.has_value());
  EXPECT_EQ(object.error().code, Errc::not_found);
  EXPECT_THAT(object.error().message, HasSubstr("a host program without device code"));
}

TEST(CodeObject, RefusesAFolder) {
  const auto object = CodeObject::open("/proc/self/fd");
  ASSERT_FALSE(object.has_value());
  EXPECT_EQ(object.error().code, Errc::io);
  EXPECT_THAT(object.error().message, HasSubstr("/proc/self/fd is a folder, not a file"));
}

TEST(CodeObject, RefusesEveryTruncation) {
  const auto whole = bytes_of(*example("reduce", "gfx90a"));
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const auto object =
        CodeObject::parse({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    ASSERT_FALSE(object.has_value()) << size;
  }
}

TEST(CodeObject, SurvivesMutatedFiles) {
  std::mt19937 random(20260101);
  const auto whole = bytes_of(*example("histogram", "gfx942"));
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    auto bytes = whole;
    const auto changes = 1 + random() % 8;
    for (std::uint32_t i = 0; i < changes; ++i)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    refused += CodeObject::parse(std::move(bytes)).has_value() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace rpl::isa
