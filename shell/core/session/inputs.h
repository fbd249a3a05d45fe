// SPDX-License-Identifier: MIT
#pragma once

namespace rpl {

class Context;
class Events;
class Settings;
class Values;
class Workspace;
struct Monitor;

/// The parts with which arguments are understood: what is open, selected and set, and who hears of what is opened. Made of a context, so that
/// whoever holds one may pass it.
struct Inputs {
  Inputs(const Context& context);

  Workspace& workspace;
  const Settings& settings;
  Values& values;
  Events& events;
  const Monitor& monitor;
};

}  // namespace rpl
