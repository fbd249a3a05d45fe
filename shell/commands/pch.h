// SPDX-License-Identifier: MIT
// Precompiled for the shell: the headers through which nearly all of it sees the rest.
#pragma once

#include "engine/base/pch.h"
#include "engine/emu/launch.h"
#include "engine/replay/replay.h"
#include "shell/command/define.h"
#include "shell/commands/context.h"
#include "shell/commands/opened.h"
