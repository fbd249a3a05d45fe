// SPDX-License-Identifier: MIT
// What documentation shows as a transcript is one that is played.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"

namespace rpl::golden {
namespace {

/// The texts of all ```transcript blocks.
std::vector<std::string> transcripts_in(const std::string& page) {
  const std::string open = "```transcript\n", close = "\n```";
  std::vector<std::string> out;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    out.push_back(page.substr(at, page.find(close, at) - at));
  }
  return out;
}

/// `$ rpl ARGS` and `$ COMMAND`, as a person types them, in the spelling of transcripts: `$ ARGS` and `! COMMAND`.
std::string in_transcript_spelling(const std::string& block) {
  std::string out = "\n" + block;
  for (std::size_t at = out.find("\n$ "); at != std::string::npos; at = out.find("\n$ ", at + 1)) {
    if (out.compare(at + 3, 4, "rpl ") == 0) {
      out.erase(at + 3, 4);
    } else {
      out[at + 1] = '!';
    }
  }
  return out.substr(1);
}

enum class Spelling { of_transcripts, as_typed };

/// Each block of the page is somewhere in the transcripts.
void expect_played(const std::string& page, const std::vector<std::string>& transcripts,
                   std::size_t least, Spelling spelling = Spelling::of_transcripts) {
  const auto text = read_text_file(RPL_SOURCE_DIR "/docs/" + page);
  ASSERT_TRUE(text);
  std::string played;
  for (const std::string& transcript : transcripts) {
    const auto one = read_text_file(RPL_SOURCE_DIR "/tests/golden/" + transcript);
    ASSERT_TRUE(one);
    played += *one;
  }
  // Transcripts say so of lines that are no remarks of theirs.
  for (std::size_t at = played.find("\n\\#"); at != std::string::npos;
       at = played.find("\n\\#", at))
    played.erase(at + 1, 1);
  const auto shown = transcripts_in(*text);
  EXPECT_GE(shown.size(), least);
  for (const std::string& block : shown) {
    EXPECT_THAT(played,
                ::testing::HasSubstr(spelling == Spelling::as_typed ? in_transcript_spelling(block)
                                                                    : block));
  }
}

/// Lines behind a prompt that stand in a block of another kind, where nothing plays them.
std::vector<std::string> unplayed_lines(const std::string& page) {
  std::vector<std::string> out;
  std::string kind;
  std::size_t at = 0;
  while (at < page.size()) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("```")) {
      kind = kind.empty() ? line : "";
    } else if (kind == "```" && (line.starts_with("$ ") || line.starts_with("(rpl) "))) {
      out.push_back(line);
    }
  }
  return out;
}

TEST(Documentation, ShowsTranscriptsAsTheyArePlayed) {
  expect_played("optimization.md", {"loop.t", "fusion.t"}, 6);
  expect_played("optimizing-applications.md", {"optimize.t"}, 2);
  expect_played("debugging.md", {"debugger.t", "nan.t", "variables.t"}, 4);
  expect_played("comparing-compilers.md", {"regress.t"}, 1);
  expect_played("decision-rule.md", {"bench.t"}, 3);
  expect_played("language-models.md", {"llm.t"}, 2);
  expect_played("USER_GUIDE.md", {"guide.t"}, 15, Spelling::as_typed);
  expect_played("agents/profiling.md", {"guide.t"}, 3, Spelling::as_typed);
  expect_played("agents/autotune.md", {"agents.t"}, 3, Spelling::as_typed);
  expect_played("agents/SKILL.md", {"agents.t"}, 3, Spelling::as_typed);
}

TEST(Documentation, OfTheWholeWayShowsNothingElse) {
  for (const char* page : {"docs/USER_GUIDE.md", "docs/agents/SKILL.md", "docs/agents/profiling.md",
                           "docs/agents/autotune.md"}) {
    const auto text = read_text_file(std::string(RPL_SOURCE_DIR "/") + page);
    ASSERT_TRUE(text) << page;
    EXPECT_THAT(unplayed_lines(*text), ::testing::IsEmpty()) << page;
  }
  EXPECT_THAT(unplayed_lines("```\n$ rpl gone\n```\n```transcript\n(rpl) here\n```\n"),
              ::testing::ElementsAre("$ rpl gone"));
}

std::string between(const std::string& text, const std::string& open, const std::string& close,
                    std::size_t& at) {
  const std::size_t begin = text.find(open, at);
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find(close, begin + open.size());
  at = end;
  return end == std::string::npos ? std::string()
                                  : text.substr(begin + open.size(), end - begin - open.size());
}

/// "| layernorm | yes | +1 % | 14 % |" of each recording of docs/cycle-model-recordings.md.
std::vector<std::string> errors_of_the_cycle_model(const std::string& page) {
  std::vector<std::string> rows;
  for (std::size_t at = 0; (at = page.find("\n### ", at)) != std::string::npos;) {
    const std::string title = between(page, "\n### ", "\n", at);
    const std::string total = between(page, "modelled ", ".", at);
    const std::string misplaced = between(page, "wrong class: ", " of all", at);
    rows.push_back(fmt::format(
        "| {} | {} | {} | {} |", title.substr(0, title.find("-gfx950")),
        title.ends_with("(fitted)") ? "yes" : "no",
        total.substr(total.find('(') + 1, total.find(')') - total.find('(') - 1), misplaced));
  }
  return rows;
}

TEST(Documentation, StatesTheErrorsThatTheGeneratedPagesState) {
  const auto paper = read_text_file(RPL_SOURCE_DIR "/docs/WHITEPAPER.md");
  const auto recordings = read_text_file(RPL_SOURCE_DIR "/docs/cycle-model-recordings.md");
  const auto instructions = read_text_file(RPL_SOURCE_DIR "/docs/emulator-instructions.md");
  ASSERT_TRUE(paper && recordings && instructions);
  const auto rows = errors_of_the_cycle_model(*recordings);
  EXPECT_EQ(rows.size(), 7U);
  for (const std::string& row : rows) EXPECT_THAT(*paper, ::testing::HasSubstr(row));
  EXPECT_THAT(*instructions,
              ::testing::HasSubstr("| all | 1110 | 1069 | 25 | 16 | 1154 | 1099 | 39 | 16 | "
                                   "1248 | 1119 | 112 | 17 |"));
  EXPECT_THAT(*paper,
              ::testing::HasSubstr(
                  "Of the 1110 and 1154 mnemonics that LLVM 19 knows of the first two, "
                  "1069 and 1099 are exact, 25 and 39 approximate, and 16\neach "
                  "unsupported; of the 1248 that LLVM 22 knows of gfx950, 1119, 112 and 17"));
}

TEST(Documentation, IsSpelledAsTyped) {
  EXPECT_EQ(in_transcript_spelling("$ rpl info trace\n3\n$ echo x | rpl a"),
            "$ info trace\n3\n! echo x | rpl a");
}

}  // namespace
}  // namespace rpl::golden
