// SPDX-License-Identifier: MIT
#include "shell/core/session/script_host.h"

namespace rpl {
namespace {

Failure no_language() {
  return fail(Errc::missing_capability,
              "this build of rpl has no Lua, which expressions and conditions need",
              "run the program rpl itself");
}

class NoScripts final : public ScriptHost {
 public:
  Result<Document> run_file(const std::string&, const std::vector<std::string>&) override {
    return no_language();
  }
  Result<Document> load_file(const std::string&) override { return no_language(); }
  Result<Document> load_text(const std::string&, const std::string&) override {
    return no_language();
  }
  Result<Document> evaluate(const std::string&) override { return no_language(); }
  Result<Document> evaluate_expression(const std::string&) override { return no_language(); }
  Result<Condition> condition(const std::string&) override { return no_language(); }
  Result<Predicate> predicate(const std::string&) override { return no_language(); }
  Result<std::pair<Value, Predicate>> space_of(const std::string&) override {
    return no_language();
  }
  Status available() const override { return no_language(); }
};

}  // namespace

std::unique_ptr<ScriptHost> no_scripts() { return std::make_unique<NoScripts>(); }

}  // namespace rpl
