import { expect, test } from 'vitest'
import { createLog } from './create-log.ts'

function lines(): { readonly written: string[]; write(text: string): void } {
  const written: string[] = []
  return { written, write: (text) => written.push(text) }
}

test('each message is one line of JSON, with its fields', () => {
  const output = lines()
  createLog(output, { level: 'info', pretty: false, color: false }).warn('a link broke', { backend: 'files' })
  expect(output.written.map((line) => JSON.parse(line) as unknown)).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), message: 'a link broke', backend: 'files' },
  ])
})

test('an error keeps its message, its stack and its cause', () => {
  const output = lines()
  const error = new Error('outer', { cause: new Error('inner') })
  createLog(output, { level: 'info', pretty: false, color: false }).error('failed', { error })
  expect(JSON.parse(output.written[0] ?? '')).toMatchObject({
    error: { message: expect.stringContaining('inner'), stack: expect.stringContaining('create-log.test.ts') },
  })
})

test('what is below the level is not written', () => {
  const output = lines()
  const log = createLog(output, { level: 'warn', pretty: true, color: false })
  log.debug('no')
  log.info('no')
  log.warn('yes')
  log.error('yes')
  expect(output.written.map((line) => line.slice(13))).toEqual(['warn  yes\n', 'error yes\n'])
})

test('"silent" writes nothing', () => {
  const output = lines()
  createLog(output, { level: 'silent', pretty: false, color: false }).error('no')
  expect(output.written).toEqual([])
})
