// SPDX-License-Identifier: MIT
// The settings `llm …`: which language model is asked, if any. Nothing is sent while there is no endpoint.
#include "engine/optimize/model/key.h"
#include "engine/optimize/model/transport.h"
#include "shell/core/command/settings.h"

namespace rpl {
namespace {

bool is_given(const Value& value) {
  const auto* text = value.as<std::string>();
  return text != nullptr && !text->empty() && *text != "none";
}

Status is_endpoint(const Value& value) {
  // Whether http may be used is decided when something is sent: 'llm allow-http' may come later.
  if (is_given(value)) TRY(llm::check_endpoint(*value.as<std::string>(), true));
  return {};
}

Status is_variable(const Value& value) {
  if (!is_given(value)) return {};
  if (llm::is_variable_name(*value.as<std::string>())) {
    llm::take_key_variable(*value.as<std::string>());
    return {};
  }
  return fail(Errc::usage, "takes the name of an environment variable, not a key",
              "put the key into a variable and name that: set llm key-env MY_KEY");
}

}  // namespace

void add_model_settings(Settings& settings) {
  constexpr double kMostTemperature = 2, kMostTokens = 1e6, kMostSeconds = 86'400,
                   kMostRequests = 1e6, kMostBudget = 1e12;
  settings.add("llm endpoint", {},
               "base URL of a language model's server, as http://localhost:8080/v1; none: nothing "
               "is sent anywhere",
               is_endpoint);
  settings.add("llm dialect", "chat", {"chat", "responses", "messages"},
               "what the server speaks: OpenAI chat (llama.cpp, vLLM, Ollama too), OpenAI "
               "responses, or Anthropic messages");
  settings.add("llm model", {}, "name of the model, as the server knows it");
  settings.add("llm temperature", 0.2, within(0, kMostTemperature),
               "how much replies vary; left out for models that refuse it");
  settings.add("llm max-tokens", 8192, within(1, kMostTokens), "longest reply");
  settings.add("llm timeout", 600, within(1, kMostSeconds), "seconds that one request may take");
  settings.add("llm max-requests", 50, within(0, kMostRequests),
               "requests that one session may send, repetitions included");
  settings.add("llm token-budget", 500'000, within(0, kMostBudget),
               "tokens that one session may use, questions and replies together");
  settings.add("llm key-env", {}, "environment variable that holds the key; none: no key",
               is_variable);
  settings.add("llm key-file", {},
               "file that holds the key, yours and unreadable for others; none: no file");
  settings.add("llm key-command", {}, "shell command that prints the key; none: no command");
  settings.add("llm key-header", {},
               "header that carries the key; none: Authorization, or x-api-key for messages");
  settings.add("llm consent", false, "the kernel's source and profile may be sent to the endpoint");
  settings.add("llm allow-http", false, "http without encryption also to other machines");
  settings.add("llm cassette", {}, "file of recorded exchanges; none: no file");
  settings.add("llm cassette-mode", "auto", {"off", "record", "replay", "auto"},
               "with a cassette: record every exchange, replay without sending, auto: replay what "
               "is there and record the rest, or off");
  // Where sources go, with which key, and how much of somebody's money it may cost.
  for (const char* name :
       {"llm endpoint", "llm key-env", "llm key-file", "llm key-command", "llm key-header",
        "llm consent", "llm allow-http", "llm max-requests", "llm token-budget"})
    settings.guard(name, {Capability::trust});
  settings.guard("llm cassette", {Capability::write});
  settings.keep_secret("llm key-command");
}

}  // namespace rpl
