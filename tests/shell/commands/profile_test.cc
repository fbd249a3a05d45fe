// SPDX-License-Identifier: MIT
#include "shell/commands/profile/profile_files.h"

#include <set>

#include "engine/document/json.h"
#include "engine/metrics/diagnose/profile_document.h"
#include "tests/shell/commands/fixture.h"
#include "tests/support/json_schema.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

constexpr const char* kCounters = RPL_EXAMPLES_DIR "/counters/pmc_perf.csv";

class ProfileTest : public testing_support::ShellTest {
 protected:
  void SetUp() override { shown(std::string("export profile -o out --trace ") + kCounters); }

  Value written(const std::string& name) { return parse_json(folder.read("out/" + name)).value(); }
  Result<Document> made_profile() { return document_of(TRY(profile_of_trace(context, {}))); }
  /// What the error of a line says.
  std::string refused(const std::string& line) {
    EXPECT_NE(run(line), 0) << line;
    return err;
  }
};

std::set<std::string> names_of(const std::vector<Column>& columns) {
  std::set<std::string> out;
  for (const Column& column : columns) out.insert(column.name);
  return out;
}

TEST_F(ProfileTest, WrittenDocumentsReadBackEqual) {
  for (const auto& [name, made] : {std::pair{"profile.json", made_profile()},
                                   std::pair{"analysis.json", analysis_of_trace(context, {})},
                                   std::pair{"roofline.json", roofline_document(context, {})}}) {
    ASSERT_TRUE(made) << made.error().message;
    const Value read = written(name);
    EXPECT_EQ(*read.find("schema"), Value(made->schema));
    for (const auto& [field, value] : made->record) {
      ASSERT_NE(read.find(field), nullptr) << field;
      EXPECT_EQ(*read.find(field), value) << name << " " << field;
    }
    if (made->columns.empty()) continue;
    const List& rows = *read.find("rows")->as<List>();
    ASSERT_EQ(rows.size(), made->rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t column = 0; column < made->columns.size(); ++column)
        EXPECT_EQ(*rows[i].find(made->columns[column].name), made->rows[i][column])
            << name << " row " << i << " " << made->columns[column].name;
    }
  }
}

TEST_F(ProfileTest, DocumentsHaveTheKeysOfTheirSchemas) {
  for (const auto& [name, schema] :
       {std::pair{"profile.json", "rpl.profile/1"}, std::pair{"analysis.json", "rpl.analysis/1"},
        std::pair{"dag.json", "rpl.dag/1"}}) {
    const DocumentShape shape = document_shape(schema);
    std::set<std::string> promised = names_of(shape.fields);
    promised.insert({"schema", "notes", "provenance"});
    if (!shape.columns.empty()) promised.insert("rows");
    std::set<std::string> there;
    const Value document = written(name);
    for (const auto& [key, value] : *document.as<Record>()) there.insert(key);
    EXPECT_EQ(there, promised) << name;
  }
}

TEST_F(ProfileTest, DocumentsAreAsTheirSchemasSay) {
  for (const char* name : {"profile.json", "roofline.json", "analysis.json", "dag.json"}) {
    EXPECT_THAT(
        testing_support::faults_of_document(folder.read(std::string("out/") + name), RPL_SCHEMAS),
        testing::IsEmpty())
        << name;
  }
}

TEST_F(ProfileTest, TheGraphHasEveryNodeAndTheEvidenceOfEveryEdge) {
  const Value dag = written("dag.json");
  EXPECT_EQ(dag.find("nodes")->as<List>()->size(), 9U);
  for (const Value& edge : *dag.find("edges")->as<List>())
    EXPECT_EQ(*edge.find("evidence") == Value("inferred"),
              *edge.find("class") == Value("inferred"));
  for (const Value& kernel : *dag.find("kernels")->as<List>())
    EXPECT_NE(kernel.find("criticality"), nullptr);
}

TEST_F(ProfileTest, ADocumentStaysOpenUntilItIsClosed) {
  EXPECT_THAT(shown("open out/profile.json"), HasSubstr("prof1: stencil"));
  EXPECT_THAT(shown("info profile"), HasSubstr("roofline.bound"));
  EXPECT_THAT(shown("info profile/q prof1"), HasSubstr("stencil"));
  EXPECT_THAT(shown("open out/profile.json"), HasSubstr("prof1")) << "it did not change";
  EXPECT_THAT(shown("compare prof1 out/profile.json"), HasSubstr("1.000"));
  shown("close prof1");
  EXPECT_THAT(refused("info profile"), HasSubstr("no profile document is open"));
}

TEST_F(ProfileTest, AChangedFileBecomesANewDocument) {
  shown("open out/profile.json");
  folder.write("out/profile.json",
               R"({"schema_version": "1.0", "runtime_ms": 3.392, "kernel": {"name": "k"}})");
  EXPECT_THAT(shown("open out/profile.json"), HasSubstr("prof2: k, 3.392 ms"));
  EXPECT_THAT(shown("compare/q prof1 prof2"), HasSubstr("2"));
}

TEST_F(ProfileTest, OnlyProfilesAreComparedWithProfiles) {
  const std::string mixed = refused(std::string("compare out/profile.json ") + kCounters);
  EXPECT_THAT(mixed, HasSubstr("out/profile.json is a profile document and"));
  EXPECT_THAT(mixed,
              HasSubstr("pmc_perf.csv is a recording: they cannot be compared; make a profile "
                        "document of the recording: export profile -o DIR --trace"));
  EXPECT_THAT(refused("compare t1 out/profile.json"), HasSubstr("t1 is a trace"));
  EXPECT_THAT(refused("compare out/profile.json out/dag.json"),
              HasSubstr("a document of this program (rpl.dag/1)"));
  EXPECT_THAT(refused("compare out/profile.json nothing"), HasSubstr("neither open nor a file"));
  EXPECT_THAT(refused("open out/analysis.json"), HasSubstr("rpl.analysis/1"));
  folder.write("future.json", R"({"schema_version": "2.0", "runtime_ms": 1})");
  EXPECT_THAT(refused("compare out/profile.json future.json"), HasSubstr("version 2.0"));
}

TEST_F(ProfileTest, WithoutAFolderTheyGoIntoTheSession) {
  EXPECT_THAT(shown("export profile"), HasSubstr("profiles/1"));
  EXPECT_THAT(shown("export profile/q"), HasSubstr("profiles/2"));
}

}  // namespace
}  // namespace rpl
