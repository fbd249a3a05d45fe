// SPDX-License-Identifier: MIT
// rpl-model-server [--dialect chat|responses|messages] [--key KEY] ANSWER... -- COMMAND ARGS...
// Runs a command with a language-model server beside it that answers from a script; {endpoint} in its arguments becomes the server's URL.
// ANSWER: --reply FILE, --whole FILE (not streamed), --cut FILE, --fail-in FILE (an error inside the stream), --status N. In order; the last one again and again.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/model_server.h"

namespace {

using namespace rpl;
using namespace rpl::testing_support;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fmt::print(stderr, "rpl-model-server: cannot read {}\n", path);
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

int run_beside(const ModelServer& server, std::vector<std::string> command) {
  std::vector<char*> argv;
  for (std::string& word : command) {
    const std::string mark = "{endpoint}";
    for (std::size_t at = word.find(mark); at != std::string::npos; at = word.find(mark))
      word.replace(at, mark.size(), server.url());
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  llm::Dialect dialect = llm::Dialect::chat;
  std::string key;
  std::vector<ServerAnswer> script;
  std::size_t i = 0;
  for (; i + 1 < words.size() && words[i] != "--"; i += 2) {
    const std::string& option = words[i];
    const std::string& value = words[i + 1];
    if (option == "--dialect") dialect = llm::dialect_named(value).value_or(dialect);
    if (option == "--key") key = value;
    if (option == "--reply") script.push_back(streamed_answer(dialect, text_of(value)));
    if (option == "--whole") script.push_back(whole_answer(dialect, text_of(value)));
    if (option == "--cut") script.push_back(cut_answer(dialect, text_of(value)));
    if (option == "--fail-in")
      script.push_back(error_in_stream(dialect, text_of(value), "overloaded_error"));
    if (option == "--status")
      script.push_back(error_answer(std::atoi(value.c_str()), "scripted_error",
                                    "as the script says", {"Retry-After: 0"}));
  }
  if (script.empty() || i + 1 >= words.size()) {
    fmt::print(stderr,
               "usage: rpl-model-server [--dialect D] [--key K] ANSWER... -- COMMAND ARGS...\n");
    return 2;
  }
  const ModelServer server(std::move(script), key);
  return run_beside(server, {words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end()});
}
