import { type BackendConfig, parseConfig } from '@junctor/config'
import { createNode, type JunctorNode, type NodeConfig, type ParsedNodeConfig } from '@junctor/node'
import { createBackend, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { untilNoDescendants } from '@junctor/testkit'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { plugins } from '../plugins.ts'
import { startedBackends } from './started-backends.ts'

let node: JunctorNode | undefined
afterEach(async () => {
  await node?.close()
  await untilNoDescendants()
})

function configOf(file: object, more: readonly Plugin[] = []): NodeConfig {
  const parsed = parseConfig(JSON.stringify(file), { file: 'test', plugins: [...plugins, ...more], env: {} })
  expect(parsed).toMatchObject({ kind: 'valid' })
  return (parsed as Extract<ParsedNodeConfig, { kind: 'valid' }>).config
}

test('tools are shown under their public names', async () => {
  const config = configOf({
    naming: { separator: '.' },
    backends: { demo: { plugin: '@junctor/plugin-demo', prefix: 'd' } },
  })
  node = await createNode({ config })
  expect(await startedBackends(node, config)).toEqual([
    { name: 'demo', state: 'up', tools: expect.arrayContaining(['d.add', 'd.echo']), failure: undefined, warnings: [] },
  ])
})

test('a slow backend is shown as starting, delays the report no longer, and hides no other', async () => {
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }
  const config = configOf({ backends: { demo: { plugin: '@junctor/plugin-demo' }, silent } })
  node = await createNode({ config })
  expect(await startedBackends(node, config, 1_000)).toEqual([
    { name: 'demo', state: 'up', tools: expect.arrayContaining(['demo__add']), failure: undefined, warnings: [] },
    { name: 'silent', state: 'starting', tools: [], failure: undefined, warnings: [] },
  ])
})

test('a backend that cannot be started is shown with the reason and what to do', async () => {
  const config = configOf({ backends: { gone: { command: 'no-such-program' } } })
  node = await createNode({ config })
  const [gone] = await startedBackends(node, config)
  expect(gone).toMatchObject({
    name: 'gone',
    state: expect.stringMatching(/^(?:down|crash_looping)$/),
    failure: {
      message: expect.stringContaining('no-such-program'),
      next: expect.stringContaining('Check its command'),
    },
  })
})

/** A server whose list of tools comes from another server, which cannot be reached. */
const halfListed = `
const initialized = { protocolVersion: '2025-11-25', capabilities: { tools: {}, prompts: {} }, serverInfo: { name: 'half', version: '1' } }
const answers = { initialize: initialized, 'prompts/list': { prompts: [{ name: 'greet' }] } }
const error = { code: -32603, message: 'no remote tools' }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = answers[method]
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
})`

test('a backend that lists its prompts, but not its tools, is shown with a warning', async () => {
  const half = { command: process.execPath, args: ['-e', halfListed] }
  const config = configOf({ backends: { half } })
  node = await createNode({ config })
  expect(await startedBackends(node, config)).toMatchObject([
    { state: 'up', tools: [], failure: undefined, warnings: [expect.stringContaining('no remote tools')] },
  ])
})

function unwell(error: Error): Plugin {
  return definePlugin({
    name: 'unwell',
    key: 'plugin',
    config: z.strictObject({}),
    create: (_options, { name }) =>
      createBackend({
        name,
        health: () => {
          throw error
        },
      }),
  })
}

const noDatabase = new Error('no database')
const noDescriptor = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })

test.each<readonly [string, BackendConfig['runsOn'], Error, string, RegExp]>([
  ['on workers', 'workers', noDatabase, 'no worker', /^A junctor-worker .* must be connected/],
  ['of a plugin', 'gateways', noDatabase, 'no database', /^Look at its options/],
  ['for want of file descriptors', 'gateways', noDescriptor, 'EMFILE', /^No file descriptor is free/],
])('a backend %s that cannot be reached has a next step of its own', async (_where, runsOn, error, message, next) => {
  const file = configOf({ backends: { unwell: { plugin: 'unwell' } } }, [unwell(error)])
  // A file with backends on workers needs NATS; without a worker, a node in memory is the same.
  const config = { ...file, backends: file.backends.map((backend) => ({ ...backend, runsOn })) }
  node = await createNode({ config })
  expect(await startedBackends(node, config)).toMatchObject([
    { failure: { message: expect.stringContaining(message), next: expect.stringMatching(next) } },
  ])
})
