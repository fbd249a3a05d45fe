// SPDX-License-Identifier: MIT
#include "shell/core/command/define.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace rpl {
namespace {

// This folder passes contexts on and knows none; the handlers do not look at it.
Document result_of(const Command& command, const Arguments& given) {
  std::max_align_t place;
  return command.run(reinterpret_cast<Context&>(place), given).value();
}

struct Common {
  std::string file;
  std::int64_t width = 80;
};
struct Own {
  std::optional<double> clock;
  std::vector<std::string> names;
};
struct Both : Own, Common {
  bool loud = false;
};

std::vector<Bound> common_options() {
  return {option("file", &Common::file, "where to").or_letter('o'),
          option("width", &Common::width, "columns")};
}

Result<Document> echo(const Both& args) {
  Document out;
  out.set("file", args.file);
  out.set("width", args.width);
  out.set("clock", args.clock);
  out.set("names", args.names.size());
  out.set("loud", args.loud);
  return out;
}

Command test() {
  Command command;
  command.path = "test";
  return command;
}

Command made() {
  return command<Both>(test(),
                       joined(inherited<Both, Common>(common_options()),
                              joined(inherited<Both, Own>({option("clock", &Own::clock, "in MHz"),
                                                           arg("name", &Own::names, "several")}),
                                     {flag("loud", &Both::loud, "or not")})),
                       echo);
}

TEST(Define, PutsEachValueIntoItsMemberAlsoOfTheSecondBase) {
  const Document out = result_of(made(), {{"file", Value("a.svg")},
                                          {"width", Value(std::int64_t{120})},
                                          {"clock", Value(1.5)},
                                          {"name", Value(List{Value("x"), Value("y")})},
                                          {"loud", Value(true)}});
  EXPECT_EQ(*out.get("file"), Value("a.svg"));
  EXPECT_EQ(*out.get("width"), Value(120));
  EXPECT_EQ(*out.get("clock"), Value(1.5));
  EXPECT_EQ(*out.get("names"), Value(2));
  EXPECT_EQ(*out.get("loud"), Value(true));
}

TEST(Define, LeavesWhatWasNotGivenAsTheStructHasIt) {
  const Document out = result_of(made(), {{"file", Value()}});
  EXPECT_EQ(*out.get("file"), Value(""));
  EXPECT_EQ(*out.get("width"), Value(80));
  EXPECT_TRUE(out.get("clock")->is_null());
  EXPECT_EQ(*out.get("loud"), Value(false));
}

TEST(Define, TakesTypesAndDefaultsFromTheMembers) {
  const Command command = made();
  EXPECT_EQ(command.param("width")->type, ParamType::integer);
  EXPECT_EQ(command.param("width")->default_value, Value(80));
  EXPECT_EQ(command.param("clock")->type, ParamType::number);
  EXPECT_TRUE(command.param("clock")->default_value.is_null());
  EXPECT_TRUE(command.param("name")->repeated);
  EXPECT_EQ(command.param("file")->letter, 'o');
  EXPECT_EQ(command.param("loud")->kind, ParamKind::flag);
}

TEST(Define, RefusesAParameterOfAnotherStruct) {
  EXPECT_THROW(command<Both>(test(), common_options(), echo), std::logic_error);
  EXPECT_THROW((inherited<Both, Own>(common_options())), std::logic_error);
}

}  // namespace
}  // namespace rpl
