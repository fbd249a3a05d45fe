// SPDX-License-Identifier: MIT
#include "shell/reference/manual.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "tests/shell/commands/fixture.h"

#include <nlohmann/json.hpp>
#include <set>

namespace rpl {
namespace {

using nlohmann::json;
using testing_support::ShellTest;

class ManualTest : public ShellTest {
 protected:
  static std::string text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::filesystem::path docs(std::string_view below) {
    return std::filesystem::path(RPL_SOURCE_DIR) / "docs" / below;
  }
  /// Names of the files of a folder, with their content.
  static std::map<std::string, std::string> files(const std::filesystem::path& from) {
    std::map<std::string, std::string> found;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(from, absent)) {
      found[entry.path().filename().string()] = text(entry.path());
    }
    return found;
  }
};

constexpr const char* kRegenerate =
    "regenerate with: rpl maint docs docs/commands; rpl maint schemas docs/schemas; rpl maint "
    "promises tests/schemas/promises.txt";

TEST_F(ManualTest, CheckedInPagesAreCurrent) {
  shown("maint docs out");
  EXPECT_EQ(files("out"), files(docs("commands"))) << kRegenerate;
}

TEST_F(ManualTest, TheCheckedInListOfInstructionsIsCurrent) {
  shown("maint instructions page.md");
  EXPECT_EQ(text("page.md"), text(docs("emulator-instructions.md")))
      << "regenerate with: rpl maint instructions docs/emulator-instructions.md";
}

TEST_F(ManualTest, TheCheckedInPageOfTablesIsCurrent) {
  shown("maint sql-views page.md");
  EXPECT_EQ(text("page.md"), text(docs("sql-views.md")))
      << "regenerate with: rpl maint sql-views docs/sql-views.md";
}

TEST_F(ManualTest, TheCheckedInReferenceIsCurrent) {
  shown("maint reference page.md");
  EXPECT_EQ(text("page.md"), text(docs("agents/cli.md")))
      << "regenerate with: rpl maint reference docs/agents/cli.md";
}

TEST_F(ManualTest, CheckedInSchemasAreCurrent) {
  shown("maint schemas out");
  EXPECT_EQ(files("out"), files(docs("schemas"))) << kRegenerate;
}

TEST_F(ManualTest, SchemasOnlyGrow) {
  std::set<std::string> now;
  for (const auto& [path, command] : context.registry().all()) {
    for (std::string& promise : schema_promises(*command)) now.insert(std::move(promise));
  }
  for (const DocumentShape& shape : document_shapes()) {
    for (std::string& promise : schema_promises(shape)) now.insert(std::move(promise));
  }
  std::ifstream list(std::filesystem::path(RPL_SOURCE_DIR) / "tests/schemas/promises.txt");
  std::size_t promised = 0;
  for (std::string line; std::getline(list, line); ++promised) {
    EXPECT_TRUE(now.contains(line)) << "no longer holds: " << line;
  }
  EXPECT_GE(promised, 80U);
}

TEST_F(ManualTest, NewPromisesAreWrittenDown) {
  const std::string list =
      text(std::filesystem::path(RPL_SOURCE_DIR) / "tests/schemas/promises.txt");
  folder.write("promises.txt", list);
  shown("maint promises promises.txt");
  EXPECT_EQ(folder.read("promises.txt"), list) << kRegenerate;
}

TEST_F(ManualTest, SchemasNameEveryFieldAndColumn) {
  for (const auto& [path, command] : context.registry().all()) {
    SCOPED_TRACE(path);
    const json properties = json::parse(document_schema(*command))["properties"];
    for (const Column& field : command->fields) EXPECT_TRUE(properties.contains(field.name));
    if (command->columns.empty()) continue;
    const json row = properties["rows"]["items"]["properties"];
    for (const Column& column : command->columns) EXPECT_TRUE(row.contains(column.name));
  }
}

TEST_F(ManualTest, SchemasSayWhatRecordsHoldWhoseKeysAreData) {
  const auto held = [&](const char* command, const char* field) {
    const std::string schema = document_schema(*context.registry().find(command));
    return json::parse(schema)["properties"][field]["additionalProperties"];
  };
  EXPECT_EQ(held("kernel run", "by_class")["type"], (json{"integer", "string", "null"}));
  const json occupancy = held("att summary", "occupancy");
  EXPECT_EQ(occupancy["type"], (json{"object", "null"}));
  EXPECT_TRUE(occupancy["properties"].contains("peak_waves"));
}

}  // namespace
}  // namespace rpl
