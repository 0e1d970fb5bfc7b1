import { describe, expect, it } from 'vitest'
import { readSessionRecord, toSessionRecord } from './session-record.ts'

const context = {
  tenant: 'acme',
  principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
  session: 's_1',
  revision: '2025-06-18',
  client: { info: { name: 'c' }, capabilities: { roots: {} } },
  trace: undefined,
} as const
const record = toSessionRecord('abcd1234', context, 2)

describe('readSessionRecord', () => {
  it('reads a record that another node has written', () => {
    expect(readSessionRecord(JSON.parse(JSON.stringify(record)))).toEqual({
      home: 'abcd1234',
      moves: 2,
      tenant: 'acme',
      principal: 'local ada',
      revision: '2025-06-18',
      info: { name: 'c' },
      capabilities: { roots: {} },
      extensions: [],
    })
  })

  it('reads the extensions that it knows, and the missing ones of an older node as none', () => {
    expect(readSessionRecord({ ...record, extensions: ['abort', 'telepathy', 'progress'] })).toMatchObject({
      extensions: ['progress', 'abort'],
    })
    expect(readSessionRecord({ ...record, extensions: undefined })).toMatchObject({ extensions: [] })
    expect(readSessionRecord({ ...record, extensions: 7 })).toMatchObject({ extensions: [] })
  })

  it.each(Object.keys(record).filter((member) => member !== 'extensions'))(
    'does not read one without a proper %s',
    (member) => {
      expect(readSessionRecord({ ...record, [member]: [7] })).toBeUndefined()
      expect(readSessionRecord({ ...record, [member]: undefined })).toBeUndefined()
    },
  )

  it.each([[undefined], [null], ['s_1'], [[]]])('does not read %j', (value) => {
    expect(readSessionRecord(value)).toBeUndefined()
  })
})
