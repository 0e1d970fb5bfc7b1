import { untilNoDescendants } from '@junctor/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { runAuthSuite, runClientSuite, runServerSuite } from '../src/run-through-gateway.ts'
import { runLoginSuite } from '../src/run-login-suite.ts'
import {
  authSuites,
  clientSuites,
  loginSuite,
  serverSuites,
  skillSuites,
  type Suite,
  taskSuites,
} from '../src/suites.ts'
import type { Topology } from '../src/topology.ts'
import { withScratch } from '../src/with-scratch.ts'

// Each suite with the servers and nodes that differ most: `pnpm conformance` runs all combinations.
// With a stdio backend, each session of a suite starts its own process.
const timeout = 120_000

afterEach(() => untilNoDescendants())

describe(`the official suite for servers, through the gateway: ${serverSuites[0].name}`, () => {
  it.each<Topology>([
    { backend: 'stdio', era: 'handshake', nodes: 2, fabric: 'memory' },
    { backend: 'http', era: 'stateless', nodes: 1, fabric: 'memory' },
  ])(
    'finds nothing wrong with $nodes node(s) on $fabric in front of a $era backend on $backend',
    { timeout },
    async (topology) => {
      const { passed, failures } = await withScratch((scratch) => runServerSuite(serverSuites[0], topology, scratch))
      expect(failures).toEqual([])
      // 84 without a gateway; two checks are of optional behaviour, which the gateway does not have.
      expect(passed).toBe(82)
    },
  )
})

describe('the official suite of 2026-07-28, through the gateway', () => {
  const suite = serverSuites.find(({ name }) => name.includes('2026-07-28')) as Suite

  it.each<Topology>([
    { backend: 'http', era: 'handshake', nodes: 1, fabric: 'memory' },
    { backend: 'http', era: 'stateless', nodes: 3, fabric: 'nats' },
    { backend: 'stdio', era: 'stateless', nodes: 1, fabric: 'memory' },
  ])(
    'finds nothing wrong with $nodes node(s) on $fabric in front of a $era backend on $backend',
    { timeout },
    async (topology) => {
      const { passed, failures } = await withScratch((scratch) => runServerSuite(suite, topology, scratch))
      expect(failures).toEqual([])
      expect(passed).toBeGreaterThanOrEqual(149)
    },
  )
})

describe('the official suite of skills, through the gateway', () => {
  it.each(skillSuites)('finds nothing wrong: $name', { timeout }, async (suite) => {
    const topology: Topology = { backend: 'http', era: 'stateless', nodes: 2, fabric: 'memory' }
    const { passed, failures } = await withScratch((scratch) => runServerSuite(suite, topology, scratch))
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(3)
  })
})

describe('the official scenarios of tasks, through the gateway', () => {
  it.each(taskSuites)('finds nothing wrong: $name', { timeout }, async (suite) => {
    const topology: Topology = { backend: 'tasks', era: 'stateless', nodes: 2, fabric: 'memory' }
    const { passed, failures } = await withScratch((scratch) => runServerSuite(suite, topology, scratch))
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(1)
  })
})

describe('the official suite for clients, with the gateway between its server and a client', () => {
  it.each(clientSuites)('finds nothing wrong: $name', { timeout }, async (suite) => {
    const { passed, failures } = await withScratch((scratch) => runClientSuite(suite, scratch))
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })
})

/** Those with the most steps, and those of servers that differ most. `pnpm conformance` runs all. */
const testedAuth = /step-up|pre-registration|backcompat|fallback|mismatch|credentials-basic/

describe('the official suite of authorization for clients, with the gateway as the client', () => {
  it.each(authSuites.filter(({ name }) => testedAuth.test(name)))(
    'finds nothing wrong: $name',
    { timeout },
    async (suite) => {
      const { passed, failures } = await withScratch((scratch) => runAuthSuite(suite, scratch))
      expect(failures).toEqual([])
      expect(passed).toBeGreaterThan(0)
    },
  )
})

it(
  'the official scenarios for authorization servers find nothing wrong with the login server',
  { timeout },
  async () => {
    const { passed, failures, warnings } = await withScratch((scratch) => runLoginSuite(loginSuite, scratch))
    expect({ failures, warnings }).toEqual({ failures: [], warnings: [] })
    expect(passed).toBe(3)
  },
)
