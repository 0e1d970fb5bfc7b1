import { expect, test } from 'vitest'
import { redactAndCut } from './redact-and-cut.ts'
import { redacted } from './redact-text.ts'

const session = `s_${'Ab3-_xYz901'.repeat(4).slice(0, 43)}`

test.each([
  ['it ended', 'it ended'],
  ['cannot reach https://user:canary@host/', `cannot reach https://${redacted}@host/`],
  ['x'.repeat(1000), 'x'.repeat(1000)],
  ['x'.repeat(1_000_000), `${'x'.repeat(1000)}...`],
])('%.40s', (text, clean) => {
  expect(redactAndCut(text, 1000)).toBe(clean)
})

test.each([940, 970, 999, 1000, 3970])('nothing remains of a secret at %i', (at) => {
  expect(redactAndCut(`${' '.repeat(at)}${session} and more`, 1000)).not.toContain(session.slice(0, 10))
})
