import type { Problem } from '@junctor/config'
import { expect, test } from 'vitest'
import { createJsonReport } from './json-report.ts'
import type { Report } from './report.ts'

const http = 'http://127.0.0.1:3000/mcp'
const backend = { name: 'demo', state: 'up', tools: ['demo__add'], failure: undefined, warnings: [] } as const
const problem: Problem = {
  kind: 'wrong_value',
  file: 'j.yaml',
  line: 1,
  column: 2,
  path: 'a',
  got: 'b',
  expected: 'c',
  next: 'd',
}

test.each<[string, (report: Report) => void, object]>([
  [
    'ready',
    (report) => report.ready({ node: 'n1', http, admin: undefined, backends: [backend], example: 'curl' }),
    { ready: true, http, node: 'n1', backends: [{ name: 'demo', state: 'up', tools: ['demo__add'], warnings: [] }] },
  ],
  [
    'ready with an admin port',
    (report) =>
      report.ready({ node: 'n1', http, admin: { url: 'http://a', command: 'x' }, backends: [], example: undefined }),
    { ready: true, http, admin: 'http://a', node: 'n1', backends: [] },
  ],
  [
    'ready on standard input',
    (report) => report.ready({ node: 'n1', http: undefined, admin: undefined, backends: [], example: undefined }),
    { ready: true, stdio: true, node: 'n1', backends: [] },
  ],
  ['invalid', (report) => report.invalid([problem]), { ready: false, problems: [problem] }],
  ['failed', (report) => report.failed({ message: 'no', next: 'do' }), { ready: false, error: 'no', next: 'do' }],
])('%s is one line of JSON', (_name, write, line) => {
  const written: string[] = []
  const report = createJsonReport({ write: (text) => written.push(text) })
  report.starting(['demo'])
  write(report)
  expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([line])
  expect(written[0]).toMatch(/^[^\n]*\n$/)
})
