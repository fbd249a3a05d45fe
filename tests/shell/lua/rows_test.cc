// SPDX-License-Identifier: MIT
#include "shell/lua/rows.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;

/// Counts down; remembers how often a pass was started.
class CountDown : public RowSource {
 public:
  explicit CountDown(std::int64_t from) : left_(from) {}
  Result<bool> next(Row& row) override {
    if (left_ == 0) return false;
    row = {Value(left_), Value(fmt::format("k{}", left_ % 2))};
    --left_;
    return true;
  }

 private:
  std::int64_t left_;
};

class RowsTest : public ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    add("numbers", 5);
    add("many", 1'000'000);
    lua("r = rpl.cmd.numbers()");
  }
  void add(Label path, std::int64_t count) {
    Command command;
    command.path = path;
    command.summary = "Test.";
    command.columns = {{"n", Type::integer, Unit::count, ""},
                       {"kernel", Type::kernel, Unit::none, ""}};
    command.fields = {{"total", Type::integer, Unit::count, ""},
                      {"nothing", Type::any, Unit::none, ""}};
    command.run = [this, count](Context&, const Arguments&) -> Result<Document> {
      Document made;
      made.set("total", Value(count));
      made.rows_from = [this, count] {
        ++passes;
        return std::make_unique<CountDown>(count);
      };
      return made;
    };
    ASSERT_TRUE(context.registry().add(std::move(command)).has_value());
  }
  int passes = 0;
};

TEST_F(RowsTest, BehavesAsATable) {
  EXPECT_EQ(lua("r.total"), "5");
  EXPECT_EQ(lua("r.nothing"), "nil");
  EXPECT_EQ(lua("#r.rows"), "5");
  EXPECT_EQ(lua("r.rows[1].n .. r.rows[5].n .. tostring(r.rows[6]) .. tostring(r.rows[0])"),
            "51nilnil");
  EXPECT_EQ(lua("local s = '' for i, row in ipairs(r.rows) do s = s .. i .. '=' .. row.n .. ' ' "
                "end return s"),
            "1=5 2=4 3=3 4=2 5=1 ");
  EXPECT_EQ(lua("local s = 0 for i, row in pairs(r.rows) do s = s + i * row.n end return s"), "35");
  EXPECT_EQ(lua("local s = '' for k in pairs(r) do s = s .. k .. ' ' end return s"), "total rows ");
}

TEST_F(RowsTest, ReadsASourceOncePerPass) {
  passes = 0;
  lua("for _, row in ipairs(r.rows) do local x = row.n end");
  EXPECT_EQ(passes, 1);
}

TEST_F(RowsTest, NamesWhatIsMissing) {
  EXPECT_THAT(lua("r.totl"), HasSubstr("the result has no 'totl'; did you mean 'total'?"));
  EXPECT_THAT(lua("r.rows[1].kernl"), HasSubstr("did you mean 'kernel'?"));
  EXPECT_THAT(lua("r.rows:sum('m')"), HasSubstr("no column 'm'"));
  EXPECT_THAT(lua("r.rows:sum('kernel')"), HasSubstr("does not hold numbers"));
}

TEST_F(RowsTest, AggregatesAndFilters) {
  EXPECT_EQ(lua("r.rows:sum('n')"), "15");
  EXPECT_EQ(lua("r.rows:mean('n')"), "3.0");
  EXPECT_EQ(lua("r.rows:min('n') .. ' ' .. r.rows:max('n')"), "1 5");
  EXPECT_EQ(lua("r.rows:percentile('n', 50)"), "3");
  EXPECT_EQ(lua("r.rows:percentile('n', 20.5)"), "2");
  EXPECT_EQ(lua("r.rows{kernel = 'k1'}:sum('n')"), "9");
  EXPECT_EQ(lua("r.rows{min_n = 2, max_n = 3}:count()"), "2");
  EXPECT_EQ(lua("r.rows:top(2, 'n')[2].n"), "4");
  EXPECT_EQ(lua("r.rows{n = 99}:mean('n')"), "nil");
}

TEST_F(RowsTest, GivesSeveralValuesARow) {
  EXPECT_EQ(lua("local s = '' for i, n, k in r.rows:each('n', 'kernel') do s = s .. i .. n .. k .. "
                "' ' end return s"),
            "15k1 24k0 33k1 42k0 51k1 ");
}

TEST_F(RowsTest, MakesPlainTablesUpToALimit) {
  EXPECT_EQ(lua("#r:totable().rows .. r:totable().total"), "55");
  EXPECT_EQ(lua("getmetatable(r.rows:totable()[1])"), "nil");
  EXPECT_THAT(lua("r.rows:totable(4)"), HasSubstr("more than 4 rows"));
}

TEST_F(RowsTest, RendersAsTheShellWould) {
  EXPECT_EQ(lua("r.rows"), "n  kernel\n5  k1\n4  k0\n3  k1\n2  k0\n1  k1\n(5 rows)");
  EXPECT_EQ(lua("r:render('csv'):sub(1, 8)"), "n,kernel");
  EXPECT_THAT(lua("r:render('xml')"), HasSubstr("no form 'xml'"));
}

TEST_F(RowsTest, IteratesOverAMillionRowsWithoutKeepingThem) {
  EXPECT_EQ(
      lua("local m = rpl.cmd.many() collectgarbage() local before = collectgarbage('count') "
          "local s, most = 0, 0 for _, n in m.rows:each('n') do s = s + n "
          "if n % 100000 == 0 then most = math.max(most, collectgarbage('count') - before) end end "
          "return s .. ' ' .. tostring(most < 1000)"),
      "500000500000 true");
}

TEST_F(RowsTest, CannotBeChanged) {
  EXPECT_THAT(lua("r.total = 3"), HasSubstr("read-only"));
  EXPECT_EQ(lua("getmetatable(r)"), "false");
}

}  // namespace
}  // namespace rpl
