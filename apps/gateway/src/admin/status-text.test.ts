import { expect, test } from 'vitest'
import { durationText, statusText } from './status-text.ts'

test('a status reads like this', () => {
  const status = {
    node: 'ab12cd34',
    name: 'my-gateway',
    version: '1.0.0',
    startedAt: '2026-01-01T00:00:00.000Z',
    uptimeMs: 65_000,
    reload: {
      result: 'failure',
      at: '2026-01-01T00:01:00.000Z',
      problems: [
        {
          kind: 'unknown_word',
          file: 'junctor.yaml',
          line: 3,
          column: 1,
          path: '',
          got: '"backend"',
          expected: 'a word',
          next: '',
        },
      ],
    },
    sessions: { http: 2, stdio: 1 },
    tenants: ['default'],
    backends: [
      { name: 'files', state: 'up', tools: 14, links: 2, inFlight: 1 },
      { name: 'search', state: 'crash_looping', tools: 0, links: 0, inFlight: 0, error: 'exited with code 1' },
    ],
  } as never
  expect(statusText(status, false)).toBe(`my-gateway 1.0.0  node ab12cd34, up 1m 5s
sessions  2 over http, 1 over stdio
tenants   default
reload    refused at 2026-01-01T00:01:00.000Z: the configuration before is served
          junctor.yaml:3  got "backend", expected a word

  files   up             14 tools, 2 links, 1 call
  search  crash looping  0 tools, 0 links, 0 calls  exited with code 1
`)
})

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [3_600_000, '1h 0m'],
  [90_061_000, '1d 1h'],
])('%d ms is %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text)
})
