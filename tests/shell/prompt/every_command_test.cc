// SPDX-License-Identifier: MIT
// Walks the registry: whatever is registered is described, runs its examples and keeps to its own column types. That each gives the same
// at the prompt, on a command line and in Lua is shown by tests/shell/lua.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "shell/commands/all.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/core/session/jobs.h"
#include "shell/lua/host.h"
#include "shell/render/render.h"
#include "tests/support/example_files.h"
#include "tests/support/example_lines.h"
#include "tests/support/generate.h"
#include "tests/support/json_schema.h"
#include "tests/support/loop_examples.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using nlohmann::json;

/// A small recording in a folder of its own, which is the current folder while the test runs.
class EveryCommand : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(dir_.path());
    test::GenerateOptions options;
    options.path = "small.db";
    options.workload.dispatches = 40;
    options.workload.copy_share = 0.1;
    options.api = options.markers = true;
    options.counters = 1;
    ASSERT_TRUE(test::generate_rocpd(options).has_value());
    testing_support::write_example_files(".");
    add_all_commands(all_.registry());
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  /// The commands that look at traces: what the shell does to itself (quit, set) has tests of its own.
  [[nodiscard]] std::vector<const Command*> trace_commands() const {
    std::vector<const Command*> out;
    for (const auto& [path, command] : all_.registry().all()) {
      const bool about_shell = command->chapter == Class::support ||
                               command->chapter == Class::user ||
                               command->path.find("display") != std::string::npos;
      if (!about_shell && !command->hidden) out.push_back(command.get());
    }
    return out;
  }

  static std::string with_trace(const std::string& line) {
    return testing_support::with_paths(line, "small.db", RPL_EXAMPLES_DIR);
  }

  static Status ignore(OutputBytes) { return {}; }

  testing_support::TempDir dir_;
  std::filesystem::path before_;
  Context all_;
};

bool fits(const Column& column, const json& value) {
  if (value.is_null()) return true;
  switch (column.type) {
    case Type::boolean:
      return value.is_boolean();
    case Type::integer:
      return value.is_number_integer() || value.is_string();
    case Type::number:
      return value.is_number();
    case Type::string:
    case Type::id:
    case Type::kernel:
    case Type::address:
      return value.is_string();
    case Type::dim3:
      return value.is_array() && value.size() == 3;
    case Type::strings:
      return value.is_array();
    case Type::record:
      return value.is_object();
    case Type::any:
      return true;
  }
  return false;
}

/// Fields and rows of a document, checked against the columns that describe them.
void check_types(const Document& document, const json& parsed) {
  EXPECT_EQ(parsed["schema"], document.schema);
  for (const Column& field : document.fields) {
    if (parsed.contains(field.name)) {
      EXPECT_TRUE(fits(field, parsed[field.name])) << field.name;
    }
  }
  for (const json& row : parsed.value("rows", json::array())) {
    for (const Column& column : document.columns) {
      ASSERT_TRUE(row.contains(column.name)) << column.name;
      EXPECT_TRUE(fits(column, row[column.name])) << column.name << " " << row[column.name];
    }
  }
}

TEST_F(EveryCommand, IsDescribed) {
  ASSERT_GT(trace_commands().size(), 30U);
  for (const Command* command : trace_commands()) {
    SCOPED_TRACE(command->path);
    for (const Param& param : command->params) EXPECT_FALSE(param.help.empty()) << param.name;
    for (const auto* columns : {&command->fields, &command->columns}) {
      for (const Column& column : *columns) EXPECT_FALSE(column.description.empty()) << column.name;
    }
  }
}

TEST_F(EveryCommand, HasAScalarAmongItsFieldsOrColumns) {
  for (const Command* command : trace_commands()) {
    if (command->fields.empty() && command->columns.empty()) continue;
    const auto named = [&](const std::vector<Column>& columns) {
      return std::ranges::find(columns, command->scalar, &Column::name) != columns.end();
    };
    EXPECT_TRUE(named(command->fields) || named(command->columns)) << command->path;
  }
}

TEST_F(EveryCommand, NamesColumnsByTheirUnits) {
  for (const Command* command : trace_commands()) {
    for (const auto* columns : {&command->fields, &command->columns}) {
      for (const Column& column : *columns) {
        const std::string name = command->path + ": " + column.name;
        if (column.unit == Unit::ns) {
          EXPECT_TRUE(column.name.ends_with("_ns")) << name;
        }
        if (column.unit == Unit::bytes) {
          // "bytes" alone is what the design calls the traffic of a roofline row.
          EXPECT_TRUE(column.name.ends_with("_bytes") || column.name == "bytes") << name;
        }
        if (column.unit == Unit::gbps) {
          EXPECT_TRUE(column.name.ends_with("_gbps")) << name;
        }
      }
    }
  }
}

TEST_F(EveryCommand, RunsItsExamplesAndKeepsToItsTypes) {
  for (const Command* command : trace_commands()) {
    for (const std::string example : command->examples) {
      if (!testing_support::can_run(example)) continue;
      SCOPED_TRACE(example);
      Context context;
      add_all_commands(context.registry());
      context.use(make_script_host(context));
      context.jobs().program = {RPL_PROGRAM, "-nx"};
      Console console(context, render, ignore, ignore);
      const bool loop = testing_support::about_the_loop(*command, example);
      if (loop && !testing_support::loop_examples_can_run()) continue;
      const std::string line =
          with_trace(loop ? testing_support::prepare_loop_example(context, example) : example);
      if (const std::string stop =
              testing_support::stops_a_kernel(*command, example, RPL_EXAMPLES_DIR);
          !stop.empty()) {
        ASSERT_TRUE(console.evaluate(stop).has_value()) << stop;
      }
      for (const std::string& before : testing_support::lines_before(*command, RPL_EXAMPLES_DIR))
        ASSERT_TRUE(console.evaluate(before).has_value()) << before;
      const auto document = console.evaluate(line);
      ASSERT_TRUE(document.has_value())
          << document.error().message << "; " << document.error().hint;
      Form form;
      form.format = Format::json;
      std::string text;
      ASSERT_TRUE(render(*document, form, {}, [&](OutputBytes part) {
        text += part.bytes();
        return Status();
      }));
      check_types(*document, json::parse(text));
      EXPECT_THAT(testing_support::faults_of_document(text, RPL_SCHEMAS), testing::IsEmpty());
    }
  }
}

}  // namespace
}  // namespace rpl
