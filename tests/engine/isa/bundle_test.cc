// SPDX-License-Identifier: MIT
#include "engine/isa/object/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <random>

#include "tests/engine/isa/bundles.h"
#include "tests/engine/isa/example_objects.h"
#include "tests/support/temp_dir.h"

namespace rpl::isa {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHost = "host-x86_64-unknown-linux-gnu-",
                           kGfx90a = "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-",
                           kGfx942 = "hipv4-amdgcn-amd-amdhsa--gfx942",
                           kGfx1100 = "hipv4-amdgcn-amd-amdhsa--gfx1100";

Bytes code(const std::string& kernel, const std::string& arch) {
  const auto object = example(kernel, arch);
  return {object->bytes().begin(), object->bytes().end()};
}

Bytes both_of(const std::string& kernel) {
  return bundle_of({{kHost, {}},
                    {kGfx1100, Bytes(100)},
                    {kGfx90a, code(kernel, "gfx90a")},
                    {kGfx942, code(kernel, "gfx942")}});
}

Bytes squeezed(const Bytes& plain, std::uint16_t method) {
  if (method == 1) {
    Bytes out(::ZSTD_compressBound(plain.size()));
    out.resize(::ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
    return out;
  }
  uLongf size = ::compressBound(plain.size());
  Bytes out(size);
  ::compress(reinterpret_cast<Bytef*>(out.data()), &size,
             reinterpret_cast<const Bytef*>(plain.data()), plain.size());
  out.resize(size);
  return out;
}

Bytes compressed(const Bytes& plain, std::uint16_t version, std::uint16_t method) {
  const Bytes data = squeezed(plain, method);
  Bytes out;
  append_text(out, "CCOB");
  append(out, version);
  append(out, method);
  const std::size_t head = version == 1 ? 20 : version == 2 ? 24 : 32;
  if (version == 2) append(out, static_cast<std::uint32_t>(head + data.size()));
  if (version == 3) append(out, std::uint64_t{head + data.size()});
  if (version == 3) {
    append(out, std::uint64_t{plain.size()});
  } else {
    append(out, static_cast<std::uint32_t>(plain.size()));
  }
  append(out, std::uint64_t{0x1234567812345678});
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

/// An x86-64 program with nothing but a section of this name and its contents.
Bytes program_with(std::string_view section, const Bytes& contents) {
  Bytes out;
  append(out, std::array<std::uint8_t, 16>{0x7f, 'E', 'L', 'F', 2, 1, 1});
  const std::string names = '\0' + std::string(section) + '\0';
  const std::uint64_t at = 64, names_at = at + contents.size(),
                      headers_at = names_at + names.size();
  append(out, std::array<std::uint16_t, 2>{3, 62});
  append(out, std::uint32_t{1});
  append(out, std::array<std::uint64_t, 3>{0, 0, headers_at});
  append(out, std::uint32_t{0});
  append(out, std::array<std::uint16_t, 6>{64, 56, 0, 64, 3, 2});
  out.insert(out.end(), contents.begin(), contents.end());
  append_text(out, names);
  const auto header = [&](std::uint32_t name, std::uint32_t type, std::uint64_t offset,
                          std::uint64_t size) {
    append(out, std::array<std::uint32_t, 2>{name, type});
    append(out, std::array<std::uint64_t, 4>{0, 0, offset, size});
    append(out, std::array<std::uint32_t, 2>{0, 0});
    append(out, std::array<std::uint64_t, 2>{1, 0});
  };
  header(0, 0, 0, 0);
  header(1, 1, at, contents.size());
  header(0, 3, names_at, names.size());
  return out;
}

std::vector<std::string> targets(const Bytes& file) {
  const auto all = code_objects_in(ByteView(file));
  EXPECT_TRUE(all.has_value()) << all.error().message;
  std::vector<std::string> names;
  if (all) {
    for (const Embedded& one : *all) names.emplace_back(one.target());
  }
  return names;
}

TEST(Bundle, ListsDeviceCodeAlone) {
  EXPECT_EQ(targets(both_of("reduce")), (std::vector<std::string>{"gfx1100", "gfx90a", "gfx942"}));
}

TEST(Bundle, EveryVersionAndMethodOfCompression) {
  const Bytes plain = both_of("softmax");
  for (const std::uint16_t version : std::initializer_list<std::uint16_t>{1, 2, 3}) {
    for (const std::uint16_t method : std::initializer_list<std::uint16_t>{0, 1}) {
      SCOPED_TRACE(fmt::format("version {}, method {}", version, method));
      const Bytes file = compressed(plain, version, method);
      EXPECT_LT(file.size(), plain.size());
      const auto object = CodeObject::parse(file, "gfx942");
      ASSERT_TRUE(object.has_value()) << object.error().message;
      EXPECT_EQ((*object)->hash(), example("softmax", "gfx942")->hash());
    }
  }
}

TEST(Bundle, RefusesForgedSizes) {
  const Bytes file = compressed(both_of("softmax"), 2, 1);
  for (std::size_t at = 4; at < 24; ++at) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      Bytes forged = file;
      forged[at] = static_cast<std::byte>(value);
      static_cast<void>(CodeObject::parse(forged));
    }
  }
  for (std::size_t size = 0; size < file.size(); size += 11) {
    EXPECT_FALSE(CodeObject::parse({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)})
                     .has_value())
        << size;
  }
}

