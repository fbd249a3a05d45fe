// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/query.h"
#include "shell/command/define.h"
#include "shell/commands/loaded.h"

namespace rpl {

/// Which dispatches a command looks at. Commands that filter derive their arguments from it.
struct DispatchFilterArgs {
  std::string kernel, stream, queue, agent, from, to, min;
};

/// The query that the arguments ask for; resolves names and times.
Result<DispatchQuery> query_of(const Context& context, const Trace& trace,
                               const DispatchFilterArgs& args);

/// Whether any filter was given.
bool filters(const DispatchFilterArgs& args);

/// The options --kernel, --stream, --queue, --agent, --from, --to and --min, in front of a command's own.
template <class Args>
std::vector<Bound<Args>> with_filters(std::vector<Bound<Args>> own) {
  const auto text = [](const char* name, std::string DispatchFilterArgs::*member, const char* help,
                       const char* placeholder) {
    Param param;
    param.name = name;
    param.help = help;
    param.placeholder = placeholder;
    return Bound<Args>(std::move(param), [member](Args& args, const Value& value) {
      args.*member = *value.as<std::string>();
    });
  };
  std::vector<Bound<Args>> all;
  all.push_back(text("kernel", &DispatchFilterArgs::kernel,
                     "only these kernels: id, name or part of it, /regex/", "K")
                    .completes(Complete::kernel));
  all.push_back(text("stream", &DispatchFilterArgs::stream, "only this stream", "S")
                    .completes(Complete::stream));
  all.push_back(text("queue", &DispatchFilterArgs::queue, "only this hardware queue", "Q"));
  all.push_back(text("agent", &DispatchFilterArgs::agent, "only this device", "A"));
  all.push_back(text("from", &DispatchFilterArgs::from,
                     "only what starts at this time or later: 12ms from the beginning", "TIME"));
  all.push_back(text("to", &DispatchFilterArgs::to, "only what starts before this time", "TIME"));
  all.push_back(
      text("min", &DispatchFilterArgs::min, "only what takes at least so long: 40us", "TIME"));
  for (Bound<Args>& bound : own) all.push_back(std::move(bound));
  return all;
}

}  // namespace rpl
