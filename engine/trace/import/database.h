// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/store/foreign.h"
#include "engine/trace/import/rocpd/verify_database.h"

namespace rpl {

/// Opens a database of a recording, as ForeignDatabase::open() does. One that gzip or zstd packed is unpacked to a private temporary folder first, because
/// its pages are read in any order; the folder is removed with the object. Fails also with limit, before anything is opened, where the temporary
/// folder has no room for it, naming what to do.
Result<std::shared_ptr<ForeignDatabase>> open_recorded_database(const std::string& path,
                                                                const Monitor& monitor = {});

/// verify_database() of a file, packed or not. Fails also as open_recorded_database() does.
Result<Verification> verify_recording(const std::string& path, const Monitor& monitor = {});

}  // namespace rpl
