// SPDX-License-Identifier: MIT
#include "engine/document/bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "engine/document/dynamic_table.h"
#include "engine/document/json.h"
#include "engine/document/records.h"
#include "engine/document/sorting.h"

namespace rpl {
namespace {

enum class Side { left, right };
std::string_view to_string(Side side) { return side == Side::left ? "left" : "right"; }
bool from_text(std::string_view text, Side& side) {
  side = text == "right" ? Side::right : Side::left;
  return text == "left" || text == "right";
}

struct Sample {
  std::string name;
  std::int64_t total_ns = 0;
  std::optional<double> spread_ns = {};

  bool operator==(const Sample&) const = default;
};

constexpr auto kRunColumns = bound_to<Sample>(
    column<&Sample::name>("name", "its name").as(Type::kernel).sortable(Order::ascending),
    column<&Sample::total_ns>("total_ns", "sum of durations").sortable(),
    column<&Sample::spread_ns>("spread_ns", "spread; null for one").if_room().sortable());
Columns<Sample> bound(const Sample*) { return kRunColumns; }

struct Counts {
  std::uint32_t calls = 0;
};

/// Everything that a member may be.
struct Session : Counts {
  bool done = false;
  double best_share = 0;
  std::uint64_t address = 0;
  std::optional<std::uint64_t> end = {};
  Side side = Side::left;
  std::array<std::uint32_t, 3> grid{};
  std::vector<std::string> flags = {};
  std::vector<Sample> runs = {};
  Sample first = {};
  std::map<std::string, std::int64_t> classes = {};
  std::vector<std::pair<std::string, Sample>> stages = {};
  Value free = {};
  std::string note = {};
  std::int64_t limit = 7;

