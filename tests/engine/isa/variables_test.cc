// SPDX-License-Identifier: MIT
#include "engine/isa/variables/variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/isa/example_objects.h"

namespace rpl::isa {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

/// Of clang 19 with DWARF 5 and with DWARF 4, and of a newer one.
constexpr std::array<const char*, 3> kObjects = {"gfx90a", "gfx942", "gfx950"};

std::shared_ptr<const CodeObject> variables_object(const std::string& arch) {
  return object_at(fmt::format("{}/kernels/objects/variables.{}.co", RPL_ISA_TESTS, arch));
}

std::vector<std::string> names(const std::vector<SourceVariable>& list) {
  std::vector<std::string> out;
  for (const SourceVariable& one : list) out.push_back(one.name);
  return out;
}

class VariablesOf : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    object = variables_object(GetParam());
    auto read = Variables::read(object);
    ASSERT_TRUE(read) << read.error().message;
    variables = *read;
    kernel = *object->kernel("scale");
  }
  /// The innermost frame of a function at some instruction where that has a place for the variable.
  std::optional<std::pair<VariableFrame, std::uint64_t>> frame_with(const std::string& function,
                                                                    const std::string& name) {
    for (const Symbol& symbol : object->elf().symbols) {
      if (symbol.kind != Symbol::Kind::function) continue;
      for (std::uint64_t at = symbol.address; at < symbol.address + symbol.size; at += 4) {
        for (const VariableFrame& frame : variables->frames(at)) {
          if (frame.function != function) continue;
          for (const SourceVariable& one : frame.locals) {
            if (one.name == name && one.in_scope && variables->is_somewhere(one, at))
              return std::pair(frame, at);
          }
        }
      }
    }
    return std::nullopt;
  }
  std::shared_ptr<const CodeObject> object;
  std::shared_ptr<Variables> variables;
  const Kernel* kernel = nullptr;
};

TEST_P(VariablesOf, AreThoseOfTheSource) {
  EXPECT_FALSE(variables->empty());
  const auto frames = variables->frames(kernel->entry);
  ASSERT_FALSE(frames.empty());
  const VariableFrame& frame = frames.back();
  EXPECT_EQ(frame.function, "scale<float, 4>");
  EXPECT_THAT(names(frame.parameters), ElementsAre("in", "out", "rows", "columns", "pair"));
  EXPECT_THAT(names(frame.locals),
              IsSupersetOf({"tile", "row", "x", "point", "kind", "bits", "flags", "mask", "grid",
                            "sum", "wide", "walked"}));
  EXPECT_TRUE(variables->names("distance") == false && variables->names("walked"));
  EXPECT_TRUE(variables->frames(0).empty());
}

TEST_P(VariablesOf, FunctionsHaveTheTypesOfTheSource) {
  const auto text = [&](std::string_view name) {
    const auto found = variables->functions(name);
    return found.empty() ? "none" : declared_text(found.front().second);
  };
  EXPECT_EQ(text("scale"), "void (const float *, float *, int, int, Pair)");
  EXPECT_EQ(text("scale<float, 4>"), text("scale"));
  EXPECT_EQ(text("walk"), "float (const int *, int)");
  EXPECT_EQ(text("sum_of<float>"), "float (const float *, int)") << "inlined everywhere";
  EXPECT_EQ(text("scale<double, 4>"), "none");
  EXPECT_EQ(text("nosuch"), "none");
}

TEST_P(VariablesOf, FramesAreThoseOfTheLines) {
  const auto lines = object->source_lines();
  ASSERT_TRUE(lines);
  for (std::uint64_t at = kernel->entry; at < kernel->entry + kernel->code_bytes; at += 4) {
    const auto chain = lines->chain(at);
    const auto frames = variables->frames(at);
    if (chain.empty()) continue;
    ASSERT_EQ(chain.size(), frames.size()) << at;
    for (std::size_t i = 0; i < chain.size(); ++i)
      EXPECT_EQ(chain[i].function, frames[i].function) << at;
  }
}

