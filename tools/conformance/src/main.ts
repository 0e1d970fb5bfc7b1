import { parseArgs } from 'node:util'
import type { Findings } from './read-checks.ts'
import { runAuthSuite, runClientSuite, runServerSuite } from './run-through-gateway.ts'
import { runLoginSuite } from './run-login-suite.ts'
import { authSuites, clientSuites, loginSuite, serverSuites, skillSuites, taskSuites } from './suites.ts'
import { taskTopologies, topologies, topologyName } from './topology.ts'
import { withScratch } from './with-scratch.ts'

const help = `Usage: pnpm conformance

The official conformance suites, through the gateway in every topology, and against its login server: one line for each run,
then the totals. It takes about ten minutes, and ends with status 1 when a check has failed.`

const all: Findings[] = []

function report(suite: string, topology: string, findings: Findings): void {
  const { passed, failures, warnings } = findings
  const counts = `${passed} passed, ${failures.length} failed of ${passed + failures.length}, ${warnings.length} warnings`
  console.log(`${suite.padEnd(44)}${topology.padEnd(36)}${counts}`)
  for (const failure of failures) console.log(`  failed  ${failure}`)
  for (const warning of warnings) console.log(`  warning ${warning}`)
  all.push(findings)
}

async function runAll(): Promise<void> {
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
    for (const suite of clientSuites)
      report(suite.name, 'suite as backend, 1 node', await runClientSuite(suite, scratch))
    for (const suite of authSuites) report(suite.name, 'suite as backend, 1 node', await runAuthSuite(suite, scratch))
    report(loginSuite.name, 'login server, 1 node', await runLoginSuite(loginSuite, scratch))
  })

  const passed = all.reduce((sum, findings) => sum + findings.passed, 0)
  const failed = all.reduce((sum, findings) => sum + findings.failures.length, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
if (values.help === true) console.log(help)
else await runAll()