  [[nodiscard]] std::size_t longest() const { return flags.empty() ? 0 : flags.front().size(); }
  bool operator==(const Session& other) const = default;
};
bool operator==(const Counts& a, const Counts& b) { return a.calls == b.calls; }

std::string side_and_name(const Session& session) {
  return std::string(to_string(session.side)) + " " + session.first.name;
}

constexpr auto kSessionFields = bound_to<Session>(
    column_of<Session, &Session::calls>("calls", "how often"),
    column<&Session::done>("done", "whether it is"),
    column<&Session::best_share>("best_share", "of the whole"),
    column<&Session::address>("address", "where").as(Type::address),
    column<&Session::end>("end", "where it ends").as(Type::address),
    column<&Session::side>("side", "of the road"), column<&Session::grid>("grid", "work-items"),
    column<&Session::flags>("flags", "of the compiler"), column<&Session::runs>("runs", "each"),
    column<&Session::first>("first", "of the runs"),
    column<&Session::first, &Sample::total_ns>("first_ns", "time of the first"),
    column<&Session::classes>("classes", "count by class"),
    column<&Session::stages>("stages", "by name, in their order"),
    column<&Session::free>("free", "anything"),
    column<&Session::note>("note", "of a person").or_null().if_known(),
    column<&Session::limit>("limit", "of runs").in(Unit::none).or_default(),
    column<&Session::longest>("longest", "computed by the struct").in(Unit::none),
    column<&side_and_name>("both", "computed beside it").formula("side and name"));

Session example() {
  Session session;
  session.calls = 3;
  session.done = true;
  session.best_share = 0.25;
  session.address = 0xfff0;
  session.side = Side::right;
  session.grid = {4, 2, 1};
  session.flags = {"-O3"};
  session.runs = {{"a", 10, 1.5}, {"b", 20, std::nullopt}};
  session.first = session.runs.front();
  session.classes = {{"alu", 7}};
  session.stages = {{"b", {"a", 10, 1.5}}, {"a", {"c", 3, 0.5}}};
  session.free = Value(List{Value(1), Value("x")});
  session.limit = 9;
  return session;
}

constexpr std::string_view kExample =
    R"({"calls": 3, "done": true, "best_share": 0.25, "address": "0xfff0", "end": null, )"
    R"("side": "right", "grid": [4, 2, 1], "flags": ["-O3"], )"
    R"("runs": [{"name": "a", "total_ns": 10, "spread_ns": 1.5}, {"name": "b", "total_ns": 20, "spread_ns": null}], )"
    R"("first": {"name": "a", "total_ns": 10, "spread_ns": 1.5}, "first_ns": 10, )"
    R"("classes": {"alu": 7}, )"
    R"("stages": {"b": {"name": "a", "total_ns": 10, "spread_ns": 1.5}, "a": {"name": "c", "total_ns": 3, "spread_ns": 0.5}}, )"
    R"("free": [1, "x"], "limit": 9, "longest": 3, "both": "right a"})";

/// The example with one key changed, or taken away.
Value changed(std::string_view key, std::optional<Value> value) {
  Value whole = to_value(kSessionFields, example());
  Record& record = *whole.as<Record>();
  std::erase_if(record, [&](const auto& field) { return field.first == key && !value; });
  for (auto& [name, held] : record) {
    if (name == key && value) held = *value;
  }
  return whole;
}

TEST(Bound, DerivesTypesAndUnits) {
  const std::vector<Column> fields = described(kSessionFields);
  const auto is = [&](std::string_view name, Type type, Unit unit) {
    const auto found = std::ranges::find(fields, name, &Column::name);
    ASSERT_NE(found, fields.end()) << name;
    EXPECT_EQ(found->type, type) << name;
    EXPECT_EQ(found->unit, unit) << name;
  };
  is("calls", Type::integer, Unit::count);
  is("done", Type::boolean, Unit::none);
  is("best_share", Type::number, Unit::share);
  is("address", Type::address, Unit::none);
  is("side", Type::string, Unit::none);
  is("grid", Type::dim3, Unit::none);
  is("flags", Type::strings, Unit::none);
  is("runs", Type::any, Unit::none);
  is("first", Type::record, Unit::none);
  is("first_ns", Type::integer, Unit::ns);
  is("classes", Type::record, Unit::none);
  is("limit", Type::integer, Unit::none);
  is("both", Type::string, Unit::none);
  EXPECT_EQ(kRunColumns.columns[0].about.type, Type::kernel);
  EXPECT_EQ(kRunColumns.columns[2].about.in_text, InText::if_room);
}

TEST(Bound, CountsByAnEnumerationGetItsNames) {
  const std::array<std::uint64_t, 2> counts{0, 3};
  EXPECT_EQ(by_name<Side>(counts), (ByName<std::uint64_t>{{"right", 3}}));
  const auto all = by_name<Side, std::array<std::uint64_t, 2>, true>(counts);
  EXPECT_EQ(all, (ByName<std::uint64_t>{{"left", 0}, {"right", 3}}));
}

TEST(Bound, NestedRecordsAndListsOfThemAreDescribed) {
  const BoundList list = Columns<Session>(kSessionFields);
  for (const std::string_view name : {"runs", "first"}) {
    const BoundColumn* column = list.find(name);
    ASSERT_NE(column, nullptr);
    ASSERT_NE(column->about.nested, nullptr) << name;
    EXPECT_EQ(column->about.nested().size(), 3u);
    EXPECT_EQ(column->about.nested().first->about.name, "name");
  }
  EXPECT_EQ(list.find("classes")->about.nested, nullptr);
  EXPECT_EQ(list.find("classes")->about.values, Type::integer);
  EXPECT_EQ(list.find("first")->about.values, std::nullopt);
  const BoundColumn* stages = list.find("stages");
  ASSERT_NE(stages, nullptr);
  EXPECT_EQ(stages->about.type, Type::record);
  EXPECT_EQ(stages->about.values, Type::record);
  EXPECT_EQ(stages->about.nested().size(), 3u);
}

TEST(Bound, WritesRecordsInTheOrderOfTheList) {
  EXPECT_EQ(to_json(to_value(kSessionFields, example())), kExample);
  Session noted = example();
  noted.note = "slow";
  EXPECT_NE(to_json(to_value(kSessionFields, noted)).find(R"("note": "slow")"), std::string::npos);
}

TEST(Bound, ReadsWhatItWrote) {
  const Session session = example();
  const auto read = from_value(kSessionFields, to_value(kSessionFields, session));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, session);
}

TEST(Bound, ErrorsNameThePlace) {
  const auto fails = [](std::string_view key, Value value, std::string_view message) {
    const auto read = from_value(kSessionFields, changed(key, value), "s.json");
    ASSERT_FALSE(read) << key;
    EXPECT_EQ(read.error().message, message);
    EXPECT_EQ(read.error().code, Errc::corrupt);
  };
  fails("calls", Value("many"), "s.json: calls: expected a whole number");
  fails("calls", Value(std::int64_t{-1}),
        "s.json: calls: expected a whole number from 0 to 4294967295");
  fails("done", Value(1), "s.json: done: expected true or false");
  fails("side", Value("up"), "s.json: side: expected one of its names");
  fails("grid", Value(List{Value(1)}), "s.json: grid: expected 3 elements");
  fails("flags", Value(List{Value("-O3"), Value(3)}), "s.json: flags[1]: expected a string");
  fails("runs", Value(List{Value(Record{{"name", Value(1)}})}),
        "s.json: runs[0].name: expected a string");
  fails("classes", Value(Record{{"alu", Value(0.5)}}),
        "s.json: classes.alu: expected a whole number");
  fails("first", Value(Record{{"name", Value("a")}}), "s.json: first.total_ns is missing");
  EXPECT_EQ(from_value(kRunColumns, Value(List{})).error().message, "expected an object");
}

TEST(Bound, OptionalMembersMayBeMissingAndDefaultsAreNoted) {
  std::vector<std::string> notes;
  const auto read = from_value(kSessionFields, changed("limit", std::nullopt), "s.json", &notes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->limit, 7);
  EXPECT_EQ(notes, std::vector<std::string>{"s.json: limit is missing; its default holds"});
  EXPECT_EQ(from_value(kSessionFields, changed("limit", std::nullopt)).error().message,
            "limit is missing")
      << "nobody would learn of it";
  EXPECT_TRUE(from_value(kSessionFields, changed("end", std::nullopt)));
  EXPECT_EQ(from_value(kSessionFields, changed("done", std::nullopt)).error().message,
            "done is missing");
}

TEST(Bound, LargeAddressesAreHexBothWays) {
  Session session = example();
  session.address = 0xffff'0000'0000'0001;
  session.end = 0xffff'ffff'ffff'ffff;
  const auto read = from_value(kSessionFields, to_value(kSessionFields, session));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->address, session.address);
  EXPECT_EQ(read->end, session.end);
}

