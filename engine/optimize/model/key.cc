// SPDX-License-Identifier: MIT
#include "engine/optimize/model/key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>

#include "engine/base/files.h"
#include "engine/process/run.h"

namespace rpl::llm {
namespace {

constexpr std::size_t kLongestKey = 16 * 1024;
constexpr const char* kFile = "'set llm key-file FILE' names a file of your own that holds the key";
constexpr const char* kCommand =
    "'set llm key-command COMMAND' takes a command that prints the key; run it by hand to see what "
    "fails";

/// What was in the environment and is no more. Of the thread that runs commands.
std::map<std::string, std::string>& taken_variables() {
  static std::map<std::string, std::string> taken;
  return taken;
}

Result<std::string> from_environment(const std::string& name) {
  if (!is_variable_name(name)) {
    return fail(Errc::usage, "'llm key-env' takes the name of an environment variable, not a key",
                "export MY_KEY=… outside, then 'set llm key-env MY_KEY'");
  }
  take_key_variable(name);
  const auto& taken = taken_variables();
  const auto found = taken.find(name);
  if (found == taken.end() || found->second.empty())
    return fail(
        Errc::not_found, fmt::format("the environment has no {}, which is to hold the key", name),
        fmt::format(
            "export {}=… in the shell that starts rpl, or name another: set llm key-env NAME",
            name));
  return found->second;
}

/// Looks at the file that it reads, not at one that had the name before.
Result<std::string> from_file(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0)
    return fail(Errc::not_found,
                fmt::format("cannot read the key file {}: {}", path, std::strerror(errno)), kFile);
  struct stat facts{};
  if (fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return fail(Errc::denied, fmt::format("the key file {} is not a regular file", path), kFile);
  if (facts.st_uid != geteuid())
    return fail(Errc::denied, fmt::format("the key file {} belongs to another user", path), kFile);
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(Errc::denied, fmt::format("others may read or write the key file {}", path),
                fmt::format("chmod 600 {}", path));
  }
  std::array<char, kLongestKey> bytes{};
  const ssize_t size = read(file.get(), bytes.data(), bytes.size());
  if (size < 0)
    return fail(Errc::io,
                fmt::format("cannot read the key file {}: {}", path, std::strerror(errno)), kFile);
  return std::string(bytes.data(), static_cast<std::size_t>(size));
}

Result<std::string> from_command(const std::string& command) {
  constexpr std::chrono::minutes kPatience{2};
  const auto ended = run({.argv = {"/bin/sh", "-c", command},
                          .program = Program::tool,
                          .timeout = kPatience,
                          .capture_limit = kLongestKey});
  if (!ended) return fail(ended.error().code, "the key command cannot be run", kCommand);
  // What it printed may be the key: it goes into no message.
  if (!ended->ok())
    return fail(Errc::io, fmt::format("the key command ended with status {}", ended->code),
                kCommand);
  return ended->out.text.substr(0, ended->out.text.find('\n'));
}

Result<std::string> raw_key(const KeySource& source) {
  if (!source.environment.empty()) return from_environment(source.environment);
  if (!source.file.empty()) return from_file(source.file);
  return from_command(source.command);
}

}  // namespace

Result<std::string> read_key(const KeySource& source) {
  const int given = (source.environment.empty() ? 0 : 1) + (source.file.empty() ? 0 : 1) +
                    (source.command.empty() ? 0 : 1);
  if (given == 0) return std::string();
  if (given > 1)
    return fail(Errc::usage, "the key has several sources",
                "keep one of llm key-env, llm key-file and llm key-command; 'set llm key-env none' "
                "clears one");
  std::string key = TRY(raw_key(source));
  while (!key.empty() && std::isspace(static_cast<unsigned char>(key.back())) != 0) key.pop_back();
  if (key.empty())
    return fail(Errc::not_found, "the key is empty",
                "look at what llm key-env, llm key-file or llm key-command names: show llm");
  const bool fits =
      std::all_of(key.begin(), key.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
  if (!fits || key.size() >= kLongestKey)
    return fail(Errc::usage, "the key holds characters that no header takes",
                "a key is one line of printable ASCII without blanks; show llm names its source");
  return key;
}

void take_key_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return;
  taken_variables()[name] = value;
  ::unsetenv(name.c_str());
}

std::vector<std::string> taken_key_variables() {
  std::vector<std::string> out;
  for (const auto& [name, value] : taken_variables())
    out.push_back(fmt::format("{}={}", name, value));
  return out;
}

bool is_variable_name(std::string_view text) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), letter);
}

std::string without_key(std::string text, const std::string& key) {
  constexpr std::string_view kInstead = "[key]";
  if (key.empty()) return text;
  for (std::size_t at = text.find(key); at != std::string::npos;
       at = text.find(key, at + kInstead.size()))
    text.replace(at, key.size(), kInstead);
  return text;
}

}  // namespace rpl::llm
