import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, it } from 'vitest'
import { fixtureBackendFile } from './fixture-backend-file.ts'

async function callThrough(transport: Transport): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { content } = await client.callTool({ name: 'test_simple_text' })
  await client.close()
  return content
}

const simple = [{ type: 'text', text: 'This is a simple text response for testing.' }]

it('serves a client on standard input and output', async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [fixtureBackendFile, '--stdio'] })
  expect(await callThrough(transport)).toEqual(simple)
})

it('serves clients over HTTP at the address that it prints', async () => {
  const server = spawn(process.execPath, [fixtureBackendFile, '--http', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  expect(await callThrough(new StreamableHTTPClientTransport(new URL(url)))).toEqual(simple)
  server.kill()
  expect(await once(server, 'exit')).toEqual([null, 'SIGTERM'])
})

it('without arguments, prints what it expects', async () => {
  const server = spawn(process.execPath, [fixtureBackendFile], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [line] = (await once(createInterface(server.stderr), 'line')) as [string]
  expect(line).toBe('Expected --stdio, --stateless or --http PORT')
})
