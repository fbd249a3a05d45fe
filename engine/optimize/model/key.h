// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl::llm {

/// Where the key comes from: at most one of them. None: servers that ask for no key.
struct KeySource {
  std::string environment;  ///< name of a variable
  std::string file;         ///< a regular file of ours that nobody else may read
  std::string command;      ///< for /bin/sh; the key is the first line that it prints
};

/// A key, or "" when there is no source. No error says anything of its content. Fails with not_found for an absent variable or file, denied for a
/// file of another user or with permissions for others, usage for several sources or a key that fits no header, io when the command fails.
Result<std::string> read_key(const KeySource& source);

/// Takes a variable that holds a key out of this process' environment, so that no program that is started has it; read_key() still knows its value.
void take_key_variable(const std::string& name);

/// Those that were taken, as NAME=value, for a process that is this program itself.
std::vector<std::string> taken_key_variables();

/// Whether a text may be the name of a variable: a key typed in its place is caught before it is used.
bool is_variable_name(std::string_view text);

/// `text` with every occurrence of the key replaced by "[key]": servers echo it.
std::string without_key(std::string text, const std::string& key);

}  // namespace rpl::llm
