// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Talking to a language model: what is asked and answered, whatever the server's dialect.
namespace rpl::llm {

/// How a server wants requests and gives replies.
enum class Dialect {
  chat,       ///< OpenAI chat completions, and what llama.cpp, vLLM and Ollama offer
  responses,  ///< OpenAI responses
  messages,   ///< Anthropic messages
};
std::string_view to_string(Dialect dialect);
std::optional<Dialect> dialect_named(std::string_view name);

struct Turn {
  bool by_model = false;  ///< false: ours
  std::string text;
};

struct ChatRequest {
  std::string model;
  std::string instructions;  ///< what holds for the whole conversation
  std::vector<Turn> turns;   ///< the last one is ours
  std::optional<double> temperature;
  std::int64_t max_tokens = 8192;  ///< of the reply
};

/// What the server counted; nothing where it did not say.
struct TokenUse {
  std::optional<std::int64_t> input, output;
};

struct ChatReply {
  std::string text;
  std::string
      finish;  ///< in the server's word: "stop", "end_turn", "length"; empty: it did not say
  bool out_of_tokens = false;  ///< it stopped because of max_tokens
  TokenUse tokens;
  std::string model;  ///< that answered, in the server's word; may be empty
};

/// What went wrong with one request.
enum class Trouble {
  none,
  connect,       ///< no connection, or it broke before anything came
  timeout,       ///< connecting, waiting for the next byte, or altogether
  interrupted,   ///< Ctrl-C
  oversize,      ///< more bytes than allowed
  redirect,      ///< the server sends us elsewhere: not followed
  key_refused,   ///< 401 or 403
  rate_limit,    ///< 429
  bad_request,   ///< 400 and other 4xx
  server_fault,  ///< 5xx, 529, 408, 409
  cut_stream,    ///< the reply ended before its end
  stream_error,  ///< an error was sent inside the stream
  malformed,     ///< not the JSON of the dialect
};
/// "connect", "time-out", …: stable names for logs.
std::string_view to_string(Trouble trouble);

/// Trouble and a sentence about it.
struct Problem {
  Trouble trouble = Trouble::none;
  std::string message;
  bool again = false;  ///< the same request may work later
};

}  // namespace rpl::llm
