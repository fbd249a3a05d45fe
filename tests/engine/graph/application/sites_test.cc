// SPDX-License-Identifier: MIT
#include "engine/graph/application/sites.h"

#include <gtest/gtest.h>

namespace rpl::findings {
namespace {

SiteFrame line(std::uint32_t number, const std::string& function,
               const std::string& file = "/home/me/main.hip") {
  SiteFrame out;
  out.file = file;
  out.line = number;
  out.function = function;
  out.module = "/home/me/app";
  out.program = true;
  return out;
}

/// Calls 1, 2, … of process 0, from these places.
CallSiteTable table_of(std::vector<std::vector<SiteFrame>> sites) {
  CallSiteTable out;
  for (std::uint32_t i = 0; i < sites.size(); ++i)
    out.rows.push_back({.process = 0, .correlation = i + 1, .site = i});
  out.sites = std::move(sites);
  return out;
}

TEST(Sites, AreNamedFromTheCallOutwards) {
  const auto table = table_of({{line(7, "step"), line(20, "main")}});
  const Sites sites(&table);
  EXPECT_EQ(sites.text(0, 1), "main.hip:7 in step, called from main.hip:20 in main");
  EXPECT_EQ(sites.text(0, 2), "");
  EXPECT_EQ(sites.text(1, 1), "");
  EXPECT_EQ(Sites(nullptr).text(0, 1), "");
}

TEST(Sites, OfAFunctionThatSeveralPlacesCallAreThosePlaces) {
  const auto table = table_of({{line(7, "allocate"), line(20, "main")},
                               {line(7, "allocate"), line(21, "main")},
                               {line(30, "main")}});
  const Sites sites(&table);
  EXPECT_EQ(sites.text(0, 1), "main.hip:20 in main");
  EXPECT_EQ(sites.text(0, 2), "main.hip:21 in main");
  EXPECT_EQ(sites.text(0, 3), "main.hip:30 in main");
}

TEST(Sites, OfAFunctionWithManyCallsStay) {
  const auto table = table_of({{line(7, "step"), line(20, "main")},
                               {line(8, "step"), line(20, "main")},
                               {line(9, "step"), line(21, "main")}});
  EXPECT_EQ(Sites(&table).text(0, 1), "main.hip:7 in step, called from main.hip:20 in main");
}

TEST(Sites, LeaveOutHeadersOfOthers) {
  const auto table = table_of(
      {{line(99, "hipMalloc<float>", "/usr/include/hip/hip_runtime_api.h"), line(5, "main")}});
  EXPECT_EQ(Sites(&table).text(0, 1), "main.hip:5 in main");
}

TEST(Sites, WithoutALineTableAreSymbols) {
  SiteFrame library, program;
  library.function = "launch";
  library.module = "/opt/lib/libdeep.so";
  program.function = "main";
  program.module = "/home/me/app";
  program.offset = 28;
  program.program = true;
  const auto table = table_of({{library, program}});
  EXPECT_EQ(Sites(&table).text(0, 1), "main+0x1c of app");
}

TEST(Sites, SayWhatWasDoneAgain) {
  CallSiteTable table;
  table.rows = {{.process = 0, .correlation = 1, .again = true},
                {.process = 0, .correlation = 2, .again = false},
                {.process = 0, .correlation = 3}};
  const Sites sites(&table);
  EXPECT_EQ(sites.again(0, 1), std::optional(true));
  EXPECT_EQ(sites.again(0, 2), std::optional(false));
  EXPECT_EQ(sites.again(0, 3), std::nullopt);
  EXPECT_EQ(sites.text(0, 1), "");
}

}  // namespace
}  // namespace rpl::findings
