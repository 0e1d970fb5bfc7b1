import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { JsonObject } from '@junctor/jsonrpc'
import { loud } from '../client/loud.ts'
import type { GatewayProcess } from '../client/gateway-process.ts'
import { openSession } from '../client/peer/create-peer.ts'
import type { Peer } from '../client/peer/peer.ts'
import { until } from '../client/until.ts'
import { withProcess } from '../client/with-process.ts'
import type { Scenario } from '../scenario.ts'
import { gaugeOf } from './gauge-of.ts'

const gauge = 'mcp_config_last_reload_successful'
/** How many signals are sent faster than a file can be read. */
const storm = 30

/** Files that are not a valid configuration. */
const badFiles: readonly (readonly [name: string, text: string | undefined])[] = [
  ['no JSON', '{ "backends": '],
  ['an unknown word', '{ "backend": {} }'],
  ['an unknown plugin', '{ "backends": { "x": { "plugin": "nowhere" } } }'],
  ['a wrong type', '{ "backends": { "x": { "command": 7 } } }'],
  ['nothing', ''],
  ['no file at all', undefined],
]

/**
 * Invalid configurations: the gateway continues with the previous one, reports the reason, and accepts a valid one
 * later.
 */
export const badConfigurations: Scenario = {
  id: 'F-20',
  title: 'configurations that cannot be used, signals in a storm',
  ways: ['http', 'stdio'],
  run: (way) =>
    withProcess(way, { backends: { stays: loud() } }, async ({ gateway, connect }) => {
      const peer = connect()
      await openSession(peer)
      const process = await whoAnswers(peer, 'stays__who')
      const good = JSON.parse(readFileSync(gateway.file, 'utf8')) as JsonObject
      for (const [name, text] of badFiles) {
        // Each file comes after the previous one.
        // oxlint-disable-next-line no-await-in-loop
        await put(gateway, { ...good, server: { name } })
        if (text === undefined) rmSync(gateway.file)
        else writeFileSync(gateway.file, text)
        // oxlint-disable-next-line no-await-in-loop
        await until(`${name} to be refused`, async () => (await gaugeOf(gateway, gauge)) === 0)
        // oxlint-disable-next-line no-await-in-loop
        assert.equal(await whoAnswers(peer, 'stays__who'), process)
      }
      assert.match(gateway.stderr(), /"file":"[^"]*junctor\.json","line":1/)
      for (let signal = 0; signal < storm; signal += 1) gateway.child.kill('SIGHUP')
      const backends = { stays: loud(), more: loud() }
      await put(gateway, { ...good, backends })
      assert.notEqual(await whoAnswers(peer, 'more__who'), process)
      assert.equal(await whoAnswers(peer, 'stays__who'), process)
      return `${badFiles.length} bad files refused, ${storm} signals; the backend kept its process ${process}`
    }),
}

/** Replaces the file as editors do, and waits until it is in use. */
async function put(gateway: GatewayProcess, next: JsonObject): Promise<void> {
  writeFileSync(`${gateway.file}.new`, JSON.stringify(next))
  renameSync(`${gateway.file}.new`, gateway.file)
  await until('a good configuration to be taken', async () => (await gaugeOf(gateway, gauge)) === 1)
}

async function whoAnswers(peer: Peer, name: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const { result } = (await peer.request('tools/call', { name, arguments: {} })) as {
      result?: { content: readonly { text: string }[] }
    }
    return result?.content[0]?.text
  }
  return until(`an answer of ${name}`, find)
}
