import { stripVTControlCharacters } from 'node:util'
import type { Problem } from '@junctor/config'
import { expect, test } from 'vitest'
import type { StartedBackend } from './report.ts'
import { createTextReport } from './text-report.ts'

function report(color = false): { readonly report: ReturnType<typeof createTextReport>; readonly text: () => string } {
  const written: string[] = []
  return {
    report: createTextReport({ write: (text) => written.push(text) }, color),
    text: () => written.join(''),
  }
}

const tool = (name: string): StartedBackend => ({
  name,
  state: 'up',
  tools: ['a__one'],
  failure: undefined,
  warnings: [],
})

const backends: readonly StartedBackend[] = [
  {
    name: 'demo',
    state: 'up',
    tools: Array.from({ length: 26 }, (_, n) => `demo__tool${n}`),
    failure: undefined,
    warnings: [],
  },
  { name: 'a', state: 'up', tools: ['a__one'], failure: undefined, warnings: ['b', 'c'] },
  { name: 'mute', state: 'up', tools: [], failure: undefined, warnings: ['tools/list failed\n'] },
  { name: 'slow', state: 'starting', tools: [], failure: undefined, warnings: [] },
  {
    name: 'broken',
    state: 'crash_looping',
    tools: [],
    failure: { message: 'spawn nope ENOENT', next: 'Check its command.' },
    warnings: [],
  },
]

test('shows the state of each backend, then an example, and at the end that it is ready', () => {
  const { report: shown, text } = report()
  shown.ready({
    node: 'n1',
    http: 'http://127.0.0.1:3000/mcp',
    admin: { url: 'http://127.0.0.1:3001', command: 'junctor status' },
    backends,
    example: 'curl http://127.0.0.1:3000/mcp',
  })
  expect(text()).toBe(`  demo    up  26 tools
          demo__tool0, demo__tool1, demo__tool2, demo__tool3, demo__tool4, demo__tool5, demo__tool6,
          demo__tool7, demo__tool8, demo__tool9, demo__tool10, demo__tool11, demo__tool12,
          demo__tool13, demo__tool14, demo__tool15, demo__tool16, demo__tool17, demo__tool18,
          demo__tool19, demo__tool20, demo__tool21, demo__tool22, demo__tool23, and 2 more
  a       up  1 tool
          a__one
          warning  b (and 1 more: junctor check)
  mute    up  0 tools
          warning  tools/list failed\\n
  slow    still starting
  broken  crash looping  spawn nope ENOENT
          Check its command.

Try it in another terminal:
  curl http://127.0.0.1:3000/mcp

Look inside:
  junctor status

Ready on http://127.0.0.1:3000/mcp
`)
})

test('on standard input and output, there is only the last line', () => {
  const { report: shown, text } = report()
  shown.ready({ node: 'n1', http: undefined, admin: undefined, backends: [], example: undefined })
  expect(text()).toBe('Ready on standard input and output\n')
})

test('a gateway without backends says how to add one', () => {
  const { report: shown, text } = report()
  shown.ready({ node: 'n1', http: 'http://127.0.0.1:3000/mcp', admin: undefined, backends: [], example: undefined })
  expect(text()).toBe('The configuration has no backends. Add one: junctor add\n\nReady on http://127.0.0.1:3000/mcp\n')
})

test('an admin port without a token is shown with the missing setting', () => {
  const { report: shown, text } = report()
  shown.ready({
    node: 'n1',
    http: 'x',
    admin: { url: 'http://a', command: undefined },
    backends: [],
    example: undefined,
  })
  expect(text()).toContain('Probes and metrics are at http://a; status and events want listen.admin.token to be set.\n')
})

test('counts the problems of a configuration', () => {
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
  const { report: one, text: oneText } = report()
  one.invalid([problem])
  expect(oneText()).toBe(
    'j.yaml:1:2  a\n  got b, expected c\n  d\n\nThe configuration has a problem; nothing was started.\n',
  )
  const { report: two, text: twoText } = report()
  two.invalid([problem, problem])
  expect(twoText()).toMatch(/\nThe configuration has 2 problems; nothing was started\.\n$/)
})

test('colours change no text', () => {
  const { report: plain, text: plainText } = report()
  const { report: colored, text: coloredText } = report(true)
  for (const shown of [plain, colored]) {
    shown.starting(['a', 'b'])
    shown.ready({ node: 'n1', http: 'x', admin: undefined, backends: [...backends, tool('b')], example: undefined })
    shown.failed({ message: 'no', next: 'do' })
  }
  expect(coloredText()).not.toBe(plainText())
  expect(stripVTControlCharacters(coloredText())).toBe(plainText())
})
