// SPDX-License-Identifier: MIT
// The Model Context Protocol's official client, connected to `rpl --interpreter mcp`.
// RPL: the program. MCP_SDK: the folder with node_modules.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.env.MCP_SDK + '/package.json');
const load = async (part) => import(pathToFileURL(require.resolve('@modelcontextprotocol/sdk/' + part)).href);

// `call` gives a reply as it is; `result` the document of a call that must succeed, however long it takes.
export async function connect(name, options = []) {
  const { Client } = await load('client/index.js');
  const { StdioClientTransport } = await load('client/stdio.js');
  const transport = new StdioClientTransport({ command: process.env.RPL, args: ['-nx', ...options, '--interpreter', 'mcp'], env: process.env, cwd: process.cwd() });
  const client = new Client({ name, version: '1' });
  await client.connect(transport);
  const call = async (tool, args = {}, how = undefined) => client.callTool({ name: tool, arguments: args }, undefined, how);
  const result = async (tool, args) => {
    const reply = await call(tool, args, { timeout: 600000 });
    assert.equal(reply.isError, false, reply.content[0].text);
    return reply.structuredContent;
  };
  return { client, call, result };
}
