// SPDX-License-Identifier: MIT
#pragma once

#include "engine/process/run.h"
#include "engine/source/build/build.h"

namespace rpl {

/// Runs a compiler on a request. One whose source is of somebody who may not see other files (BuildRequest::confined), and every one of a restricted session,
/// reads the toolchain, the sources, and the headers (by their names) beside them and in the folders of the request, and writes into
/// `writable` alone (process/confine.h). Where the machine cannot confine programs it fails with denied in a restricted session; for a person it runs all
/// the same, and unconfined_note() says so. A confined one that takes Compiler::confined_seconds, or all of its memory, fails with limit.
Result<Exit> run_compiler(const Compiler& compiler, const BuildRequest& request, const Spawn& spawn,
                          const std::vector<std::string>& writable);
/// Fails with limit where a confined compiler ended because of its time, or of the memory that it may take.
Status check_limits(const Compiler& compiler, std::uint64_t memory_bytes, const Exit& exit);
/// Whether run_compiler() confines it.
bool is_confined(const BuildRequest& request);
/// Whether run_compiler() runs it at all. Where it does not, what is kept of earlier builds is not for this session either.
bool may_compile(const BuildRequest& request);
/// What a person is told once about a request that should have been confined and was not; "" otherwise.
std::string unconfined_note(const BuildRequest& request);

}  // namespace rpl
