// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace rpl {

class Face;
class Settings;
class Jobs;
class SessionLog;
class Workspace;
struct Monitor;

/// What goes on while the person types. Traces that `open` announced while they were still being read: what they hold is told when it
/// is known. Jobs: lines that run in shells of their own.

/// Whether any is being read, or has been and was not told.
bool expects_counts(const Workspace& workspace);

/// The banners of those that are read by now, or why they could not be, a line each; "" for none. Each is given once, and kept
/// in the session before. What could not be read is closed.
std::string arrived_counts(Workspace& workspace, const Monitor& monitor, SessionLog& log);

/// Whether the shell may end now: no job runs and no kernel is stopped, nobody is there, or the person says so.
bool may_leave(const Jobs& jobs, const Workspace& workspace, const Settings& settings, Face& face);

/// Stops the jobs that still run; a sentence for each.
std::vector<std::string> end_jobs(const Jobs& jobs);

}  // namespace rpl