TEST(Bundle, ProgramsHoldOneBundleForEachSource) {
  Bytes section = both_of("reduce");
  section.resize((section.size() + 4095) / 4096 * 4096 + 4096);
  const Bytes second = compressed(both_of("softmax"), 2, 1);
  section.insert(section.end(), second.begin(), second.end());
  section.resize(section.size() + 500);
  const Bytes program = program_with(".hip_fatbin", section);
  EXPECT_EQ(targets(program), (std::vector<std::string>{"gfx1100", "gfx90a", "gfx942", "gfx1100",
                                                        "gfx90a", "gfx942"}));
  const auto any = CodeObject::parse(program);
  ASSERT_FALSE(any.has_value());
  EXPECT_EQ(any.error().code, Errc::ambiguous);
  EXPECT_THAT(any.error().message,
              HasSubstr("2 code objects for gfx90a with the kernels reduce, softmax"));
  const auto sixth = CodeObject::parse(program, "6");
  ASSERT_TRUE(sixth.has_value()) << sixth.error().message;
  EXPECT_EQ((*sixth)->hash(), example("softmax", "gfx942")->hash());
  EXPECT_EQ(CodeObject::parse(program, "7").error().code, Errc::not_found);
  EXPECT_EQ(CodeObject::parse(program, "gfx908").error().code, Errc::not_found);
  EXPECT_EQ(CodeObject::parse(program, "1").error().code, Errc::corrupt)
      << "gfx1100 is not an ELF file here";
}

TEST(Bundle, APathMayChooseOne) {
  const testing_support::TempDir folder;
  const std::string path = folder / "app";
  const Bytes program = program_with(".hip_fatbin", both_of("reduce"));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(program.data()),
             static_cast<std::streamsize>(program.size()));
  EXPECT_EQ((*CodeObject::open(path))->arch(), Arch::gfx90a);
  EXPECT_EQ((*CodeObject::open(path + "#gfx942"))->arch(), Arch::gfx942);
  EXPECT_EQ((*CodeObject::open(path + "#3"))->arch(), Arch::gfx942);
  EXPECT_EQ(CodeObject::open(path + "2#3").error().code, Errc::not_found);
}

TEST(Bundle, SurvivesMutatedPrograms) {
  std::mt19937 random(20260102);
  const Bytes whole = program_with(".hip_fatbin", both_of("reduce"));
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = whole;
    for (std::uint32_t i = 0; i < 1 + random() % 6; ++i) {
      const bool heads = random() % 2 == 0;
      bytes[heads ? random() % 300 : bytes.size() - 1 - random() % 300] =
          static_cast<std::byte>(random());
    }
    static_cast<void>(CodeObject::parse(std::move(bytes), "gfx942"));
  }
}

TEST(Bundle, EveryLengthFieldOfACodeObjectCorruptedInTurn) {
  const Bytes whole = code("reduce", "gfx942");
  std::size_t refused = 0;
  for (std::size_t at = 0; at + 4 <= whole.size(); at += 4) {
    for (const std::uint32_t value : {0U, 1U, 0x7fffffffU, 0xffffffffU}) {
      Bytes bytes = whole;
      std::memcpy(&bytes[at], &value, sizeof(value));
      const auto object = CodeObject::parse(std::move(bytes));
      refused += object ? 0 : 1;
      if (object) static_cast<void>((*object)->source_lines());
    }
  }
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace rpl::isa
