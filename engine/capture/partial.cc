// SPDX-License-Identifier: MIT
#include "engine/capture/partial.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <limits>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/capture/json_fields.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"

namespace rpl {
namespace {

constexpr std::string_view kPartialSchema = "rpl.capture.partial/1";
constexpr std::size_t kPartialBytes = 4096;

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
  const auto text_of = [&](std::string_view kernel, std::string_view reason) {
    return to_json(Value(Record{{"schema", Value(kPartialSchema)},
                                {"state", Value(partial.failed ? "failed" : "writing")},
                                {"reason", Value(reason)},
                                {"kernel", Value(kernel)},
                                {"pid", Value(partial.pid)},
                                {"process_start", Value(partial.process_start)},
                                {"host", Value(partial.host)},
                                {"started", Value(partial.started)}}));
  };
  std::string out = text_of(partial.kernel, partial.reason);
  // A byte of text is at most six of JSON: what is cut to this fits.
  constexpr std::size_t kMostText = 250;
  if (out.size() >= kPartialBytes) {
    out = text_of(cut(partial.kernel, kMostText), cut(partial.reason, kMostText));
  }
  out.resize(kPartialBytes - 1, ' ');
  return out + "\n";
}

Result<PartialCapture> read_partial(std::string_view text) {
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(kPartialFile));
  const JsonFields fields = TRY(JsonFields::of(*parsed, kPartialFile));
  if (TRY(fields.text("schema")) != kPartialSchema)
    return fields.error("schema", fmt::format("is not {}", kPartialSchema));
  PartialCapture out;
  const std::string state = TRY(fields.text("state"));
  if (state != "failed" && state != "writing")
    return fields.error("state", "is neither writing nor failed");
  out.failed = state == "failed";
  out.reason = TRY(fields.text("reason"));
  out.kernel = TRY(fields.text("kernel"));
  out.pid = static_cast<std::int64_t>(
      TRY(fields.number("pid", std::numeric_limits<std::int32_t>::max())));
  out.process_start =
      TRY(fields.number("process_start", std::numeric_limits<std::uint64_t>::max()));
  out.host = TRY(fields.text("host"));
  out.started = TRY(fields.text("started"));
  return out;
}

WriterState writer_state(const PartialCapture& partial) {
  if (partial.host != this_host()) return WriterState::unknown;
  const std::uint64_t start = start_of_process(partial.pid);
  return start != 0 && start == partial.process_start ? WriterState::alive : WriterState::gone;
}

}  // namespace rpl
