import { JunctorError } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { silentLog } from './log.ts'
import { pacedOutages } from './paced-outages.ts'

it('writes each message about an outage once a minute, and all else as it is', () => {
  const lines: unknown[] = []
  const write = (message: string, fields?: object): void => void lines.push([message, fields])
  const log = pacedOutages({ ...silentLog, info: write, warn: write, error: write })
  const away = new JunctorError('FABRIC_UNAVAILABLE', 'NATS is away')
  const other = new Error('other')
  for (const error of [away, away, other, other]) log.error('a job could not be stored', { error })
  for (const error of [away, away]) log.warn('a record could not be stored', { error })
  log.info('stored', { error: away })
  expect(lines).toEqual([
    ['a job could not be stored', { error: away, lines: 1 }],
    ['a job could not be stored', { error: other }],
    ['a job could not be stored', { error: other }],
    ['a record could not be stored', { error: away, lines: 1 }],
    ['stored', { error: away }],
  ])
})
