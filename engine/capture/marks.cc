// SPDX-License-Identifier: MIT
#include "engine/capture/marks.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl {
namespace {

constexpr std::string_view kPartialSchema = "rpl.capture.partial/1";
constexpr std::size_t kPartialBytes = 4096;

constexpr auto kPartial = bound_to<PartialCapture>(
    constant<PartialCapture, kPartialSchema>("schema"),
    converted<&PartialCapture::failed, [](bool failed) { return failed ? "failed" : "writing"; },
              [](const std::string& state, bool& failed) {
                failed = state == "failed";
                return failed || state == "writing" ? nullptr : "writing or failed";
              }>("state"),
    column<&PartialCapture::reason>("reason"), column<&PartialCapture::kernel>("kernel"),
    column<&PartialCapture::pid>("pid"), column<&PartialCapture::process_start>("process_start"),
    column<&PartialCapture::host>("host"), column<&PartialCapture::started>("started"));

std::string this_host() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "";
}

/// Field 22 of /proc/PID/stat; 0 when there is no such process.
std::uint64_t start_of_process(std::int64_t pid) {
  const auto text = read_text_file(fmt::format("/proc/{}/stat", pid));
  if (!text) return 0;
  // The name, in parentheses, may hold anything; after it every field is a word.
  std::size_t at = text->rfind(')');
  constexpr int kFieldsAfterName = 20;
  for (int i = 0; i < kFieldsAfterName && at != std::string::npos; ++i)
    at = text->find(' ', at + 1);
  if (at == std::string::npos) return 0;
  std::string_view rest = std::string_view(*text).substr(at + 1);
  return take_number<std::uint64_t>(rest).value_or(0);
}

/// At most `most` bytes of a text, whole characters of UTF-8.
std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  while (most > 0 && continues(most)) --most;
  return text.substr(0, most);
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

PartialCapture partial_of_this_process(std::string kernel) {
  PartialCapture out;
  out.kernel = std::move(kernel);
  out.pid = ::getpid();
  out.process_start = start_of_process(out.pid);
  out.host = this_host();
  out.started = utc_now();
  return out;
}

std::string partial_json(const PartialCapture& partial) {
  std::string out = to_json(to_value(kPartial, partial));
  if (out.size() >= kPartialBytes) {
    // A byte of text is at most six of JSON: what is cut to this fits.
    constexpr std::size_t kMostText = 250;
    PartialCapture shorter = partial;
    shorter.kernel = cut(partial.kernel, kMostText);
    shorter.reason = cut(partial.reason, kMostText);
    out = to_json(to_value(kPartial, shorter));
  }
  out.resize(kPartialBytes - 1, ' ');
  return out + "\n";
}

Result<PartialCapture> read_partial(std::string_view text) {
  return from_value(kPartial, TRY(parse_file(text, kPartialFile)), kPartialFile);
}

WriterState writer_state(const PartialCapture& partial) {
  if (partial.host != this_host()) return WriterState::unknown;
  const std::uint64_t start = start_of_process(partial.pid);
  return start != 0 && start == partial.process_start ? WriterState::alive : WriterState::gone;
}

namespace {

constexpr std::string_view kCheckSchema = "rpl.capture.check/1";
constexpr std::uint64_t kMostCheckBytes = std::uint64_t{1} << 20;

struct CheckFile {
  std::string capture_sha256;
  CheckMark mark;
};
constexpr auto kCheck =
    bound_to<CheckFile>(constant<CheckFile, kCheckSchema>("schema"),
                        column<&CheckFile::capture_sha256>("capture_sha256"),
                        column<&CheckFile::mark, &CheckMark::verdict>("verdict"),
                        column<&CheckFile::mark, &CheckMark::weaknesses>("weaknesses"));

}  // namespace

std::string check_json(const CheckMark& mark, std::string_view head_sha256) {
  return to_json(to_value(kCheck, CheckFile{std::string(head_sha256), mark})) + "\n";
}

Result<CheckMark> read_check(std::string_view text, std::string_view head_sha256) {
  CheckFile file = TRY(from_value(kCheck, TRY(parse_file(text, kCheckFile)), kCheckFile));
  const std::string& verdict = file.mark.verdict;
  if (file.capture_sha256 != head_sha256)
    return fail(Errc::corrupt, fmt::format("{}: is of another capture.json", kCheckFile));
  if (verdict != "strong" && verdict != "weak" && verdict != "unchecked")
    return fail(Errc::corrupt,
                fmt::format("{}: verdict: expected strong, weak or unchecked", kCheckFile));
  return std::move(file.mark);
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