TEST_P(VariablesOf, InlinedFunctionsHaveTheirOwn) {
  const auto found = frame_with("sum_of<float>", "value");
  ASSERT_TRUE(found);
  EXPECT_THAT(names(found->first.parameters), ElementsAre("row", "columns"))
      << "also those that are optimized out";
  EXPECT_THAT(names(found->first.locals), IsSupersetOf({"value", "i", "sum"}));
}

TEST_P(VariablesOf, HaveTypes) {
  const SourceType* pair = variables->type("Pair");
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->kind, SourceType::Kind::structure);
  EXPECT_EQ(pair->bytes, 32U);
  ASSERT_EQ(pair->members.size(), 3U);
  EXPECT_TRUE(pair->members[0].is_base);
  EXPECT_EQ(pair->members[1].name, "n");
  EXPECT_EQ(pair->members[1].offset, 12U);
  EXPECT_EQ(pair->members[1].type->count, 2U);
  EXPECT_EQ(plain_type(pair->members[2].type->of), variables->type("Point")) << "const Point *";
  const SourceType* flags = variables->type("Flags");
  ASSERT_NE(flags, nullptr);
  EXPECT_EQ(flags->members[1].bits, 5U);
  EXPECT_EQ(flags->members[1].bit_offset, 3U);
  const SourceType* kind = variables->type("Kind");
  ASSERT_NE(kind, nullptr);
  EXPECT_TRUE(kind->is_scoped);
  EXPECT_EQ(kind->enumerators.back().value, 4);
  EXPECT_EQ(variables->type("Nothing"), nullptr);
  const auto frames = variables->frames(kernel->entry);
  for (const SourceVariable& one : frames.back().locals) {
    if (one.name != "grid") continue;
    EXPECT_EQ(one.type->count, 3U);
    EXPECT_EQ(one.type->of->count, 4U) << "an array of arrays";
  }
}

TEST_P(VariablesOf, AreInRegistersPrivateMemoryAndLds) {
  const LocationNeeds needs{
      .read_register = [](MachineRegister) -> std::optional<std::uint64_t> { return 0; },
      .read_memory = [](VariablePart::Space, std::uint64_t,
                        unsigned) -> std::optional<std::uint64_t> { return 0; }};
  const auto parts = [&](const std::string& function, const std::string& name) {
    const auto found = frame_with(function, name);
    EXPECT_TRUE(found || name == "tile") << name;
    if (!found) return std::vector<VariablePart>(1);
    for (const SourceVariable& one : found->first.locals) {
      if (one.name == name && one.in_scope)
        return variables->locate(found->first, one, found->second, needs);
    }
    return std::vector<VariablePart>(1);
  };
  const auto row = parts("scale<float, 4>", "row");
  EXPECT_EQ(row[0].kind, VariablePart::Kind::in_register);
  EXPECT_EQ(row[0].where.kind, MachineRegister::Kind::vector);
  const auto tile = parts("scale<float, 4>", "tile");
  // The newer clang does not describe LDS.
  if (tile[0].kind != VariablePart::Kind::missing) {
    EXPECT_EQ(tile[0].space, VariablePart::Space::group);
    EXPECT_EQ(tile[0].address, 0U);
  }
  const auto own = parts("walk", "own");
  EXPECT_EQ(own[0].kind, VariablePart::Kind::memory);
  EXPECT_EQ(own[0].space, VariablePart::Space::lane);
}

TEST_P(VariablesOf, FilesHaveSomeToo) {
  EXPECT_THAT(names(variables->globals()), IsSupersetOf({"counter", "steps"}));
}

INSTANTIATE_TEST_SUITE_P(Objects, VariablesOf, testing::ValuesIn(kObjects));

TEST(Variables, AreNoneWithoutThem) {
  const auto none = Variables::read(example("softmax", "gfx90a"));
  ASSERT_TRUE(none);
  EXPECT_TRUE((*none)->empty());
  const auto lines =
      Variables::read(object_at(std::string(RPL_ISA_TESTS) + "/../../habits/objects/k.gfx942.co"));
  ASSERT_TRUE(lines);
  EXPECT_TRUE((*lines)->empty());
}

