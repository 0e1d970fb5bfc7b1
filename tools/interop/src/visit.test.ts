import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { Era } from './eras.ts'
import type { ServerTransport } from './outcome.ts'
import type { Peer } from './peer.ts'
import { peersIn } from './peers.ts'
import { preparePeer } from './prepare-peer.ts'
import { sharedFeatures, visit } from './visit.ts'

const peers = new Map(peersIn('/cache').map((each) => [each.name, each]))

function peer(name: string): Peer {
  const found = peers.get(name)
  if (found === undefined) throw new Error(`no peer ${name}`)
  return found
}

function shared(client: [string, Era], server: [string, Era, ServerTransport]): readonly string[] {
  return sharedFeatures(
    { peer: peer(client[0]), cell: { peer: client[0], era: client[1] } },
    { peer: peer(server[0]), cell: { peer: server[0], era: server[1], transport: server[2] } },
  )
}

describe('sharedFeatures', () => {
  it('has tasks only where both sides have them and speak 2026-07-28', () => {
    expect(shared(['rust', 'stateless'], ['rust', 'stateless', 'stdio'])).toContain('tasks')
    expect(shared(['rust', 'handshake'], ['rust', 'stateless', 'stdio'])).not.toContain('tasks')
    expect(shared(['rust', 'stateless'], ['go', 'stateless', 'stdio'])).not.toContain('tasks')
  })

  it('leaves out what a side lacks in its era and over its transport', () => {
    expect(shared(['rust', 'stateless'], ['go', 'stateless', 'http'])).not.toContain('cancellation')
    expect(shared(['rust', 'stateless'], ['go', 'stateless', 'stdio'])).toContain('cancellation')
    expect(shared(['java', 'handshake'], ['go', 'handshake', 'stdio'])).not.toContain('cancellation')
    expect(shared(['go', 'stateless'], ['go', 'stateless', 'http'])).toContain('tools')
  })
})

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-interop-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const cells = {
  client: { peer: 'go', era: 'handshake' },
  server: { peer: 'rust', era: 'handshake', transport: 'stdio' },
} as const

/** A client that prints these lines. */
function printing(folder: string, lines: string): Peer {
  writeFileSync(join(folder, 'client.cjs'), lines)
  return { ...peer('go'), client: [process.execPath, 'client.cjs'] }
}

test('a feature without a report has failed, with the reason that the client gave', async () => {
  const folder = scratch()
  const client = printing(
    folder,
    `console.log('a log line'); console.log(JSON.stringify({ feature: 'tools', outcome: 'passed', detail: '' }))
     console.error('it broke')`,
  )
  expect(await visit('http://127.0.0.1:1/mcp', client, folder, cells, ['tools', 'prompts'])).toMatchObject([
    { ...cells, feature: 'tools', outcome: 'passed', detail: '' },
    { ...cells, feature: 'prompts', outcome: 'failed', detail: 'no report; it broke\n' },
  ])
})

test('a client gets the endpoint, the revision, the backend and the features', async () => {
  const folder = scratch()
  const client = printing(
    folder,
    `console.log(JSON.stringify({ feature: 'connection', outcome: 'failed', detail: process.argv.slice(2).join(' ') }))`,
  )
  const [outcome] = await visit('http://127.0.0.1:1/mcp', client, folder, cells, ['tools'])
  expect(outcome?.detail).toBe('http://127.0.0.1:1/mcp 2025-11-25 rust tools')
})

test('what is missing on the machine is named, and a build that fails shows its output', async () => {
  const folder = scratch()
  const missing = { ...peer('go'), needs: ['no-such-program', '--version'] } as const
  expect(await preparePeer(missing, folder)).toEqual({ kind: 'lacking', program: 'no-such-program --version' })
  const breaking: Peer = {
    ...peer('go'),
    needs: [process.execPath, '--version'],
    build: [[process.execPath, '-e', 'console.error("no build"); process.exit(3)']],
  }
  expect(await preparePeer(breaking, folder)).toMatchObject({
    kind: 'broken',
    detail: expect.stringContaining('no build'),
  })
})
