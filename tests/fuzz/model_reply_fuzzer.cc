// SPDX-License-Identifier: MIT
// Replies of language models: the first byte chooses the dialect, and whether the rest is a stream, a document, or a line of a cassette.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/optimize/model/cassette.h"
#include "engine/optimize/model/client.h"
#include "engine/optimize/model/dialect.h"

namespace {

using namespace rpl::llm;

/// However a stream is cut, it says the same.
void read_stream(Dialect dialect, std::string_view body) {
  StreamedReply whole(dialect);
  whole.feed(body);
  const ReplyOrProblem at_once = whole.finish(),
                       in_pieces = reply_in(dialect, "text/event-stream", body);
  if (at_once.index() != in_pieces.index()) __builtin_trap();
  const auto* a = std::get_if<ChatReply>(&at_once);
  const auto* b = std::get_if<ChatReply>(&in_pieces);
  if (a && b && a->text != b->text) __builtin_trap();
}

void read_cassette(std::string_view line) {
  const auto recording = read_recording(line);
  if (!recording) return;
  likeness(recording->request, recording->request);
  first_difference(recording->request, {});
  reply_in(recording->dialect, recording->content_type, recording->body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto dialect = static_cast<Dialect>(data[0] % 3);
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const int kind = data[0] / 3 % 4;
  if (kind == 0) read_stream(dialect, body);
  if (kind == 1) reply_in(dialect, "application/json", body);
  if (kind == 2) read_cassette(body);
  if (kind == 3) {
    error_text(body);
    refused_parameter(request_body(dialect, {}, {}), body);
  }
  return 0;
}
