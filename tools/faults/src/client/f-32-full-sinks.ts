import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Scenario, Way } from '../scenario.ts'
import { freePort } from './free-port.ts'
import { main } from './gateway-process.ts'
import { demo } from './loud.ts'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer } from './peer/http-peer.ts'
import type { Peer } from './peer/peer.ts'
import { createStdioPeer } from './peer/stdio-peer.ts'
import { until } from './until.ts'
import { withProcess } from './with-process.ts'

/** Calls while nothing can be logged. */
const calls = 1_000
/** With each call some lines are logged: all together several times what is kept of a log that is not read. */
const linesEach = 3
const line = `notifications/${'x'.repeat(1_000)}`
/** Of the log, what nobody reads may cost so many bytes. */
const mostHeap = 8 * 1024 * 1024
/** A disk that is always full. */
const full = '/dev/full'
const debug = ['--log-level', 'debug']

/** A log that nobody reads, a log on a full disk, and files of events and audit on a full disk. */
export const fullSinks: Scenario = {
  id: 'F-32',
  title: 'a log that nobody reads, logs and files on a full disk',
  ways: ['http', 'stdio'],
  async run(way) {
    const unread = await unreadLog(way)
    const disk = await fullDisk(way, {}, full)
    const files = await fullDisk(way, { events: { file: full }, audit: { file: full } }, undefined)
    return `${calls} calls each, all answered: in ${unread} with a log that nobody reads, in ${disk} with one on a full disk, in ${files} with events and audit there`
  },
}

/** Standard error is a pipe that is not read any more. */
function unreadLog(way: Way): Promise<string> {
  return withProcess(
    way,
    { backends: { demo } },
    async ({ gateway, connect }) => {
      const peer = connect()
      await openSession(peer)
      const before = await gateway.inspector.heap()
      gateway.child.stderr.pause()
      const took = await callMany(peer)
      const kept = (await gateway.inspector.heap()) - before
      assert.ok(kept < mostHeap, `${kept} bytes are kept of a log that nobody reads`)
      gateway.child.stderr.resume()
      await until('what was dropped', async () => {
        // With the next line, when there is room again.
        await peer.notify(line)
        return gateway.stderr().includes('log lines were dropped')
      })
      return took
    },
    { words: debug },
  )
}

/** The command is started without the usual conveniences: what it says of itself may be lost. */
async function fullDisk(way: Way, config: JsonObject, stderr: string | undefined): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
  const file = join(folder, 'junctor.json')
  const [port, admin] = [await freePort(), await freePort()]
  const listen = { http: { port }, admin: { port: admin } }
  writeFileSync(file, JSON.stringify({ listen, backends: { demo }, ...config }))
  const log = openSync(stderr ?? join(folder, 'log'), 'w')
  const words = ['serve', '--config', file, ...debug, ...(way === 'stdio' ? ['--stdio'] : [])]
  const child = spawn(process.execPath, [main, ...words], { stdio: ['pipe', 'pipe', log], cwd: folder })
  closeSync(log)
  const exited = once(child, 'exit')
  const peer = way === 'stdio' ? pipes(child) : createHttpPeer(`http://127.0.0.1:${port}/mcp`)
  try {
    await until('a gateway that is ready', async () => {
      if (child.exitCode !== null) throw new Error(`Expected a gateway, got exit code ${child.exitCode}`)
      const ready = await fetch(`http://127.0.0.1:${admin}/readyz`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      )
      return ready?.ok
    })
    await openSession(peer)
    return await callMany(peer)
  } finally {
    if (way === 'http') await peer.close()
    child.stdin.end()
    child.kill('SIGTERM')
    const [code] = (await exited) as [number | null]
    rmSync(folder, { recursive: true, force: true })
    assert.equal(code, 0)
  }
}

function pipes({ stdin: input, stdout: output }: ChildProcess): Peer {
  if (input === null || output === null) throw new Error('A process was started without pipes')
  return createStdioPeer({ input, output, closed: Promise.resolve() })
}

async function callMany(peer: Peer): Promise<string> {
  const began = performance.now()
  for (let made = 0; made < calls; made += 50) {
    const some = Array.from({ length: 50 }, () =>
      peer.request('tools/call', { name: 'demo__echo', arguments: { message: 'x' } }),
    )
    // oxlint-disable-next-line no-await-in-loop
    await Promise.all(Array.from({ length: 50 * linesEach }, () => peer.notify(line)))
    // oxlint-disable-next-line no-await-in-loop
    for (const answer of await Promise.all(some)) assert.ok(answer['result'])
  }
  return `${((performance.now() - began) / 1_000).toFixed(1)} s`
}
