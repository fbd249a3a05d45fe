// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/base/files.h"
#include "engine/document/json.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl::att {

/// What golden.json says of the recordings; empty when they are absent.
inline Record golden_of_att() {
  const std::string path = testing_support::shared_data("att/golden.json");
  if (path.empty()) return {};
  const auto text = read_text_file(path);
  const auto value = text ? parse_json(*text) : Result<Value>(Failure(text.error()));
  return value && value->as<Record>() ? *value->as<Record>() : Record();
}

inline std::string recording_folder(const std::string& name, const Value& golden) {
  return testing_support::shared_data("att/" + name + "/" + *golden.find("dir")->as<std::string>());
}

inline std::int64_t integer_of(const Value& golden, std::string_view key) {
  const Value* value = golden.find(key);
  return value != nullptr && value->as<std::int64_t>() != nullptr ? *value->as<std::int64_t>()
                                                                  : INT64_MIN;
}
inline double number_of(const Value& golden, std::string_view key) {
  const Value* value = golden.find(key);
  return value != nullptr ? value->number().value_or(-1e300) : -1e300;
}

/// A folder with the files of `from` that `keep` accepts.
template <class Keep>
std::string copy_of(const std::string& from, const testing_support::TempDir& into, Keep&& keep) {
  const std::filesystem::path target = into / "ui_output_agent_1_dispatch_2";
  std::filesystem::create_directories(target);
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    if (keep(entry.path().filename().string()))
      std::filesystem::copy_file(entry.path(), target / entry.path().filename());
  }
  for (const auto& entry : std::filesystem::directory_iterator(target)) {
    std::filesystem::permissions(entry.path(), std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
  }
  return target.string();
}

inline TracePtr must_open(const std::string& path) {
  auto trace = open_trace(path);
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
  return trace ? *trace : nullptr;
}

}  // namespace rpl::att
