// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "shell/server/protocol/line_splitter.h"
#include "shell/server/runner.h"
#include "shell/server/streams.h"
#include "shell/server/work_queue.h"

namespace rpl {

class Context;
struct McpForm;

/// What becomes of the reply to a request that was cancelled while it ran.
enum class AfterCancel { replied, silent };

/// Reads lines in a thread of its own, where `hear` may fill the queue, and runs what is in it in this one, until the input ends, `quit`, or a signal. Returns the exit
/// status of the program.
int serve(Context& context, Streams& streams, WorkQueue& queue, std::size_t longest_line,
          LineSplitter::Take hear, AfterCancel after_cancel);

/// `--interpreter jsonl`: one request a line in, replies a line each out, until the input ends, `quit`, or a signal ends the process. Requests run one after the
/// other in their order; a cancel is heard while one runs. To be called in the thread that signals stop. Returns the exit status of the program.
int run_jsonl(Context& context, Runner& runner, Streams& streams);

/// `--interpreter mcp`: a server of the Model Context Protocol (modelcontextprotocol.io/specification, revisions 2024-11-05 to 2025-11-25) on stdin and stdout whose
/// tools are the core (tools/core.h), or all commands. Ends as run_jsonl() does. To be called in the thread that signals stop. Returns the exit status of the program.
int run_mcp(Context& context, Runner& runner, Streams& streams, const McpForm& form);

/// Replies of `--interpreter jsonl` (docs/schemas/rpl.reply-1.json), each one line with its end. `id` is as JSON writes it.
/// The longest result that is put into a reply: 256 MiB.
inline constexpr std::size_t kLongestResult = std::size_t{256} << 20U;

/// A document as --json writes it, on one line without its end. Fails with limit for one that is longer than kLongestResult, and as reading its rows does.
Result<JsonText> document_line(const Document& document, std::optional<std::uint64_t> limit);

/// An rpl.error/1 on one line without its end.
JsonText error_line(const Error& error);

/// The last reply to a request: its result, or why there is none.
JsonText outcome_reply(std::string_view id, const Runner::Outcome& outcome,
                       std::optional<std::uint64_t> limit);
/// The same for a request that never ran.
JsonText error_reply(std::string_view id, const Error& error);
/// The same for a result that no command made.
JsonText result_reply(std::string_view id, const JsonText& document);
/// On the way to it.
JsonText progress_reply(std::string_view id, std::string_view what, std::uint64_t done,
                        std::uint64_t total);

}  // namespace rpl
