// SPDX-License-Identifier: MIT
#include "tests/support/loop_examples.h"
#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "shell/commands/all.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/core/session/known_sessions.h"
#include "shell/core/session/session_log.h"
#include "shell/render/render.h"
#include "tests/support/example_lines.h"
#include "tests/support/model_server.h"
#include "tests/support/temp_dir.h"

#include <filesystem>
#include <stdexcept>

namespace rpl::testing_support {
namespace {

namespace fs = std::filesystem;

Status nowhere(OutputBytes) { return {}; }

void replace_all(std::string& line, std::string_view word, const std::string& by) {
  for (std::size_t at = line.find(word); at != std::string::npos;
       at = line.find(word, at + by.size())) {
    line.replace(at, word.size(), by);
  }
}

/// Made after p1 to p12, those of `iterate`: what these two gain is more than the model may be off.
constexpr const char *kAccepted = "p13", *kProposed = "p14";

/// The sessions that examples start from, made once: compiling takes its time.
class Made {
 public:
  Made() : before_(fs::current_path()) {
    const std::string original = *read_text_file(RPL_EXAMPLES_DIR "/hip/softmax.hip");
    reset_source(original);
    original_ = original;
    std::string edited = original;
    replace_all(edited, "1.0f / sum", "1.0F / sum");
    if (!write_file(edited_, edited)) throw std::runtime_error("cannot write " + edited_);
    run(accepted_, "iterate --source " + source_ +
                       " --capture " RPL_EXAMPLES_DIR "/captures/softmax --to propose");
    run(accepted_, "propose rule restrict --assume-captured");
    run(accepted_, fmt::format("finish {}", kAccepted));
    // Four loads before the first store.
    std::string blocks = original;
    replace_all(blocks, "  for (int i = 0; i < columns; ++i) y[i]",
                "  int first = 0;\n"
                "  for (; first + 4 <= columns; first += 4) {\n"
                "    float part[4];\n"
                "    for (int i = 0; i < 4; ++i) part[i] = x[first + i];\n"
                "    for (int i = 0; i < 4; ++i) y[first + i] = expf(part[i] - highest) * scale;\n"
                "  }\n"
                "  for (int i = first; i < columns; ++i) y[i]");
    if (!write_file(in_blocks_, blocks)) throw std::runtime_error("cannot write " + in_blocks_);
    run(accepted_, "propose edit " + in_blocks_);
    fs::copy(accepted_ + "/optimizations/o1/base.co", slower_);
    fs::copy(accepted_ + fmt::format("/proposals/{}/candidate.co", kAccepted), faster_);
    run(accepted_, fmt::format("export evidence {} -o {}", kAccepted, evidence_));
    fs::copy(accepted_, approved_, fs::copy_options::recursive);
    run(approved_, fmt::format("approve {} --accept-modelled", kAccepted));
    changed_ = *read_text_file(source_);
  }

  /// How far the session is: kAccepted accepted, the others proposed; that one in the source; most proposals decided, for what decides all that are left.
  enum class Stage { accepted, approved, nearly_done };

  void prepare(Context& context, Stage stage) {
    reset_source(stage == Stage::approved ? changed_ : original_);
    if (stage == Stage::nearly_done && !fs::exists(nearly_done_)) {
      fs::copy(accepted_, nearly_done_, fs::copy_options::recursive);
      trust(nearly_done_);
      run(nearly_done_, "continue --limit 9");
    }
    const std::string session = folder_ / ("session" + std::to_string(++sessions_));
    const std::string& kept = stage == Stage::approved      ? approved_
                              : stage == Stage::nearly_done ? nearly_done_
                                                            : accepted_;
    fs::copy(kept, session, fs::copy_options::recursive);
    trust(session);
    const auto started =
        context.log().start({.folder = session, .create = SessionLog::Create::at_once});
    if (!started) throw std::runtime_error(started.error().message);
  }

