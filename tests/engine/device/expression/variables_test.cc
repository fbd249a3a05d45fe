// SPDX-License-Identifier: MIT
#include "engine/device/expression/variables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

emu::KernelRun standardize(const std::string& arch, std::uint32_t rows, std::uint32_t columns) {
  emu::KernelRun run =
      emu::example_run("standardize", arch, {emu::round_up(rows, 128), 1, 1}, {128, 1, 1});
  const std::uint64_t count = std::uint64_t{rows} * columns;
  run.arguments = {emu::floats(count, emu::Fill::Kind::random, 3), emu::floats(count),
                   emu::number(static_cast<std::int32_t>(rows)),
                   emu::number(static_cast<std::int32_t>(columns))};
  return run;
}

std::vector<float> numbers(const std::vector<std::byte>& bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
  return out;
}

class VariablesInASession : public testing::TestWithParam<const char*> {
 protected:
  /// What a variable of some frame holds.
  Result<Datum> value(const Session& session, std::string_view name) {
    const std::uint64_t address = session.program().ops[session.selected()->pc].address;
    for (const isa::VariableFrame& frame : variables->frames(address)) {
      for (const isa::SourceVariable& one : frame.locals) {
        if (one.name == name && one.in_scope)
          return variable_datum(session, *variables, frame, one, nullptr, by_lane);
      }
    }
    return fail(Errc::not_found, std::string(name));
  }
  std::shared_ptr<isa::Variables> variables;
  bool by_lane = false;
};

TEST_P(VariablesInASession, TheExampleComputesWhatItSays) {
  constexpr std::uint32_t kRows = 150, kColumns = 8;
  const auto buffers = emu::run_ok(standardize(GetParam(), kRows, kColumns)).buffers;
  const auto in = numbers(buffers[0]), out = numbers(buffers[1]);
  for (std::size_t row = 0; row < kRows; ++row) {
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < kColumns; ++i)
      mean += static_cast<double>(in[row * kColumns + i]) / kColumns;
    for (std::size_t i = 0; i < kColumns; ++i)
      squares += std::pow(static_cast<double>(in[row * kColumns + i]) - mean, 2) / kColumns;
    // Sums of eight floats, two approximate functions of one unit in the last place each.
    for (std::size_t i = 0; i < kColumns; ++i)
      EXPECT_NEAR(static_cast<double>(out[row * kColumns + i]),
                  (static_cast<double>(in[row * kColumns + i]) - mean) / std::sqrt(squares), 1e-4);
  }
}

TEST_P(VariablesInASession, HoldWhatTheLaneComputes) {
  Points points;
  break_at(points, "standardize.hip:26");
  const auto session = started(standardize(GetParam(), 150, 8), points);
  ASSERT_NE(session, nullptr);
  variables = *isa::Variables::read(session->launch().object);
  for (int stop = 0; stop < 3; ++stop) {
    ASSERT_EQ(session->run().kind, Stop::Kind::breakpoint);
    for (unsigned lane = 0; lane < emu::kLanes; lane += 21) {
      session->selected_lane = lane;
      by_lane = false;
      const auto row = value(*session, "row");
      ASSERT_TRUE(row) << row.error().message;
      ASSERT_FALSE(row->missing);
      EXPECT_EQ(row->integer, session->selected_wave.workgroup * 128 +
                                  session->selected_wave.wave * emu::kLanes + lane);
      EXPECT_EQ(to_string(row->type), "const int");
      EXPECT_TRUE(by_lane);
      ASSERT_TRUE(row->where);
      EXPECT_EQ(row->where->space, Watched::Space::registers);
      EXPECT_EQ(row->where->lane, lane);
    }
    const auto mean = value(*session, "mean");
    ASSERT_TRUE(mean);
    EXPECT_TRUE(mean->missing) << "it is not computed yet";
  }
}

TEST_P(VariablesInASession, AreWrittenWhereTheyAre) {
  Points points;
  break_at(points, "standardize.hip:26");
  const auto session = started(standardize(GetParam(), 150, 8), points);
  ASSERT_NE(session, nullptr);
  variables = *isa::Variables::read(session->launch().object);
  ASSERT_EQ(session->run().kind, Stop::Kind::breakpoint);
  session->selected_lane = 9;
  const auto row = value(*session, "row");
  ASSERT_TRUE(row && row->where);
  ASSERT_TRUE(session->write(*row->where, bytes_of(integer_datum(77), row->type), "row = 77"));
  EXPECT_EQ(value(*session, "row")->integer, 77);
  session->selected_lane = 10;
  EXPECT_EQ(value(*session, "row")->integer, 10) << "another lane's";
}

INSTANTIATE_TEST_SUITE_P(Architectures, VariablesInASession, testing::Values("gfx90a", "gfx942"));

TEST(PlaceText, SaysWhereAsPeopleDo) {
  EXPECT_EQ(
      place_text({.space = Watched::Space::registers, .name = {RegisterName::Kind::vector, 8, 2}}),
      "v[8:9]");
  EXPECT_EQ(place_text({.space = Watched::Space::scratch, .address = 64}), "private_lane#0x40");
  EXPECT_EQ(flat_address({.space = Watched::Space::scratch, .address = 64}) & 0xffffffffU, 64U);
}

}  // namespace
}  // namespace rpl::debug
