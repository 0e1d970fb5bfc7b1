import { describe, expect, it } from 'vitest'
import { judgeHome } from './judge-home.ts'
import { toSessionRecord } from './session-record.ts'

const context = {
  tenant: 'default',
  principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
  session: 's_1',
  revision: '2025-06-18',
  client: { info: {}, capabilities: {} },
  trace: undefined,
} as const
const at = (home: string, moves: number) => toSessionRecord(home, { context, dialect: '2.0' }, moves)

describe('the verdict of a session that has moved twice', () => {
  it.each([
    ['the record names this home', at('here', 2), 'recorded'],
    ['the record is older than its coming here', at('there', 1), 'unrecorded'],
    ['the record is older than the home before', at('first', 0), 'unrecorded'],
    ['the record was lost', undefined, 'unrecorded'],
    ['the record names a later home', at('there', 3), 'elsewhere'],
    ['the record names another that it was handed to', at('there', 2), 'elsewhere'],
    ['a node has recorded its end', 'ended', 'ended'],
  ] as const)('when %s', (_when, record, verdict) => {
    expect(judgeHome(record, 'here', 2, true)).toBe(verdict)
  })

  it('is ended when the record has expired, because a recorded end may have expired with it', () => {
    expect(judgeHome(undefined, 'here', 2, false)).toBe('ended')
  })
})
