import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Scenario } from '../scenario.ts'
import { freePort, junctorProgram } from '@junctor/testkit'
import { demo } from './loud.ts'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer } from './peer/http-peer.ts'
import { createStdioPeer } from './peer/stdio-peer.ts'
import { until } from './until.ts'

const calls = 500

/** Standard error is a file on a full disk: not even the report of the start can be written. */
export const fullLog: Scenario = {
  id: 'F-32',
  title: 'a log on a full disk, from the start on',
  ways: ['http', 'stdio'],
  async run(way) {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
    const file = join(folder, 'junctor.json')
    const [port, admin] = [await freePort(), await freePort()]
    writeFileSync(file, JSON.stringify({ listen: { http: { port }, admin: { port: admin } }, backends: { demo } }))
    const full = openSync('/dev/full', 'w')
    const words = ['serve', '--config', file, '--log-level', 'debug', ...(way === 'stdio' ? ['--stdio'] : [])]
    const child = spawn(process.execPath, [junctorProgram, ...words], {
      stdio: ['pipe', 'pipe', full],
      cwd: folder,
    }) as Child
    closeSync(full)
    const exited = once(child, 'exit') as Promise<[number | null]>
    const peer = way === 'stdio' ? pipesOf(child) : createHttpPeer(`http://127.0.0.1:${port}/mcp`)
    try {
      await until('a gateway that is ready', () => isReady(child, admin))
      await openSession(peer)
      for (let call = 0; call < calls; call += 1) {
        // Received notifications are logged at this level, each before the next call.
        // oxlint-disable-next-line no-await-in-loop
        await peer.notify('notifications/nobody-knows-this')
        const params = { name: 'demo__echo', arguments: { message: `${call}` } }
        // oxlint-disable-next-line no-await-in-loop
        assert.ok((await peer.request('tools/call', params))['result'])
      }
    } finally {
      if (way === 'http') await peer.close()
      child.stdin.end()
      child.kill('SIGTERM')
    }
    const [code] = await exited
    rmSync(folder, { recursive: true, force: true })
    assert.equal(code, 0)
    return `started, answered ${calls} calls and ended with code 0`
  },
}

type Child = ChildProcessByStdio<Writable, Readable, null>

async function isReady({ exitCode }: Child, admin: number): Promise<boolean> {
  if (exitCode !== null) throw new Error(`Expected a gateway, got exit code ${exitCode}`)
  const url = `http://127.0.0.1:${admin}/readyz`
  const ready = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined)
  return ready?.ok === true
}

function pipesOf({ stdin, stdout }: Child): ReturnType<typeof createStdioPeer> {
  return createStdioPeer({ input: stdin, output: stdout, closed: Promise.resolve() })
}
