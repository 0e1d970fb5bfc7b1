import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emitNothing, silentLog } from '@junctor/plugin-sdk/link'
import { createRequest, eventually, recordClient, recordExchange, untilNoDescendants } from '@junctor/testkit'
import { createGuard } from '@junctor/transport-stdio/back'
import { afterAll, describe, expect, test } from 'vitest'
import { scopeFor } from '../../test/lean-server.ts'
import { createCommandBackend } from '../command-backend.ts'

const guard = createGuard(silentLog)
const folder = mkdtempSync(join(tmpdir(), 'junctor-cancelled-'))
afterAll(async () => {
  await guard.close()
  await untilNoDescendants()
  rmSync(folder, { recursive: true })
})

/** A server that needs a moment to act on a cancellation, and ends immediately at the end of its input. */
const program = `
  const { appendFileSync } = require('node:fs')
  const record = (line) => appendFileSync(process.argv[1], line + '\\n')
  const results = {
    'initialize': { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'slow', version: '1' } },
    'server/discover': {
      resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private',
    },
  }
  const lines = require('node:readline').createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'tools/call') record('began')
    if (method === 'notifications/cancelled') setTimeout(() => record('cancelled: ' + params.reason), 50)
    if (results[method] !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
  })
  lines.on('close', () => { record('ended'); process.exit() })
`

describe.each(['handshake', 'stateless'] as const)('a server of the era %s', (era) => {
  test.each(['cancelled', 'disconnected', 'deadline', 'session_ended'] as const)(
    'has time to act on a call that is %s before its connection is closed',
    async (reason) => {
      const file = join(folder, `${era}-${reason}`)
      const read = () => readFileSync(file, 'utf8').trim().split('\n')
      const config = { command: process.execPath, args: ['--eval', program, file], env: {}, era }
      const backend = createCommandBackend({ name: 'slow', config, folder, log: silentLog, emit: emitNothing, guard })
      const client = recordClient()
      const link = await backend.open(scopeFor(client), client, AbortSignal.timeout(20_000))
      const { exchange } = recordExchange()
      const outcome = link.call(createRequest('tools/call', { name: 'hang' }), exchange)
      await eventually(() => expect(read()).toEqual(['began']))
      exchange.end(reason)
      expect(await outcome).toMatchObject({ kind: 'error' })
      await link.close()
      expect(read()).toEqual(['began', `cancelled: ${reason}`, 'ended'])
    },
  )
})
