// SPDX-License-Identifier: MIT
// Precompiled for the shell: the headers through which nearly all of it sees the rest.
#pragma once

#include "engine/base/pch.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/replay/replay.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
