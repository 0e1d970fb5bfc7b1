import { describe, expect, test } from 'vitest'
import { clientCapabilitiesFor, elicitationModes, serverCapabilitiesFor } from './capabilities.ts'

const client = {
  experimental: { x: {} },
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  tasks: { list: {} },
  extensions: { 'io.example/y': {} },
  invented: {},
}

describe('client capabilities declared to an upstream', () => {
  test.each([
    ['2024-11-05', { experimental: { x: {} }, roots: { listChanged: true }, sampling: {} }],
    ['2025-03-26', { experimental: { x: {} }, roots: { listChanged: true }, sampling: {} }],
    ['2025-06-18', { experimental: { x: {} }, roots: { listChanged: true }, sampling: {}, elicitation: {} }],
    [
      '2025-11-25',
      {
        experimental: { x: {} },
        roots: { listChanged: true },
        sampling: { tools: {}, context: {} },
        elicitation: { form: {}, url: {} },
        tasks: { list: {} },
      },
    ],
    [
      '2026-07-28',
      {
        experimental: { x: {} },
        roots: { listChanged: true },
        sampling: { tools: {}, context: {} },
        elicitation: { form: {}, url: {} },
        extensions: { 'io.example/y': {} },
      },
    ],
  ] as const)('of %s', (revision, expected) => {
    expect(clientCapabilitiesFor(revision, client)).toEqual(expected)
  })

  test('only capabilities that the client declared are declared', () => {
    expect(clientCapabilitiesFor('2025-11-25', {})).toEqual({})
  })

  test('a client that declares only URL mode has no elicitation before 2025-11-25', () => {
    expect(clientCapabilitiesFor('2025-06-18', { elicitation: { url: {} } })).toEqual({})
  })
})

describe('server capabilities declared to a client', () => {
  const server = {
    logging: {},
    prompts: { listChanged: true },
    resources: { subscribe: true },
    tools: {},
    completions: {},
    tasks: { list: {} },
    extensions: {},
    invented: {},
  }
  test.each([
    ['2024-11-05', ['logging', 'prompts', 'resources', 'tools']],
    ['2025-03-26', ['logging', 'prompts', 'resources', 'tools', 'completions']],
    ['2025-06-18', ['logging', 'prompts', 'resources', 'tools', 'completions']],
    ['2025-11-25', ['logging', 'prompts', 'resources', 'tools', 'completions', 'tasks']],
    ['2026-07-28', ['logging', 'prompts', 'resources', 'tools', 'completions', 'extensions']],
  ] as const)('of %s are %o', (revision, names) => {
    const expected = Object.fromEntries(names.map((name) => [name, server[name]]))
    // Unknown capabilities are passed on: they are a matter between the backend and its clients.
    expect(serverCapabilitiesFor(revision, server)).toEqual({ ...expected, invented: {} })
  })
})

test.each([
  [undefined, false, false],
  [null, false, false],
  [true, false, false],
  [{}, true, false],
  [{ form: {} }, true, false],
  [{ url: {} }, false, true],
  [{ form: {}, url: {} }, true, true],
  [{ url: true }, true, false],
])('elicitation: %o means form %s, url %s', (declared, form, url) => {
  expect(elicitationModes(declared)).toEqual({ form, url })
})
