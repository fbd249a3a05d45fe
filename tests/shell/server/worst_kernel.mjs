// SPDX-License-Identifier: MIT
// An agent finds the worst kernel of a program, says why, has a change proposed and proven, and approves it. Prints what it found as one JSON object.
// SOURCE: a HIP program, to be built as PROGRAM. RPL, MCP_SDK: as mcp_connect.mjs takes them.
import assert from 'node:assert/strict';
import { connect } from './mcp_connect.mjs';

const { SOURCE: source, PROGRAM: program } = process.env;
// That an agent may build, run and decide is said where rpl is started.
const { client, call, result } = await connect('worst_kernel', ['--tools', 'all', '--allow', 'approve', '--allow', 'run', '--allow', 'write', '.']);

await result('build', { source, output: program });
await result('profile', { program: ['./' + program], deep_analysis: true, focus_critical: true, quiet: true });
const [worst] = (await result('critpath', { limit: 1 })).rows;
const [why] = (await result('classify', { kernel: worst.id })).rows;
const frozen = await result('capture_run', { kernel: worst.kernel, output: 'frozen', program: ['./' + program], quiet: true });
const loop = await result('iterate', { source, capture: frozen.path, all: true });
const proposal = await result('info_proposal', { proposal: loop.best });
const unconvinced = await call('approve', { proposal: loop.best });
assert.equal(unconvinced.isError, true, 'a modelled gain is approved only when that is said');
const approved = await result('approve', { proposal: loop.best, accept_modelled: true });
await client.close();
console.log(JSON.stringify({
  worst: worst.kernel, path_share: worst.share, label: why.label, accepted: loop.best, title: proposal.title,
  verdict: proposal.evidence.decide.verdict, ratio: proposal.evidence.decide.ratio, state: approved.state,
}));