TEST(Bound, FillsDocuments) {
  Document out;
  out.put(kSessionFields, example());
  out.table(kRunColumns, example().runs);
  EXPECT_EQ(to_json(Value(out.record)), kExample);
  ASSERT_EQ(out.rows.size(), 2u);
  EXPECT_EQ(out.columns[1].name, "total_ns");
  EXPECT_EQ(out.rows[1], (Row{Value("b"), Value(20), Value()}));
}

TEST(Bound, StreamsRowsAfreshEachTime) {
  Document out;
  out.stream(kRunColumns, 3, [](std::size_t i) {
    return Sample{"r" + std::to_string(i), static_cast<std::int64_t>(i), std::nullopt};
  });
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<Row> rows;
    ASSERT_TRUE(out.each_row([&](const Row& row) {
      rows.push_back(row);
      return true;
    }));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[2], (Row{Value("r2"), Value(2), Value()}));
  }
}

constexpr std::string_view kMixedSchema = "rpl.mixed/1";

/// What files write otherwise than memory holds it.
struct Mixed {
  bool buffer = false;
  std::uint32_t count = 0;
  std::optional<std::array<int, 2>> size = {};
  std::vector<double> times_ns = {};
  std::string tool = {};
};

const char* read_kind(const std::string& text, bool& buffer) {
  buffer = text == "buffer";
  return buffer || text == "value" ? nullptr : "buffer or value";
}

constexpr auto kMixed = bound_to<Mixed>(
    constant<Mixed, kMixedSchema>("schema"),
    converted<&Mixed::buffer, [](bool buffer) { return buffer ? "buffer" : "value"; }, &read_kind>(
        "kind"),
    column<&Mixed::count>("count").when<&Mixed::buffer>(),
    converted<&Mixed::size, [](const std::array<int, 2>& size) { return size[0] * 10 + size[1]; },
              [](int written, std::array<int, 2>& size) -> const char* {
                size = {written / 10, written % 10};
                return written < 100 ? nullptr : "two digits";
              }>("size"),
    column<&Mixed::times_ns>("times_ns").only([](double ns) { return ns > 0; }, "a time above 0"),
    column<&Mixed::tool>("tool").or_absent(), column<&Mixed::tool>("again").unread());

