// SPDX-License-Identifier: MIT
// Precompiled for the commands and the Lua layer: the headers through which nearly all of them see the rest.
#pragma once

#include "engine/base/pch.h"
#include "shell/command/define.h"
#include "shell/commands/context.h"
