// SPDX-License-Identifier: MIT
#include "shell/render/html.h"
#include "shell/render/html_page.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

Document kernels() {
  Document document;
  document.columns = {{"kernel", Type::kernel, Unit::none, "what ran"},
                      {"total_ns", Type::integer, Unit::ns, "time"},
                      {"share", Type::number, Unit::share, "of all"},
                      {"secret", Type::string, Unit::none, "", InText::never}};
  document.rows = {{Value("void scale<float>(float*, int)"), Value(std::int64_t{25'000'000}),
                    Value(0.75), Value("x")},
                   {Value("<script>alert('&')</script>\xff"), Value(), Value(2.0), Value("x")}};
  return document;
}

TEST(Grid, ScalesByColumnAndShortensNames) {
  const Grid grid = *grid_of(kernels(), 0);
  ASSERT_EQ(grid.columns.size(), 3U);
  EXPECT_EQ(grid.columns[1].heading, "total ms");
  EXPECT_TRUE(grid.columns[1].right);
  EXPECT_EQ(grid.rows[0][0].text, "scale<float>");
  EXPECT_EQ(grid.rows[0][0].whole, "void scale<float>(float*, int)");
  EXPECT_EQ(grid.rows[0][1].text, "25.000");
  EXPECT_EQ(grid.rows[1][1].text, "-");
  EXPECT_EQ(grid.rows[0][2].share, 0.375) << "of the largest, where that is more than all";
  EXPECT_EQ(grid.rows[1][2].share, 1);
  EXPECT_EQ(grid_of(kernels(), 1)->rows[0][2].share, 0.75);
}

TEST(Grid, SaysWhatItLeavesOut) {
  const Grid grid = *grid_of(kernels(), 1);
  EXPECT_EQ(grid.rows.size(), 1U);
  EXPECT_EQ(grid.left_out, "1 of 2 rows");
  EXPECT_EQ(grid_of(kernels(), 0)->left_out, "");
}

TEST(Html, EscapesWhatFilesHold) {
  const std::string table = html_table(*grid_of(kernels(), 0)).string();
  EXPECT_EQ(table.find("<script"), std::string::npos);
  EXPECT_NE(table.find("&lt;script&gt;alert(&#39;&amp;&#39;)"), std::string::npos);
  EXPECT_NE(table.find("\xef\xbf\xbd"), std::string::npos);
  EXPECT_NE(table.find("style=\"--bar:37.5%\">75.00</td>"), std::string::npos);
}

TEST(Grid, IsInUnitsAndWordsForAReader) {
  Document document = kernels();
  document.rows = {{Value("a"), Value(std::int64_t{4'158'756'678}), Value(0.75), Value("x")},
                   {Value("b"), Value(std::int64_t{23'588'027}), Value(0.25), Value("x")}};
  const Grid grid = *grid_of(document, 0, ForWhom::reader);
  EXPECT_EQ(grid.columns[1].heading, "total s");
  EXPECT_EQ(grid.rows[0][1].text, "4.159");
  EXPECT_EQ(grid.rows[1][1].text, "0.024") << "a column has one unit";
  EXPECT_EQ(name_in_words("hits_pct"), "hits %");
}

TEST(Grid, ASmallerUnitWhereTheSmallestWouldHaveOneDigit) {
  Document document = kernels();
  document.rows = {{Value("a"), Value(std::int64_t{4'158'756'678}), Value(0.75), Value("x")},
                   {Value("b"), Value(std::int64_t{2'940'000}), Value(0.25), Value("x")}};
  const Grid grid = *grid_of(document, 0, ForWhom::reader);
  EXPECT_EQ(grid.columns[1].heading, "total ms");
  EXPECT_EQ(grid.rows[0][1].text, "4158.757");
  EXPECT_EQ(grid.rows[1][1].text, "2.940");
}

TEST(Html, FieldsOfOneNameAreToldApart) {
  Document document;
  document.fields = {{"stall", Type::integer, Unit::cycles, ""},
                     {"stall_pct", Type::number, Unit::pct, ""},
                     {"kernel", Type::kernel, Unit::none, ""}};
  document.set("stall", Value(13048));
  document.set("stall_pct", Value(82.5));
  document.set("kernel", Value("_Z5scaleIfLi4EEvPKT_PS0_i"));
  const std::string page = html_fields(document).string();
  EXPECT_NE(page.find(">stall</dt><dd>13,048 cycles</dd>"), std::string::npos) << page;
  EXPECT_NE(page.find(">stall share</dt><dd>82.50\u00a0%</dd>"), std::string::npos) << page;
  EXPECT_NE(page.find("<dd>scale&lt;float, 4&gt;</dd>"), std::string::npos) << page;
}

TEST(Html, CellsLeadToRows) {
  Grid grid = *grid_of(kernels(), 0);
  grid.rows[0][0].link = "#a\"b";
  grid.rows[1][0].anchor = "kernel-k1";
  const std::string table = html_table(grid).string();
  EXPECT_NE(table.find("<a href=\"#a&quot;b\">scale&lt;float&gt;</a>"), std::string::npos);
  EXPECT_NE(table.find("<tr id=\"kernel-k1\">"), std::string::npos);
}

TEST(Html, PageLoadsNothingAndRunsItsOwnScriptAlone) {
  const std::string page = html_page("a <title>", html_fields(kernels()) + "<p>x</p>").string();
  EXPECT_NE(page.find("<title>a &lt;title&gt;</title>"), std::string::npos);
  for (const char* way : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(way), std::string::npos) << way;
  }
  const std::size_t script = page.find("<script>");
  ASSERT_NE(script, std::string::npos);
  EXPECT_EQ(page.find("<script", script + 1), std::string::npos);
  const std::size_t first = script + std::string_view("<script>").size();
  const std::string text = page.substr(first, page.find("</script>") - first);
  EXPECT_NE(page.find("script-src " + std::string(xml_text(policy_hash(text)).bytes())),
            std::string::npos);
  EXPECT_NE(page.find("default-src &#39;none&#39;"), std::string::npos);
}

TEST(Html, HashesAsPoliciesNameThem) {
  // Of "abc", by FIPS 180-4 and RFC 4648.
  EXPECT_EQ(policy_hash("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
}

}  // namespace
}  // namespace rpl
