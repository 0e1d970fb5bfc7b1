import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@junctor/testkit'
import type { StormNode } from '../storm/deployment/storm-node.ts'
import { type GrantNodes, startGrantNodes } from './grant-nodes.ts'
import { createGrantPerson, type GrantPerson } from './grant-person.ts'
import { type GrantPlanOptions, type GrantStep, planGrants } from './grant-plan.ts'
import { startGrantServer } from './grant-server.ts'
import { type GrantOutage, judgeGrants } from './judge-grants.ts'

interface GrantsOptions extends GrantPlanOptions {
  readonly onProgress: (line: string) => void
}

interface GrantsReport {
  /** The broken promises, as texts. */
  readonly faults: readonly string[]
  readonly calls: number
  /** Calls that the server has run. */
  readonly runs: number
  /** How often people have agreed. */
  readonly grants: number
  readonly outages: number
  /** The folder with configurations and logs; undefined when all promises were kept. */
  readonly folder: string | undefined
}

const names = ['ada', 'bob', 'eve', 'kim', 'lee', 'max'] as const

/** How long nodes may take until each knows that all accesses have ended, in milliseconds. */
const endMs = 60_000

/**
 * People agree, call and end their access at random nodes, while nodes are killed or asked to end. At last everybody ends the
 * access, and nothing may be left of it.
 */
export async function runGrants(options: GrantsOptions): Promise<GrantsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-grants-'))
  const people = names.slice(0, options.people).map(createGrantPerson)
  const server = await startGrantServer()
  let isKept = false
  try {
    const wanted = { folder, nodes: options.nodes, people: people.map(({ name }) => name), server: server.url }
    const deployment = await startGrantNodes(wanted)
    try {
      const outages: GrantOutage[] = []
      for (const [index, steps] of planGrants(options).entries()) {
        options.onProgress(`round ${index}: ${steps.map(({ action }) => action).join(' ')}`)
        // oxlint-disable-next-line no-await-in-loop -- one round after the other
        await Promise.all(steps.map((step) => run(step, people, deployment, outages)))
      }
      const left = await endAll(people, deployment.nodes)
      const crashes = [...left, ...deployment.nodes.flatMap((node) => node.crashes)]
      const calls = people.flatMap((person) => person.calls)
      const { runs, authority } = server
      const { grants, reuses } = authority
      const faults = judgeGrants({ calls, runs, outages, grants, reuses, crashes })
      isKept = faults.length === 0
      const counts = { calls: calls.length, runs: runs.length, grants: grants.length, outages: outages.length }
      return { faults, ...counts, folder: isKept ? undefined : folder }
    } finally {
      await deployment.close()
    }
  } finally {
    await server.close()
    if (isKept) rmSync(folder, { recursive: true, force: true })
  }
}

async function run(
  { action, person: index, node: first }: GrantStep,
  people: readonly GrantPerson[],
  deployment: GrantNodes,
  outages: GrantOutage[],
): Promise<void> {
  const person = people[index] as GrantPerson
  const { nodes } = deployment
  const urlOf = (more: number): string => (nodes[(first + more) % nodes.length] as StormNode).url
  const call = (more: number): Promise<unknown> => person.call(urlOf(more), 'whoami')
  switch (action) {
    case 'call':
      await call(0)
      break
    case 'calls':
      await Promise.all([0, 1, 2, 3].map(call))
      break
    case 'agree':
      await Promise.all([person.agree(urlOf(0)), call(1)])
      break
    case 'end':
      await Promise.all([person.end(urlOf(0)), call(0), call(1)])
      break
    case 'kill':
    case 'stop':
      outages.push(await strike(deployment, nodes[first] as StormNode, action))
      break
  }
}

async function strike({ setPresent }: GrantNodes, node: StormNode, how: 'kill' | 'stop'): Promise<GrantOutage> {
  const began = performance.now()
  setPresent(node, false)
  await (how === 'kill' ? node.kill() : node.stop())
  await node.start()
  setPresent(node, true)
  return { at: node.url, how, began, ended: performance.now() }
}

/** Ends everybody's access. Returns where somebody still gets an answer of the server, as texts. */
async function endAll(people: readonly GrantPerson[], nodes: readonly StormNode[]): Promise<readonly string[]> {
  const [any] = nodes as [StormNode, ...StormNode[]]
  const left = await Promise.all(
    people.map(async (person) => {
      const isEnded = eventually(async () => {
        await person.end(any.url)
        for (const node of nodes) {
          // oxlint-disable-next-line no-await-in-loop -- one node after the other
          const { answers } = await person.call(node.url, 'whoami')
          if (answers.length !== 1 || JSON.stringify(answers).includes('I am')) throw new Error(node.name)
        }
      }, endMs)
      return isEnded.then(
        () => [],
        (error: unknown) => [`the access of ${person.name} does not end: ${String(error)}`],
      )
    }),
  )
  return left.flat()
}
