import { describe, expect, test } from 'vitest'
import { clientCapabilitiesFor, elicitationModes, serverCapabilitiesFor } from './capabilities.ts'

const client = {
  experimental: { x: {} },
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  tasks: { list: {} },
  extensions: { 'io.example/y': {}, 'io.modelcontextprotocol/tasks': {} },
  invented: {},
}

describe('client capabilities declared to an upstream', () => {
  test.each([
    [
      '2024-11-05',
      { experimental: { x: {} }, roots: { listChanged: true }, sampling: {}, extensions: { 'io.example/y': {} } },
    ],
    [
      '2025-03-26',
      { experimental: { x: {} }, roots: { listChanged: true }, sampling: {}, extensions: { 'io.example/y': {} } },
    ],
    [
      '2025-06-18',
      {
        experimental: { x: {} },
        roots: { listChanged: true },
        sampling: {},
        elicitation: {},
        extensions: { 'io.example/y': {} },
      },
    ],
    [
      '2025-11-25',
      {
        experimental: { x: {} },
        roots: { listChanged: true },
        sampling: { tools: {}, context: {} },
        elicitation: { form: {}, url: {} },
        tasks: { list: {} },
        extensions: { 'io.example/y': {} },
      },
    ],
    [
      '2026-07-28',
      {
        experimental: { x: {} },
        roots: {},
        sampling: { tools: {}, context: {} },
        elicitation: { form: {}, url: {} },
        extensions: { 'io.example/y': {}, 'io.modelcontextprotocol/tasks': {} },
      },
    ],
  ] as const)('of %s', (revision, expected) => {
    expect(clientCapabilitiesFor(revision, client)).toEqual(expected)
  })

  test('tasks are an extension from 2026-07-28 on only', () => {
    const declared = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
    expect(clientCapabilitiesFor('2025-11-25', declared)).toEqual({})
    expect(clientCapabilitiesFor('2026-07-28', declared)).toEqual(declared)
    expect(serverCapabilitiesFor('2025-11-25', declared)).toEqual({})
  })

  test('only capabilities that the client declared are declared', () => {
    expect(clientCapabilitiesFor('2025-11-25', {})).toEqual({})
  })

  test('a client that declares only URL mode has no elicitation before 2025-11-25', () => {
    expect(clientCapabilitiesFor('2025-06-18', { elicitation: { url: {} } })).toEqual({})
  })

  // A stateless server on the SDK for Java 0.17 refuses `form`: "Unrecognized field" with -32603.
  test.each([
    [{ form: {} }, {}],
    [{}, {}],
    [{ url: {} }, { url: {} }],
  ])('an elicitation of %o is declared to 2025-11-25 as %o', (elicitation, expected) => {
    expect(clientCapabilitiesFor('2025-11-25', { elicitation })).toEqual({ elicitation: expected })
    expect(clientCapabilitiesFor('2026-07-28', { elicitation })).toEqual({ elicitation })
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
    extensions: { 'io.example/y': {} },
    invented: {},
  }
  test.each([
    ['2024-11-05', ['logging', 'prompts', 'resources', 'tools', 'extensions']],
    ['2025-03-26', ['logging', 'prompts', 'resources', 'tools', 'completions', 'extensions']],
    ['2025-06-18', ['logging', 'prompts', 'resources', 'tools', 'completions', 'extensions']],
    ['2025-11-25', ['logging', 'prompts', 'resources', 'tools', 'completions', 'tasks', 'extensions']],
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
