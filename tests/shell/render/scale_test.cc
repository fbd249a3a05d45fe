// SPDX-License-Identifier: MIT
#include "shell/render/scale.h"

#include <gmock/gmock.h>

#include <limits>

#include "engine/document/bound.h"

namespace rpl {
namespace {

struct Part {
  std::int64_t number = 0;
  std::array<std::uint32_t, 3> grid{8, 2, 1};
  double time_ns = 0;
};
constexpr auto kPartFields =
    bound_to<Part>(column<&Part::number>("number"), column<&Part::grid>("grid"),
                   column<&Part::time_ns>("time_ns"));
Columns<Part> bound(const Part* /*of*/) { return kPartFields; }
struct Whole {
  std::vector<Part> parts;
};
constexpr auto kWholeFields = bound_to<Whole>(column<&Whole::parts>("parts"));

TEST(FieldText, HasALineForEachRecordOfAList) {
  const Column column = described(kWholeFields).at(0);
  const auto text = [&](std::size_t parts) {
    Whole whole;
    for (std::size_t i = 1; i <= parts; ++i)
      whole.parts.push_back({.number = static_cast<std::int64_t>(i), .time_ns = 1500});
    return field_text(column, to_value(kWholeFields, whole).as<Record>()->front().second);
  };
  EXPECT_EQ(text(2),
            "number 1, grid 8x2x1, time 1500 ns\n"
            "number 2, grid 8x2x1, time 1500 ns");
  EXPECT_THAT(text(23), testing::EndsWith("number 20, grid 8x2x1, time 1500 ns\n... 3 more"));
}

TEST(FieldText, PartsOfOneSumAreInOneUnit) {
  const Column column{"by_cause_ns", Type::record, Unit::ns, ""};
  const Value parts(
      Record{{"launch", Value(1'341'000)}, {"host", Value(24'616)}, {"idle", Value(0)}});
  EXPECT_EQ(field_text(column, parts, ForWhom::reader), "launch 1.341 ms, host 0.025 ms")
      << "a reader needs no list of what there is none of";
  EXPECT_EQ(field_text(column, parts), "launch 1341.000 us, host 24.616 us, idle 0.000 us");
}

TEST(WithReadableNames, GoesIntoListsAndRecords) {
  const Column column{"dispatches", Type::record, Unit::none, ""};
  const Value held(
      List{Value(Record{{"kernel", Value("_Z5scalePfi")}, {"note", Value("a::b(int)")}})});
  EXPECT_EQ(field_text(column, with_readable_names(column, held)), "kernel scale, note a::b(int)");
}

TEST(WithUnit, ScalesToReadableNumbers) {
  EXPECT_EQ(with_unit(Value(560), Unit::ns), "560 ns");
  EXPECT_EQ(with_unit(Value(std::int64_t{4158756678}), Unit::ns), "4158.757 ms");
  EXPECT_EQ(with_unit(Value(std::int64_t{15122023494}), Unit::ns), "15.122 s");
  EXPECT_EQ(with_unit(Value(0.93629), Unit::share), "93.63 %");
  EXPECT_EQ(with_unit(Value(43915), Unit::count), "43,915");
  EXPECT_EQ(with_unit(Value(), Unit::ns), "-");
  EXPECT_EQ(with_unit(Value(std::numeric_limits<double>::infinity()), Unit::ratio), "-");
}

TEST(Heading, CarriesTheUnit) {
  const Column total{"total_ns", Type::integer, Unit::ns, ""};
  EXPECT_EQ(heading(total, scale_for(Unit::ns, 5e8)), "total ms");
  const Column share{"share", Type::number, Unit::share, ""};
  EXPECT_EQ(heading(share, scale_for(Unit::share, 1)), "share %");
}

TEST(Grouped, PutsCommas) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(123), "123");
}

}  // namespace
}  // namespace rpl
