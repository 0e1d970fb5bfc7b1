import { join } from 'node:path'
import { programFile } from '@junctor/testkit'
import type { Findings } from './read-checks.ts'
import { runSuite } from './run-suite.ts'
import type { Suite } from './suites.ts'
import { type Topology, withTopology } from './topology.ts'

/** Runs a suite for servers against a gateway. Never rejects: a gateway that does not start is a failure. */
export async function runServerSuite(suite: Suite, topology: Topology, scratch: string): Promise<Findings> {
  const folder = join(scratch, `${topology.backend}-${topology.era}-${topology.nodes}`)
  try {
    return await withTopology(topology, (url) => runSuite(suite, ['--url', url], folder))
  } catch (error) {
    return { passed: 0, failures: [`the gateway did not start, or not stop: ${String(error)}`], warnings: [] }
  }
}

/** Runs a scenario for clients, with a gateway between the suite's server and a client. */
export function runClientSuite(suite: Suite, scratch: string): Promise<Findings> {
  return runSuite(suite, ['--command', commandOf(clientDriver), '--timeout', '40000'], scratch)
}

/** Runs a scenario of authorization for clients: the gateway gets the tokens, with a person who agrees. */
export function runAuthSuite(suite: Suite, scratch: string): Promise<Findings> {
  return runSuite(suite, ['--command', commandOf(authDriver), '--timeout', '40000'], scratch)
}

/** A command line: the suite splits it at spaces. */
function commandOf(file: URL): string {
  return `${process.execPath} ${programFile(file)}`
}

const clientDriver = new URL('./client-driver.ts', import.meta.url)
const authDriver = new URL('./auth-driver.ts', import.meta.url)
