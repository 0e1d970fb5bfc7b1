import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertWellBehaved, openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoPlugin } from '../index.ts'

// Expected values are those that the document of the profile prints.

let folder: string
let client: TestClient

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-files-'))
  mkdirSync(join(folder, 'root', 'notes'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'root', 'a b.txt'), 'a and b')
  writeFileSync(join(folder, 'root', 'notes', 'today.txt'), 'today')
  writeFileSync(join(folder, 'root', 'large.txt'), Buffer.alloc(1_048_577, 'x'))
  writeFileSync(join(folder, 'root', '..odd'), 'odd')
  mkdirSync(join(folder, 'root-beside'))
  writeFileSync(join(folder, 'root-beside', 'x.txt'), 'beside')
  symlinkSync('../secret.txt', join(folder, 'root', 'link.txt'))
  symlinkSync('..', join(folder, 'root', 'up'))
  symlinkSync('notes/today.txt', join(folder, 'root', 'latest.txt'))
})
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  client = await openBackend(demoPlugin, { config: { saas: { files: join(folder, 'root') } } })
})
afterEach(async () => client.close())

it('passes assertWellBehaved', async () => {
  await expect(assertWellBehaved(demoPlugin, { config: { saas: {} } })).resolves.toBeUndefined()
})

it('lists what the document prints, in the same order', async () => {
  expect(JSON.stringify(await client.listTools())).toBe(
    '[{"name":"echo","description":"Echo a message back","annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"inputSchema":{"type":"object","properties":{"message":{"type":"string","description":"Message to echo"}},"required":["message"]}}]',
  )
  expect(JSON.stringify(await client.listPrompts())).toBe(
    '[{"name":"greeting","description":"Generate a friendly greeting prompt","arguments":[{"name":"name","description":"Name of the person to greet","required":false}]}]',
  )
  expect(JSON.stringify(await client.listResources())).toBe(
    '[{"uri":"server://status","name":"Server Status","description":"Current server status and health information","mimeType":"application/json"}]',
  )
  expect(JSON.stringify(await client.listResourceTemplates())).toBe(
    '[{"uriTemplate":"file://{path}","name":"File Resource","description":"Read file contents from the server","mimeType":"text/plain"}]',
  )
})

it('echoes', async () => {
  expect(await client.callTool('echo', { message: 'Hello MCP!' })).toEqual({
    content: [
      {
        type: 'text',
        text: '{"message":"Hello MCP!","received_params":{"message":"Hello MCP!"},"context_available":true}',
      },
    ],
  })
})

it('greets', async () => {
  expect(await client.request('prompts/get', { name: 'greeting', arguments: { name: 'Alice' } })).toEqual({
    description: 'A friendly greeting prompt',
    messages: [{ role: 'user', content: { type: 'text', text: 'Please greet Alice in a friendly way.' } }],
  })
})

it('reports its status', async () => {
  const [contents] = await client.readResource('server://status')
  expect(contents).toMatchObject({ uri: 'server://status', mimeType: 'application/json' })
  const text = contents !== undefined && 'text' in contents ? contents.text : ''
  expect(text).toMatch(/^\{"status":"healthy","timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","uptime":\d+\}$/)
})

describe('files', () => {
  it.each([
    ['file://notes/today.txt', 'today'],
    ['file://notes%2Ftoday.txt', 'today'],
    ['file://a%20b.txt', 'a and b'],
    ['file://latest.txt', 'today'],
    ['file://..odd', 'odd'],
    ['file://notes/../a%20b.txt', 'a and b'],
  ])('%s is read', async (uri, text) => {
    expect(await client.readResource(uri)).toEqual([{ uri, mimeType: 'text/plain', text }])
  })

  it('is read by its absolute path', async () => {
    const uri = `file://${folder}/root/notes/today.txt`
    expect(await client.readResource(uri)).toEqual([{ uri, mimeType: 'text/plain', text: 'today' }])
  })

  it.each([
    'file://',
    'file://.',
    'file://notes',
    'file://none.txt',
    'file://../secret.txt',
    'file://%2E%2E%2Fsecret.txt',
    'file://notes/../../secret.txt',
    'file:///etc/passwd',
    'file://../root-beside/x.txt',
    'file://link.txt',
    'file://up/secret.txt',
    'file://a%00b',
    'file://%zz',
  ])('%s is not there', async (uri) => {
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32002 })
  })

  it('is not read when it is too large', async () => {
    await expect(client.readResource('file://large.txt')).rejects.toThrow(/at most 1048576 bytes/)
  })

  it('are not served without a folder', async () => {
    const other = await openBackend(demoPlugin, { config: { saas: {} } })
    expect(await other.listResourceTemplates()).toEqual([])
    await other.close()
  })
})
