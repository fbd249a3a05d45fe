// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"

#include <tuple>

#include "engine/optimize/rules/catalogue.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/displays.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/user_commands.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {

struct Context::Parts {
  Registry registry;
  Settings settings;
  Monitor monitor;
  Workspace workspace;
  DebugState debug;
  Values values;
  Events events;
  std::vector<UserRule> user_rules;
  UserCommands user_commands;
  Displays displays;
  SessionLog log{monitor};
  Jobs jobs;
  std::unique_ptr<Face> nobody = null_face();
  std::vector<Face*> faces{nobody.get()};  ///< the last one is in use
  std::unique_ptr<ScriptHost> scripts = no_scripts();
};

Context::Context() : parts_(std::make_unique<Parts>()) {
  for (const auto add :
       {add_core_settings, add_hardware_settings, add_counter_settings, add_model_settings,
        add_slurm_settings, add_target_settings, add_agent_settings})
    add(parts_->settings);
}

Context::~Context() = default;

Registry& Context::registry() const { return parts_->registry; }
Settings& Context::settings() const { return parts_->settings; }
Workspace& Context::workspace() const { return parts_->workspace; }
Values& Context::values() const { return parts_->values; }
Events& Context::events() const { return parts_->events; }
SessionLog& Context::log() const { return parts_->log; }
Jobs& Context::jobs() const { return parts_->jobs; }
Displays& Context::displays() const { return parts_->displays; }
UserCommands& Context::user_commands() const { return parts_->user_commands; }
DebugState& Context::debug() const { return parts_->debug; }
Monitor& Context::monitor() const { return parts_->monitor; }
std::vector<UserRule>& Context::user_rules() const { return parts_->user_rules; }
ScriptHost& Context::scripts() const { return *parts_->scripts; }
Face& Context::face() const { return *parts_->faces.back(); }

void Context::attach(Face& face) {
  face.take_over(this->face());
  parts_->faces.push_back(&face);
}

void Context::detach(Face& face) {
  const bool in_use = parts_->faces.back() == &face;
  std::erase(parts_->faces, &face);
  if (in_use) this->face().take_over(face);
}

void Context::use(std::unique_ptr<ScriptHost> host) { parts_->scripts = std::move(host); }

Inputs::Inputs(const Context& context)
    : workspace(context.workspace()),
      settings(context.settings()),
      values(context.values()),
      events(context.events()),
      monitor(context.monitor()) {}

template <class Part>
Part& part(Context& context) {
  return std::get<Part&>(std::tie(context.registry(), context.settings(), context.workspace(),
                                  context.values(), context.events(), context.log(), context.jobs(),
                                  context.displays(), context.user_commands(), context.debug(),
                                  context.monitor(), context.face(), context.scripts()));
}

template Registry& part<Registry>(Context&);
template Settings& part<Settings>(Context&);
template Workspace& part<Workspace>(Context&);
template Values& part<Values>(Context&);
template Events& part<Events>(Context&);
template SessionLog& part<SessionLog>(Context&);
template Jobs& part<Jobs>(Context&);
template Displays& part<Displays>(Context&);
template UserCommands& part<UserCommands>(Context&);
template DebugState& part<DebugState>(Context&);
template Monitor& part<Monitor>(Context&);
template Face& part<Face>(Context&);
template ScriptHost& part<ScriptHost>(Context&);

}  // namespace rpl
