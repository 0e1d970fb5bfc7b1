import { createUnreadableReporter } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { createLog } from './create-log.ts'

function lines(): { readonly written: string[]; write(text: string): void } {
  const written: string[] = []
  return { written, write: (text) => written.push(text) }
}

test('each message is one line of JSON, with its fields', () => {
  const output = lines()
  createLog(output, { level: 'info' }).warn('a link broke', { backend: 'files' })
  expect(output.written.map((line) => JSON.parse(line) as unknown)).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), message: 'a link broke', backend: 'files' },
  ])
})

test('an error keeps its message, its stack and its cause', () => {
  const output = lines()
  const error = new Error('outer', { cause: new Error('inner') })
  createLog(output, { level: 'info' }).error('failed', { error })
  expect(JSON.parse(output.written[0] ?? '')).toMatchObject({
    error: { message: expect.stringContaining('inner'), stack: expect.stringContaining('create-log.test.ts') },
  })
})

test('messages below the level are not written', () => {
  const output = lines()
  const log = createLog(output, { level: 'warn' })
  log.debug('no')
  log.info('no')
  log.warn('yes')
  log.error('yes')
  expect(output.written.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['warn', 'error'])
})

test('a warning about unreadable data says whose they are', () => {
  const output = lines()
  createUnreadableReporter(createLog(output, { level: 'warn' }), () => {})(
    'call',
    'node-of-another-version',
    'a problem',
  )
  expect(output.written.join('')).toContain('node-of-another-version')
})

test('"silent" writes nothing', () => {
  const output = lines()
  createLog(output, { level: 'silent' }).error('no')
  expect(output.written).toEqual([])
})

test('an output that throws does not reach the caller, and is used again', () => {
  let calls = 0
  const log = createLog(
    {
      write() {
        calls += 1
        throw new Error('no room')
      },
    },
    { level: 'info' },
  )
  log.warn('one')
  log.warn('two')
  expect(calls).toBe(2)
})

const loop: { self?: unknown } = {}
loop.self = loop

test.each([
  ['a cycle', { loop }],
  ['a bigint', { count: 1n }],
  [
    'a getter that throws',
    Object.defineProperty({}, 'value', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    }),
  ],
  [
    'a toJSON that throws',
    {
      value: {
        toJSON: () => {
          throw new Error('no')
        },
      },
    },
  ],
  [
    'an error that cannot be read',
    {
      error: Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('no')
        },
      }),
    },
  ],
])('%s among the fields causes no error for the caller', (_name, fields) => {
  const output = lines()
  const log = createLog(output, { level: 'info' })
  log.warn('awkward', fields)
  log.warn('after')
  expect(output.written.at(-1)).toContain('"after"')
})