  /// A language model that always proposes the same.
  void set_up_model(Context& context) {
    if (!server_) {
      const std::string reply =
          *read_text_file(RPL_EXAMPLES_DIR "/cassettes/replies/3-unrolled.md");
      server_ = std::make_unique<ModelServer>(
          std::vector<ServerAnswer>{streamed_answer(llm::Dialect::chat, reply)});
    }
    const std::pair<const char*, Value> settings[] = {{"llm endpoint", Value(server_->url())},
                                                      {"llm model", Value("example-model")},
                                                      {"llm consent", Value(true)}};
    for (const auto& [name, value] : settings) {
      if (!context.settings().set(name, value)) throw std::runtime_error(name);
    }
  }

  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] const std::string& edited() const { return edited_; }
  [[nodiscard]] const std::string& slower() const { return slower_; }
  [[nodiscard]] const std::string& faster() const { return faster_; }
  [[nodiscard]] const std::string& evidence() const { return evidence_; }

 private:
  void reset_source(const std::string& text) const {
    if (!write_file(source_, text)) throw std::runtime_error("cannot write " + source_);
  }

  /// The state folder may be another one than that of whoever made the session.
  static void trust(const std::string& session) {
    if (!KnownSessions::standard().trust(session)) throw std::runtime_error("untrusted");
  }

  static void run(const std::string& session, const std::string& line) {
    Context context;
    add_all_commands(context.registry());
    // One rule is enough, and soon decided.
    const Status scope = context.settings().set("optimize scope", Value("v1"));
    Console console(context, render, nowhere, nowhere);
    const auto started =
        context.log().start({.folder = session, .create = SessionLog::Create::at_once});
    if (!scope || !started || console.run(line) != 0) throw std::runtime_error("failed: " + line);
  }

  // The examples stand for a person who says yes.
  const PolicyScope yes_{Policy{.granted = {Capability::approve}}};
  TempDir folder_;
  fs::path before_;
  const std::string source_ = folder_ / "softmax.hip", edited_ = folder_ / "edited.hip",
                    in_blocks_ = folder_ / "in_blocks.hip";
  const std::string slower_ = folder_ / "slower.co", faster_ = folder_ / "faster.co",
                    evidence_ = folder_ / "evidence.tar.zst";
  const std::string accepted_ = folder_ / "accepted", approved_ = folder_ / "approved",
                    nearly_done_ = folder_ / "nearly_done";
  std::string original_, changed_;
  int sessions_ = 0;
  std::unique_ptr<ModelServer> server_;
};

Made& made() {
  static Made sessions;
  return sessions;
}

}  // namespace

bool about_the_loop(const Command& command, const std::string& example) {
  if (about_the_debugger(command, example)) return false;
  if (command.chapter == Class::stepping || command.path.starts_with("propose ") ||
      command.path.starts_with("contract "))
    return true;
  for (const char* word :
       {"SOURCE", "EDITED", "FASTER", "EVIDENCE", "PROPOSED", "ACCEPTED", "APPROVED"}) {
    if (example.find(word) != std::string::npos) return true;
  }
  return command.path == "session undo" || command.path == "trust session" ||
         command.path == "prompt" || command.path == "info proposals" ||
         command.path == "info measurements";
}

bool loop_examples_can_run() { return fs::exists("/usr/lib/llvm-19/bin/clang"); }

std::string prepare_loop_example(Context& context, std::string example) {
  const bool approved = example.find("APPROVED") != std::string::npos || example == "session undo";
  const bool decides_all = example.starts_with("optimize ");
  made().prepare(context, approved      ? Made::Stage::approved
                          : decides_all ? Made::Stage::nearly_done
                                        : Made::Stage::accepted);
  if (example.find("llm") != std::string::npos) made().set_up_model(context);
  const fs::path contract = fs::path(made().source()).replace_extension(".contract");
  fs::remove(contract);
  if (example.starts_with("contract ") &&
      !write_file(contract.string(), std::string_view("rows in 1..1024\n")))
    throw std::runtime_error("cannot write " + contract.string());
  replace_all(example, "SOURCE", made().source());
  replace_all(example, "EDITED", made().edited());
  replace_all(example, "SLOWER", made().slower());
  replace_all(example, "FASTER", made().faster());
  replace_all(example, "EVIDENCE", made().evidence());
  for (const char* word : {"ACCEPTED", "APPROVED"}) replace_all(example, word, kAccepted);
  replace_all(example, "PROPOSED", kProposed);
  return example;
}

}  // namespace rpl::testing_support
