// SPDX-License-Identifier: MIT
// An agent, as far as the protocol sees it: the official client against `rpl --interpreter mcp`. Prints what it learns; fails at the first thing that is not as it must be.
// RPL: the program. MCP_SDK: the folder with node_modules. TRACE: a recording.
import assert from 'node:assert/strict';
import { connect } from './mcp_connect.mjs';

// The core first: what a client gets that asks for nothing else.
const core = await connect('mcp_client_test');
const coreTools = (await core.client.listTools()).tools;
assert.ok(coreTools.length <= 15, `${coreTools.length} tools`);
assert.match(core.client.getInstructions(), /person's decision/);
assert.equal((await core.result('open', { path: [process.env.TRACE] })).schema, 'rpl.parts/1');
assert.equal((await core.result('diagnose')).parts[0].result.schema, 'rpl.classify/1');
assert.equal((await core.call('open', { file: process.env.TRACE })).isError, true);
const { resources } = await core.client.listResources();
const report = await core.client.readResource({ uri: resources[0].uri });
assert.match(report.contents[0].text, /rpl classify/);
assert.ok((await core.client.listResourceTemplates()).resourceTemplates.length > 0);
await core.client.close();
console.log(`core: ${coreTools.length} tools`);

const { client, call, result } = await connect('mcp_client_test', ['--tools', 'all']);
assert.equal(client.getServerVersion().name, 'rpl');
assert.match(client.getInstructions(), /person's decision/);
await client.ping();

const { tools } = await client.listTools();
assert.ok(tools.length > 100, `only ${tools.length} tools`);
const tool = (name) => tools.find((one) => one.name === name);
assert.equal(tool('info_kernels').annotations.readOnlyHint, true);
assert.equal(tool('approve').annotations.destructiveHint, true);
assert.equal(tool('approve').annotations.readOnlyHint, false);
assert.deepEqual(tool('approve').inputSchema.required, ['proposal']);
assert.equal(tool('shell'), undefined);

const opened = await result('open', { path: [process.env.TRACE] });
console.log(`opened ${opened.id}: ${opened.dispatches} dispatches`);

const path = await result('critpath', { limit: 1 });
assert.equal(path.schema, 'rpl.critpath/1');
const worst = path.rows[0];
console.log(`worst: ${worst.id} ${worst.kernel}, ${(100 * worst.share).toFixed(1)} % of the path, ${path.provenance}`);

const classified = await result('classify', { kernel: worst.id });
const why = await result('explain', { what: `${worst.id}.criticality` });
console.log(`why: ${classified.rows[0].label} (${JSON.stringify(classified.rows[0].evidence)}); ${why.name} = ${why.value}`);
assert.ok(why.value > 0 && why.value <= 1);

const wrong = await call('info_kernels', { sotr: 'calls' });
assert.equal(wrong.isError, true);
assert.equal(wrong.structuredContent.code, 'usage');

const reports = [];
await call('summary', {}, { onprogress: (one) => reports.push(one) });
console.log(`progress: ${reports.length > 0 ? 'told' : 'none'}`);

const refused = await call('approve', { proposal: 'p1', accept_modelled: true });
assert.equal(refused.isError, true);
assert.equal(refused.structuredContent.code, 'denied');
assert.match(refused.structuredContent.hint, /set mcp approve on/);
console.log(`approve: ${refused.structuredContent.message}`);
const unlocked = await call('set', { assignment: 'mcp approve on' });
assert.equal(unlocked.structuredContent.code, 'denied');
const around = await call('lua', { code: 'rpl.cmd.approve{"p1"}' });
assert.equal(around.structuredContent.code, 'denied');

const stop = new AbortController();
const endless = call('lua', { code: 'while true do end' }, { signal: stop.signal });
setImmediate(() => stop.abort());
await assert.rejects(endless);
assert.equal((await result('print', { expression: '1 + 1' })).value, 2);

await assert.rejects(call('no_such_tool'));
await client.close();
console.log('done');
