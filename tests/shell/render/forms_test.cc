// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "shell/render/render.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Document sample() {
  Document document;
  document.schema = "rpl.test/1";
  document.fields = {{"span_ns", Type::integer, Unit::ns, "span"}};
  document.columns = {{"kernel", Type::kernel, Unit::none, "name"},
                      {"calls", Type::integer, Unit::count, "calls"},
                      {"total_ns", Type::integer, Unit::ns, "time"}};
  document.set("span_ns", Value(1500));
  document.rows = {{Value("void ns::gemm(int)"), Value(3), Value(39)},
                   {Value("soft\"max"), Value(1000), Value()}};
  document.provenance = Provenance::recorded;
  document.scalar = "span_ns";
  return document;
}

std::string rendered(const Document& document, Form form) {
  std::string out;
  const auto status = render(document, form, Terminal{}, [&](OutputBytes text) {
    out += text.bytes();
    return Status();
  });
  return status ? out : "error: " + status.error().message;
}

TEST(Render, TextAlignsNumbersAndNamesUnits) {
  EXPECT_EQ(rendered(sample(), {}),
            "span  1500 ns\n"
            "\n"
            "kernel    calls  total ns\n"
            "gemm          3        39\n"
            "soft\"max  1,000         -\n"
            "(2 rows, recorded)\n");
}

TEST(Render, JsonHasFieldsRowsNotesAndProvenance) {
  Document document = sample();
  document.notes = {"odd"};
  EXPECT_EQ(rendered(document, {Format::json, {}}),
            "{\n"
            "  \"schema\": \"rpl.test/1\",\n"
            "  \"span_ns\": 1500,\n"
            "  \"rows\": [\n"
            "    {\"kernel\": \"void ns::gemm(int)\", \"calls\": 3, \"total_ns\": 39},\n"
            "    {\"kernel\": \"soft\\\"max\", \"calls\": 1000, \"total_ns\": null}\n"
            "  ],\n"
            "  \"notes\": [\"odd\"],\n"
            "  \"provenance\": \"recorded\"\n"
            "}\n");
}

TEST(Render, SaysWhatALimitLeftOut) {
  EXPECT_THAT(rendered(sample(), {Format::text, 1}),
              HasSubstr("(1 of 2 rows; --limit 0 shows all"));
  EXPECT_THAT(rendered(sample(), {Format::json, 1}),
              HasSubstr("\"notes\": [\"only 1 of 2 rows\"]"));
  EXPECT_THAT(rendered(sample(), {Format::text, 0}), HasSubstr("(2 rows, recorded)"));
}

TEST(Render, CsvQuotesByRfc4180) {
  EXPECT_EQ(rendered(sample(), {Format::csv, {}}),
            "kernel,calls,total_ns\nvoid ns::gemm(int),3,39\n\"soft\"\"max\",1000,\n");
}

TEST(Render, RawCsvHasTextAsItWasRecorded) {
  Document document = sample();
  document.rows[0][0] = Value("=1+2\x1b[31m");
  EXPECT_THAT(rendered(document, {Format::csv, 1}), HasSubstr("\n'=1+2\\x1b[31m,3,39\n"));
  EXPECT_THAT(rendered(document, {Format::csv_raw, 1}), HasSubstr("\n=1+2\x1b[31m,3,39\n"));
}

TEST(Render, JsonLinesHoldOneRowEach) {
  EXPECT_EQ(rendered(sample(), {Format::jsonl, 1}),
            "{\"kernel\": \"void ns::gemm(int)\", \"calls\": 3, \"total_ns\": 39}\n");
}

TEST(Render, ScalarPrintsOneValueOrSaysThereIsNone) {
  EXPECT_EQ(rendered(sample(), {Format::scalar, {}}), "1500\n");
  Document document = sample();
  document.scalar = "total_ns";
  EXPECT_EQ(rendered(document, {Format::scalar, {}}), "39\n");
  document.scalar = "";
  EXPECT_THAT(rendered(document, {Format::scalar, {}}), HasSubstr("no single value"));
}

TEST(Render, ElidesNamesToTheWidthOnlyWhenAsked) {
  Document document = sample();
  document.rows[0][0] = Value(std::string(200, 'k'));
  Terminal narrow;
  narrow.width = 40;
  narrow.elide = true;
  EXPECT_THAT(render_text(document, narrow).string(), HasSubstr("kkk..kkk"));
  narrow.elide = false;
  EXPECT_THAT(render_text(document, narrow).string(), HasSubstr(std::string(200, 'k')));
}

// Instructions are read from their end as much as from their beginning.
TEST(Render, NamesAreDemangledForPeopleAlone) {
  Document document = sample();
  document.rows = {{Value("_Z5scaleIfLi4EEvPKT_PS0_i"), Value(3), Value(39)}};
  EXPECT_THAT(render_text(document, Terminal{}).string(), HasSubstr("\nscale<float, 4> "));
  EXPECT_THAT(render_text(document, Terminal{.mangled = true}).string(),
              HasSubstr("\n_Z5scaleIfLi4EEvPKT_PS0_i "));
  for (const Format format : {Format::json, Format::csv}) {
    Form form;
    form.format = format;
    EXPECT_THAT(rendered(document, form), HasSubstr("_Z5scaleIfLi4EEvPKT_PS0_i"));
  }
}

TEST(Render, LeavesColumnsOutBeforeItCutsTextsThatAreToBeWhole) {
  const std::string instruction = "global_load_dwordx4 v[10:13], v[2:3], off offset:16";
  Document document;
  document.columns = {{"instruction", Type::string, Unit::none, "text"},
                      {"executed", Type::integer, Unit::count, "times"},
                      {"conflicts", Type::integer, Unit::cycles, "cycles", InText::if_room}};
  document.rows = {{Value(instruction), Value(7), Value(3)}};
  document.provenance = Provenance::modelled;
  Terminal narrow;
  narrow.elide = true;
  narrow.width = 64;
  const auto shown = [&](InText in_text) {
    document.columns[0].in_text = in_text;
    return render_text(document, narrow).string();
  };
  EXPECT_THAT(shown(InText::whole),
              AllOf(HasSubstr(instruction), HasSubstr("no room for conflicts")));
  EXPECT_THAT(shown(InText::always), AllOf(Not(HasSubstr(instruction)), HasSubstr("conflicts\n")));
  narrow.width = 40;
  EXPECT_THAT(shown(InText::whole), Not(HasSubstr(instruction)));
}

TEST(Render, GoesOnBelowWhereAListIsLongerThanALine) {
  Document document;
  document.fields = {{"by_class", Type::any, Unit::none, "instructions"}};
  document.record = {{"by_class", Value(List{Value("first"), Value("second"), Value("third"),
                                             Value("fourth"), Value("fifth")})}};
  Terminal terminal;
  terminal.width = 40;
  terminal.interactive = true;
  EXPECT_EQ(render_text(document, terminal).string(),
            "by_class  first, second, third, fourth,\n          fifth\n");
  // Other programs read a field a line.
  terminal.interactive = false;
  EXPECT_EQ(render_text(document, terminal).string(),
            "by_class  first, second, third, fourth, fifth\n");
}

TEST(ToJson, ReplacesBrokenTextAndNotANumber) {
  EXPECT_EQ(to_json(Value("a\xff")), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(to_json(Value(0.0 / 0.0)), "null");
  EXPECT_EQ(to_json(Value(List{Value(1), Value(0.5), Value()})), "[1, 0.5, null]");
}

}  // namespace
}  // namespace rpl
