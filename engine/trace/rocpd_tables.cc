// SPDX-License-Identifier: MIT
#include "engine/trace/reader.h"

namespace rpl {

std::unique_ptr<FileTables> rocpd_tables(std::shared_ptr<ForeignDatabase>) { return nullptr; }

}  // namespace rpl
