// SPDX-License-Identifier: MIT
// Requests of programs: however a stream is cut into pieces, it gives the same lines, none above the limit; any line is a request or an error with a hint that
// stays with its id.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/document/json.h"
#include "shell/server/protocol/json_rpc.h"
#include "shell/server/protocol/line_splitter.h"
#include "shell/server/protocol/request.h"

namespace {

constexpr std::size_t kLimit = 96;

void require(bool holds) {
  if (!holds) std::abort();
}

using Lines = std::vector<std::pair<std::string, bool>>;

Lines lines_of(std::string_view text, std::size_t piece) {
  Lines out;
  rpl::LineSplitter splitter(kLimit);
  const auto take = [&out](std::string_view line, bool too_long) {
    out.emplace_back(too_long ? "" : std::string(line), too_long);
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    splitter.feed(text.substr(at, piece), take);
    require(splitter.held() <= kLimit);
  }
  splitter.end(take);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Lines whole = lines_of(text, size + 1);
  require(whole == lines_of(text, 1) && whole == lines_of(text, 7));
  for (const auto& [line, too_long] : whole)
    require(line.size() <= kLimit && line.find('\n') == std::string::npos);

  const rpl::ParsedRequest read = rpl::read_request(text);
  // Whatever the line was, its id can stand in a reply.
  require(rpl::parse_json(read.id).has_value() && read.id.find('\n') == std::string::npos);
  if (!read.request)
    require(!read.request.error().message.empty() && !read.request.error().hint.empty());

  const rpl::rpc::Message message = rpl::rpc::read(text);
  require(rpl::parse_json(message.id).has_value() && message.id.find('\n') == std::string::npos);
  require((message.kind == rpl::rpc::Message::Kind::invalid) == !message.reason.empty());
  require(rpl::parse_json(rpl::rpc::failure(message.id, message.code, message.reason).bytes())
              .has_value());
  return 0;
}
