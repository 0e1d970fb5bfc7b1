import { expect, test } from 'vitest'
import { createMemoryLog } from '../../fixtures/memory-log.ts'
import { defaultChildLimits } from '../options.ts'
import { createChildReader } from './child-reader.ts'

const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
const beside = 'Expected one whole message and nothing else in the line; a program must write its log to stderr'

/** Reads lines. Returns the results that they had, and the logged reasons of those that had none. */
function read(...lines: readonly string[]): { results: number; reasons: readonly unknown[] } {
  const log = createMemoryLog()
  let results = 0
  const reader = createChildReader({
    backend: 'sample',
    log,
    emit() {},
    limits: defaultChildLimits,
    receiver: { message: ({ kind }) => void (results += kind === 'result' ? 1 : 0) },
    answer() {},
    redact: (text) => text,
  })
  for (const line of lines) reader.push(Buffer.from(`${line}\n`))
  return { results, reasons: log.entries.map(({ fields }) => fields['reason']) }
}

test.each([
  ['text before it', `Listening... ${answer}`],
  ['a tag before it', `[INFO] ${answer}`],
  ['text after it', `${answer} done`],
  ['another message after it', `${answer}${answer}`],
])('a message that is not alone in its line is not used, and the log says what to change: %s', (_, line) => {
  expect(read(line, answer)).toEqual({ results: 1, reasons: [expect.stringContaining(beside)] })
})

test('other text is not taken for a message', () => {
  expect(read('Listening...', answer)).toEqual({
    results: 1,
    reasons: ['Expected a JSON object or a batch, got other text'],
  })
})