TEST(Bound, WritesAndReadsWhatFilesSayOtherwise) {
  const Mixed mixed{.buffer = true, .count = 7, .size = {{4, 2}}, .times_ns = {1.5}, .tool = "t"};
  const std::string text = to_json(to_value(kMixed, mixed));
  EXPECT_EQ(text, R"({"schema": "rpl.mixed/1", "kind": "buffer", "count": 7, "size": 42, )"
                  R"("times_ns": [1.5], "tool": "t", "again": "t"})");
  const auto read = from_value(kMixed, *parse_file(text, "m.json"), "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(to_value(kMixed, *read)), text);
  EXPECT_EQ(to_json(to_value(kMixed, Mixed{})),
            R"({"schema": "rpl.mixed/1", "kind": "value", "size": null, "times_ns": [], )"
            R"("tool": "", "again": ""})");
}

TEST(Bound, RefusesWhatFilesMustNotSay) {
  const auto refusal = [](std::string_view text) {
    const auto value = parse_file(text, "m.json");
    return value ? from_value(kMixed, *value, "m.json").error().message : value.error().message;
  };
  const std::string start = R"({"schema": "rpl.mixed/1", "kind": )";
  EXPECT_EQ(refusal(R"({"schema": "rpl.other/1"})"), "m.json: schema: expected 'rpl.mixed/1'");
  EXPECT_EQ(refusal(start + R"("copy"})"), "m.json: kind: expected buffer or value");
  EXPECT_EQ(refusal(start + R"("buffer"})"), "m.json: count is missing");
  EXPECT_EQ(refusal(start + R"("value", "count": "x", "size": 123})"),
            "m.json: size: expected two digits");
  EXPECT_EQ(refusal(start + R"("value", "times_ns": [1, 0]})"),
            "m.json: times_ns[1]: expected a time above 0");
  EXPECT_THAT(refusal("{"), testing::StartsWith("m.json: bad JSON"));
}

TEST(Bound, ReadsListsOfObjectsAndIntoObjects) {
  const std::vector<Sample> samples{{"a", 10, 1.5}, {"b", 20, std::nullopt}};
  const auto read = from_value<std::vector<Sample>>(to_value(samples), "s.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, samples);
  EXPECT_EQ(from_value<std::vector<Sample>>(Value(List{Value(1)}), "s.json").error().message,
            "s.json[0]: expected an object");
  Mixed mixed{.tool = "kept"};
  ASSERT_TRUE(read_into(mixed, kMixed, to_value(kMixed, Mixed{.count = 3}), "m.json"));
  Record record{{"first", Value(1)}};
  append(record, kRunColumns, samples[0]);
  EXPECT_EQ(to_json(Value(record)),
            R"({"first": 1, "name": "a", "total_ns": 10, "spread_ns": 1.5})");
}

struct Pointed {
  const Sample* sample = nullptr;
  std::optional<Sample> kept = {};
  std::shared_ptr<const Sample> shared = {};
};

constexpr auto kPointedColumns = bound_to<Pointed>(
    column<&Pointed::sample, &Sample::total_ns>("total_ns", "through a pointer"),
    column<&Pointed::kept, &Sample::name>("name", "of one that may be there"),
    column<&Pointed::shared, &Sample::name>("shared", "of one that others hold too"));

TEST(Bound, FollowsPointersAndOptionals) {
  const Sample sample{"a", 10, std::nullopt};
  EXPECT_EQ(to_json(to_value(kPointedColumns,
                             Pointed{&sample, sample, std::make_shared<Sample>(sample)})),
            R"({"total_ns": 10, "name": "a", "shared": "a"})");
  EXPECT_EQ(to_json(to_value(kPointedColumns, Pointed{})),
            R"({"total_ns": null, "name": null, "shared": null})");
}

constexpr auto kSpreadField = bound_to<Pointed>(
    column<&Pointed::kept, &Sample::spread_ns>("spread_ns", "null for one").if_there());

TEST(Bound, LeavesOutWhatIsNotThereAndShowsWhatIsNull) {
  EXPECT_EQ(to_json(to_value(kSpreadField, Pointed{})), "{}");
  EXPECT_EQ(to_json(to_value(kSpreadField, Pointed{nullptr, Sample{}})), R"({"spread_ns": null})");
}

std::size_t name_length(const Sample& sample) { return sample.name.size(); }
constexpr auto kComputedColumns = bound_to<Sample>(column<&name_length>("length", "computed"),
                                                   column<&Sample::name>("name", "its name"));

struct Holder {
  int number = 0;
  Sample held = {};
  std::optional<Sample> kept = {};
};
constexpr auto kHeldColumns = bound_to<Holder>(column<&Holder::number>("number", "first"),
                                               through<kRunColumns, &Holder::held>());
constexpr auto kKeptColumns = bound_to<Holder>(through<kRunColumns, &Holder::kept>());

struct Reached {
  const Sample* pointed = nullptr;
  std::shared_ptr<const Sample> shared = {};
  std::vector<Sample> list = {};
};
constexpr auto kReachedColumns = bound_to<Reached>(
    through<kComputedColumns, &Reached::pointed>(),
    column<&Reached::shared, &Sample::total_ns>("total_ns", "through a shared pointer"),
    column<&Reached::list, &how_many<std::vector<Sample>>>("how many", "elements"));

TEST(Bound, TakesTheColumnsOfWhatIsHeld) {
  const Holder holder{3, {"a", 10, 2.5}, {}};
  EXPECT_EQ(to_json(to_value(kHeldColumns, holder)),
            R"({"number": 3, "name": "a", "total_ns": 10, "spread_ns": 2.5})");
  const auto read = from_value(kHeldColumns, to_value(kHeldColumns, holder));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->held, holder.held);
  EXPECT_EQ(to_json(to_value(kKeptColumns, holder)),
            R"({"name": null, "total_ns": null, "spread_ns": null})");
  EXPECT_EQ(to_json(to_value(kKeptColumns, Holder{0, {}, holder.held})),
            R"({"name": "a", "total_ns": 10, "spread_ns": 2.5})");
  const Sample pointed{"abc", 1};
  EXPECT_EQ(to_json(to_value(kReachedColumns, Reached{&pointed, nullptr})),
            R"({"length": 3, "name": "abc", "total_ns": null, "how many": 0})");
  EXPECT_EQ(described({kHeldColumns, kRunColumns}).size(), 7u);
  EXPECT_EQ(described(kHeldColumns)[1].type, Type::kernel);
}

TEST(Bound, GivesWholeNumbersWithoutAValue) {
  const Session session = example();
  const BoundList list = kSessionFields;
  for (const char* name : {"calls", "first_ns", "limit", "longest"}) {
    const BoundColumn& column = *list.find(name);
    ASSERT_NE(column.integer, nullptr) << name;
    EXPECT_EQ(Value(column.number(&session)), column.value(&session)) << name;
  }
  for (const char* name : {"done", "best_share", "side", "flags", "both"})
    EXPECT_EQ(list.find(name)->integer, nullptr) << name;
  const Reached nothing;
  EXPECT_EQ(BoundList(kReachedColumns).find("total_ns")->number(&nothing), 0);
}

TEST(Bound, SaysHowANumberFollowsFromOthers) {
  EXPECT_EQ(described(kSessionFields).back().formula, "side and name");
}

TEST(Bound, ShowsAtMostSoManyRows) {
  Document out;
  out.table(kRunColumns, example().runs, 1);
  EXPECT_EQ(out.rows.size(), 1u);
  EXPECT_EQ(out.total_rows, 2u);
  out = {};
  out.table(kRunColumns, example().runs, 2);
  EXPECT_EQ(out.rows.size(), 2u);
  EXPECT_EQ(out.total_rows, 0u);
}

TEST(Bound, SortsByTypedValuesWithUnknownLast) {
  EXPECT_EQ(sort_keys(kRunColumns), (std::vector<Label>{"name", "total", "spread"}));
  std::vector<Sample> rows = {{"b", 9, 2.0}, {"a", 10, std::nullopt}, {"c", 9, 3.0}};
  const auto names = [&] {
    std::string out;
    for (const Sample& run : rows) out += run.name;
    return out;
  };
  sort_rows(rows, kRunColumns, "name");
  EXPECT_EQ(names(), "abc");
  sort_rows(rows, kRunColumns, "total");
  EXPECT_EQ(names(), "abc");
  sort_rows(rows, kRunColumns, "spread");
  EXPECT_EQ(names(), "cba");
}

TEST(DynamicTable, TakesOnlyRowsOfItsWidth) {
  DynamicTable table({{"a", Type::any}, {"b", Type::any}});
  ASSERT_TRUE(table.add({Value(1), Value(2)}));
  const Status wrong = table.add({Value(1)});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, Errc::internal);
  Document out;
  std::move(table).put(out);
  EXPECT_EQ(out.columns.size(), 2u);
  EXPECT_EQ(out.rows.size(), 1u);
}

}  // namespace
}  // namespace rpl
