// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/encode.h"
#include "engine/base/result.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

class Context;

/// Reads one line from the person; nullopt when nobody answers.
using AskLine = std::function<std::optional<std::string>(const TerminalText& question)>;

/// Runs ~/.config/rpl/init.rpl and init.lua, then .rpl/init.rpl and .rpl/init.lua of the current folder if a person trusts their
/// content: at the prompt `ask` asks once (and `out` shows the content), otherwise they are skipped and a note names `trust`. A file that fails does not stop the start.
void run_init_files(Context& context, const AskLine& ask, const Sink& out);

struct ScriptText {
  std::string path, content;
};

/// A script with what it runs in its turn, each once, as far as its words say so: `source FILE`, require, dofile, of paths relative to the working folder.
/// What cannot be read is not there to run either. Fails with limit above 16 MiB or 1000 files together, more than anybody reads before saying yes, and with interrupted.
Result<std::vector<ScriptText>> with_sourced(const std::string& path, std::string_view content);

/// Which files of which content a person has allowed to run on their own: a project's init files. Remembered by absolute path
/// and SHA-256 of the content, one a line, in a file that only its owner may read; a changed file asks again.
class TrustStore {
 public:
  explicit TrustStore(std::string path) : path_(std::move(path)) {}
  /// `trusted` in state_folder().
  static TrustStore standard();

  [[nodiscard]] bool trusts(const std::string& file, std::string_view content) const;
  Status trust(const std::string& file, std::string_view content) const;
  /// The same of everything that with_sourced() found. Fails with io, denied, interrupted.
  Status trust_all(const std::vector<ScriptText>& scripts) const;

 private:
  std::string path_;
};

/// While a project's init file runs, what it sources must be trusted as it is: a later change of it asks again, as one of the file itself does.
class TrustedStart {
 public:
  TrustedStart();
  TrustedStart(const TrustedStart&) = delete;
  TrustedStart& operator=(const TrustedStart&) = delete;
  ~TrustedStart();
};

/// Fails with denied while a project's init file runs and nobody trusts this content of a script that it wants to run; scripts that came with rpl pass.
Status check_trusted(const std::string& path, std::string_view content);

/// The init files that a project folder may have, in the order in which they run.
std::vector<std::string> project_init_files();

}  // namespace rpl
