// SPDX-License-Identifier: MIT
#include "shell/core/session/face.h"

#include "shell/core/session/script_host.h"

namespace rpl {
namespace {

class NullFace final : public Face {
 public:
  int run_line(std::string_view) override { return exit_status(Errc::internal); }
  Result<Document> evaluate_line(std::string_view) override {
    return fail(Errc::internal, "no console runs command lines");
  }
  Status write(OutputBytes) override { return {}; }
  Status show(const Document&) override { return {}; }
  bool confirm(std::string_view, bool otherwise) override { return otherwise; }
  void announce(std::string_view) override {}
  void suggest(std::vector<std::string>, Document&) override {}
  bool waits_for(const std::function<bool()>&, std::chrono::milliseconds) override { return true; }
  Status edit_copy(const std::string&, const std::string&, Error otherwise) override {
    return Failure(std::move(otherwise));
  }
  void add_displays(const std::function<void()>& add) override { add(); }
  Result<Document> start_script(ScriptHost& scripts, const std::string& path) override {
    return scripts.run_file(path, {});
  }
  void resume_after_interrupt() override {}
  bool watch(std::shared_ptr<LineWatcher>) override { return false; }
  std::shared_ptr<LineWatcher> watcher() const override { return nullptr; }
  bool full_screen(std::string_view) override { return false; }
};

}  // namespace

std::optional<std::string> Face::read_line(std::string_view prompt) {
  return state_.source ? state_.source(prompt) : std::nullopt;
}

Face::LineSource Face::read_from(LineSource source) {
  return std::exchange(state_.source, std::move(source));
}

std::unique_ptr<Face> null_face() { return std::make_unique<NullFace>(); }

}  // namespace rpl
