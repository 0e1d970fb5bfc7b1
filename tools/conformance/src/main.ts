import type { Findings } from './read-checks.ts'
import { runAuthSuite, runClientSuite, runServerSuite } from './run-through-gateway.ts'
import { authSuites, clientSuites, serverSuites, skillSuites, taskSuites } from './suites.ts'
import { taskTopologies, topologies, topologyName } from './topology.ts'
import { withScratch } from './with-scratch.ts'

// The official conformance suites, through the gateway in every topology: one line for each run, then the totals.
const all: Findings[] = []

function report(suite: string, topology: string, findings: Findings): void {
  const { passed, failures, warnings } = findings
  const counts = `${passed} passed, ${failures.length} failed of ${passed + failures.length}, ${warnings.length} warnings`
  console.log(`${suite.padEnd(44)}${topology.padEnd(36)}${counts}`)
  for (const failure of failures) console.log(`  failed  ${failure}`)
  for (const warning of warnings) console.log(`  warning ${warning}`)
  all.push(findings)
}

await withScratch(async (scratch) => {
  for (const topology of topologies) {
    for (const suite of topology.era === 'stateless' ? [...serverSuites, ...skillSuites] : serverSuites) {
      report(suite.name, topologyName(topology), await runServerSuite(suite, topology, scratch))
    }
  }
  for (const topology of taskTopologies) {
    for (const suite of taskSuites) {
      report(suite.name, topologyName(topology), await runServerSuite(suite, topology, scratch))
    }
  }
  for (const suite of clientSuites) report(suite.name, 'suite as backend, 1 node', await runClientSuite(suite, scratch))
  for (const suite of authSuites) report(suite.name, 'suite as backend, 1 node', await runAuthSuite(suite, scratch))
})

const passed = all.reduce((sum, findings) => sum + findings.passed, 0)
const failed = all.reduce((sum, findings) => sum + findings.failures.length, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
