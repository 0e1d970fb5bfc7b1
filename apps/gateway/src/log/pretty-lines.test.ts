import { createLog } from '@junctor/telemetry'
import { expect, test } from 'vitest'
import { createPrettyLines } from './pretty-lines.ts'

test('log records become lines for people, without secrets', () => {
  const written: string[] = []
  const output = createPrettyLines({ write: (text) => written.push(text) }, false)
  const log = createLog(output, { level: 'info' })
  log.warn('a link broke', { backend: 'files' })
  log.error('failed', { error: new Error('Bearer canary was refused') })
  expect(written.map((line) => line.slice(13))).toEqual([
    'warn  a link broke backend=files\n',
    'error failed error="Bearer *** was refused"\n',
  ])
})
