import { describe, expect, it } from 'vitest'
import { readStoredSession, toSessionRecord } from './session-record.ts'

const context = {
  tenant: 'acme',
  principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
  session: 's_1',
  revision: '2025-06-18',
  client: { info: { name: 'c' }, capabilities: { roots: {} } },
  trace: undefined,
} as const
const record = toSessionRecord('abcd1234', { context, dialect: '3.0' }, 2)

describe('readStoredSession', () => {
  it('reads a record that another node has written', () => {
    expect(recordIn(JSON.parse(JSON.stringify(record)))).toEqual({
      home: 'abcd1234',
      moves: 2,
      tenant: 'acme',
      principal: 'local ada',
      revision: '2025-06-18',
      info: { name: 'c' },
      capabilities: { roots: {} },
      extensions: [],
      dialect: '3.0',
    })
  })

  it('reads the extensions that it knows, and the missing ones of an older node as none', () => {
    expect(recordIn({ ...record, extensions: ['abort', 'telepathy', 'progress'] })).toMatchObject({
      extensions: ['progress', 'abort'],
    })
    expect(recordIn({ ...record, extensions: undefined })).toMatchObject({ extensions: [] })
  })

  it('reads a record without a version of JSON-RPC, of an older node, as one of 2.0', () => {
    expect(recordIn({ ...record, dialect: undefined })).toMatchObject({ dialect: '2.0' })
  })

  it('keeps a member of a newer version', () => {
    expect(recordIn({ ...record, zone: 'a' })).toEqual({ ...record, zone: 'a' })
  })

  it('reads a recorded end', () => {
    expect(readStoredSession({ ended: true })).toEqual({ kind: 'ended' })
  })
})

function recordIn(value: unknown): unknown {
  const stored = readStoredSession(value)
  return stored.kind === 'record' ? stored.record : stored
}
