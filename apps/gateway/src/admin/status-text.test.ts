import { expect, test } from 'vitest'
import { durationText, statusText } from './status-text.ts'

const self = {
  node: 'ab12cd34',
  self: true,
  role: 'gateway',
  name: 'my-gateway',
  version: '1.0.0',
  startedAt: '2026-01-01T00:00:00.000Z',
  backends: [{ name: 'files', state: 'up', tools: 14 }],
}

test('a status is shown like this', () => {
  const status = {
    node: 'ab12cd34',
    name: 'my-gateway',
    version: '1.0.0',
    release: '0.4.0',
    startedAt: '2026-01-01T00:00:00.000Z',
    uptimeMs: 65_000,
    notReady: 'fabric_unavailable',
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
        {
          kind: 'unknown_word',
          file: 'junctor.yaml',
          line: 5,
          column: 3,
          path: 'backends.files.timout',
          got: 'an unknown word',
          expected: 'timeout',
          next: '',
        },
      ],
    },
    sessions: { http: 2, stdio: 1 },
    tenants: ['default'],
    backends: [
      {
        name: 'files',
        state: 'up',
        tools: 14,
        links: 2,
        inFlight: 1,
        warnings: ['tools[1]: got "\u001b[31m"'],
        nodes: ['ab12cd34'],
      },
      {
        name: 'search',
        state: 'crash_looping',
        tools: 0,
        links: 0,
        inFlight: 0,
        error: 'exited with code 1',
        warnings: [],
        nodes: ['ab12cd34'],
      },
    ],
    nodes: [self],
  } as never
  expect(statusText(status, false)).toBe(`my-gateway 1.0.0 (junctor 0.4.0)  node ab12cd34, up 1m 5s
ready     no: fabric_unavailable
sessions  2 over http, 1 over stdio
tenants   default
reload    refused at 2026-01-01T00:01:00.000Z: the configuration before is served
          junctor.yaml:3  got "backend", expected a word
          junctor.yaml:5  backends.files.timout  got an unknown word, expected timeout

  files   up             14 tools, 2 links, 1 call
      warning  tools[1]: got "\\u001b[31m"
  search  crash looping  0 tools, 0 links, 0 calls  exited with code 1
`)
})

test('with several nodes, it shows the nodes and where each backend is', () => {
  const status = {
    node: 'ab12cd34',
    name: 'my-gateway',
    version: '1.0.0',
    uptimeMs: 1_000,
    reload: { result: 'none', problems: [] },
    sessions: {},
    tenants: ['default'],
    backends: [
      { name: 'files', state: 'up', tools: 14, links: 2, inFlight: 0, warnings: [], nodes: ['ab12cd34', 'wk'] },
      { name: 'search', state: 'down', tools: 0, links: 0, inFlight: 0, warnings: [], nodes: [] },
    ],
    nodes: [
      self,
      { ...self, node: 'new', self: false, role: 'unknown', backends: [] },
      { ...self, node: 'old', self: false, name: 'junctor', version: '0.4.0', release: '0.4.0', backends: [] },
      { ...self, node: 'wk', self: false, role: 'worker', name: 'tools\u001b[31m', release: '0.5.0\u001b[31m' },
    ],
  } as never
  expect(statusText(status, false)).toBe(`my-gateway 1.0.0  node ab12cd34, up 1s
sessions  none
tenants   default

  ab12cd34  gateway  my-gateway 1.0.0  since 2026-01-01T00:00:00.000Z  files  (this one)
  new       unknown
  old       gateway  junctor 0.4.0  since 2026-01-01T00:00:00.000Z
  wk        worker   tools\\u001b[31m 1.0.0 (junctor 0.5.0\\u001b[31m)  since 2026-01-01T00:00:00.000Z  files

  files   up             14 tools, 2 links, 0 calls  on ab12cd34, wk
  search  down           0 tools, 0 links, 0 calls  on no node
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
