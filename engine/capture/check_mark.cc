// SPDX-License-Identifier: MIT
#include "engine/capture/check_mark.h"

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/capture/json_fields.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"

namespace rpl {
namespace {

constexpr std::string_view kCheckSchema = "rpl.capture.check/1";
constexpr std::uint64_t kMostCheckBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostSentences = 1000;

}  // namespace

std::string check_json(const CheckMark& mark, std::string_view head_sha256) {
  List sentences;
  for (const std::string& sentence : mark.weaknesses) sentences.emplace_back(sentence);
  return to_json(Value(Record{{"schema", kCheckSchema},
                              {"capture_sha256", head_sha256},
                              {"verdict", mark.verdict},
                              {"weaknesses", Value(std::move(sentences))}})) +
         "\n";
}

Result<CheckMark> read_check(std::string_view text, std::string_view head_sha256) {
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kCheckFile));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kCheckFile));
  if (TRY(fields.text("schema")) != kCheckSchema)
    return fields.error("schema", "is of another version");
  if (TRY(fields.text("capture_sha256")) != head_sha256)
    return fields.error("capture_sha256", "is of another capture.json");
  CheckMark out {
    .verdict = TRY(fields.text("verdict"))
    , .weaknesses = {}
  };
  if (out.verdict != "strong" && out.verdict != "weak" && out.verdict != "unchecked")
    return fields.error("verdict", "is neither strong, weak nor unchecked");
  const List* sentences = TRY(fields.list("weaknesses"));
  if (sentences->size() > kMostSentences)
    return fields.error("weaknesses", "is longer than any of ours");
  for (const Value& sentence : *sentences) {
    const auto* words = sentence.as<std::string>();
    if (words == nullptr) return fields.error("weaknesses", "holds something else than text");
    out.weaknesses.push_back(*words);
  }
  return out;
}

Status write_check(const std::string& folder, const CheckMark& mark) {
  const std::string head = TRY(read_text_file(folder + "/capture.json"));
  return write_file(folder + "/" + kCheckFile, check_json(mark, sha256_hex(head)));
}

CheckMark check_of(const FolderReader& folder, std::string_view head) {
  if (head.empty() || !folder.has(kCheckFile)) return {};
  const auto text = folder.read(kCheckFile, kMostCheckBytes);
  return text ? read_check(as_text(*text), sha256_hex(head)).value_or(CheckMark{}) : CheckMark{};
}

}  // namespace rpl