/// Everything that can be asked, of an object with some bytes changed; errors or answers, never more.
void ask_everything(std::vector<std::byte> bytes) {
  const auto object = CodeObject::parse(std::move(bytes));
  if (!object) return;
  const auto read = Variables::read(*object);
  if (!read) return;
  Variables& variables = **read;
  const LocationNeeds needs{
      .read_register = [](MachineRegister) -> std::optional<std::uint64_t> { return 64; },
      .read_memory = [](VariablePart::Space, std::uint64_t,
                        unsigned) -> std::optional<std::uint64_t> { return 1; }};
  for (const Kernel& kernel : (*object)->kernels()) {
    for (std::uint64_t at = kernel.entry; at < kernel.entry + 0x400; at += 0x40) {
      for (const VariableFrame& frame : variables.frames(at)) {
        for (const auto* list : {&frame.locals, &frame.parameters}) {
          for (const SourceVariable& one : *list) (void)variables.locate(frame, one, at, needs);
        }
      }
    }
  }
  (void)variables.globals();
  (void)variables.type("Pair");
}

TEST(Variables, SurviveDamage) {
  for (const char* arch : {"gfx90a", "gfx942"}) {
    const auto object = variables_object(arch);
    const auto sound = object->bytes();
    const DebugSections& debug = object->elf().debug;
    constexpr std::array kChanges = {0x01U, 0x80U, 0xffU, 0x10U};
    for (const ByteView& section : {debug.info, debug.abbrev, debug.addr, debug.loclists, debug.loc,
                                    debug.rnglists, debug.ranges}) {
      if (section.size() == 0) continue;
      const auto first = static_cast<std::size_t>(section.bytes().data() - sound.data());
      // Coprime to the sizes of fields.
      const std::size_t step = std::max<std::size_t>(section.size() / 97, 1) | 1U;
      for (std::size_t at = first; at < first + section.size(); at += step) {
        std::vector<std::byte> bytes(sound.begin(), sound.end());
        bytes[at] ^= static_cast<std::byte>(kChanges[at % kChanges.size()]);
        ask_everything(std::move(bytes));
      }
    }
  }
}

TEST(DeclaredText, IsWrittenAsGdbDoes) {
  const SourceType number{.kind = SourceType::Kind::base, .name = "int"};
  const SourceType fixed{.kind = SourceType::Kind::constant, .of = &number};
  const SourceType pointer{.kind = SourceType::Kind::pointer, .of = &fixed};
  const SourceType fixed_pointer{.kind = SourceType::Kind::constant, .of = &pointer};
  const SourceType row{.kind = SourceType::Kind::array, .of = &number, .count = 4};
  const SourceType to_row{.kind = SourceType::Kind::pointer, .of = &row};
  const SourceType reference{.kind = SourceType::Kind::reference, .keyword = "&", .of = &fixed};
  const SourceType function{.kind = SourceType::Kind::function,
                            .of = &number,
                            .members = {{.type = &reference}, {.type = &to_row}}};
  const SourceType to_function{.kind = SourceType::Kind::pointer, .of = &function};
  const SourceType nothing_taken{.kind = SourceType::Kind::function};
  EXPECT_EQ(declared_text(nullptr), "void");
  EXPECT_EQ(declared_text(&fixed_pointer), "const int * const");
  EXPECT_EQ(declared_text(&row), "int [4]");
  EXPECT_EQ(declared_text(&function), "int (const int &, int (*)[4])");
  EXPECT_EQ(declared_text(&to_function), "int (*)(const int &, int (*)[4])");
  EXPECT_EQ(declared_text(&nothing_taken), "void (void)");
  // A type of damaged debug information may be made of itself.
  SourceType circle{.kind = SourceType::Kind::function};
  circle.of = &circle;
  circle.members.assign(100, {.type = &circle});
  EXPECT_LT(declared_text(&circle).size(), 100'000U);
}

}  // namespace
}  // namespace rpl::isa
