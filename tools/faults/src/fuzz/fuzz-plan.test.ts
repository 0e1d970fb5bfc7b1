import { expect, it } from 'vitest'
import { type ClientAction, type FuzzClientKind, type FuzzStep, kindOf, planFuzz } from './fuzz-plan.ts'

const options = { seed: 7, seconds: 60, clients: 8, nodes: 3, servers: 3 }

const ofClients = (steps: readonly FuzzStep[]): readonly (FuzzStep & ClientAction)[] =>
  steps.filter((step) => 'client' in step)

const kindsOf = (client: FuzzClientKind): readonly string[] => {
  const steps = ofClients(planFuzz(options)).filter((step) => kindOf(step.client) === client)
  return [...new Set(steps.map(({ kind }) => kind))].toSorted()
}

it('is the same for the same seed, and different for another', () => {
  expect(planFuzz(options)).toEqual(planFuzz(options))
  expect(planFuzz({ ...options, seed: 8 })).not.toEqual(planFuzz(options))
})

it('has clients of all kinds, each with all its actions', () => {
  expect(kindsOf('saas')).toEqual(['abort', 'cancel', 'delete', 'listen', 'open', 'queue'])
  expect(kindsOf('plain')).toEqual([
    'abort',
    'cancel',
    'delete',
    'end',
    'inline',
    'listen',
    'open',
    'queue',
    'resume',
    'status',
    'task',
  ])
  expect(kindsOf('jobs')).toEqual(['delete', 'end', 'inline', 'job', 'open', 'repeat', 'result', 'status'])
  expect(kindsOf('socket')).toEqual(['cancel', 'delete', 'end', 'inline', 'open', 'result', 'status', 'task'])
  expect(kindsOf('events')).toEqual(['cancel', 'delete', 'inline', 'open'])
  expect(kindsOf('stateless')).toEqual(['abort', 'inline', 'open'])
  expect(kindsOf('bus')).toEqual(['cancel', 'delete', 'end', 'inline', 'open', 'result', 'status', 'task'])
})

it('has calls with a question, answered at all nodes, of the clients that answer questions', () => {
  const asking = ofClients(planFuzz(options)).flatMap((step) => ('replyAt' in step ? [step] : []))
  expect(new Set(asking.map(({ kind }) => kind))).toEqual(new Set(['inline', 'queue']))
  expect(new Set(asking.map(({ replyAt }) => replyAt))).toEqual(new Set([0, 1, 2]))
  const kinds = new Set(asking.map(({ client }) => kindOf(client)))
  expect(kinds).toEqual(new Set(['plain', 'socket', 'events', 'stateless', 'bus']))
})

it('has all clients at all nodes, in order and in time, and outages of all kinds, of all nodes and servers', () => {
  const steps = planFuzz(options)
  expect(new Set(ofClients(steps).map(({ node }) => node))).toEqual(new Set([0, 1, 2]))
  expect(new Set(ofClients(steps).map(({ client }) => client)).size).toBe(options.clients)
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((one, other) => one - other))
  expect(steps.at(-1)?.at).toBeLessThan(60_000)
  const long = planFuzz({ ...options, seconds: 600 }).filter((step) => !('client' in step))
  expect(new Set(long.map(({ kind }) => kind))).toEqual(new Set(['terminate', 'kill', 'pause', 'nats', 'reload']))
  expect(new Set(long.map((step) => ('server' in step ? step.server : undefined)))).toEqual(
    new Set([undefined, 0, 1, 2]),
  )
})

it('begins each session of a client with its opening', () => {
  const open = new Set<number>()
  for (const step of ofClients(planFuzz(options))) {
    expect(open.has(step.client)).toBe(step.kind !== 'open')
    if (step.kind === 'open') open.add(step.client)
    if (step.kind === 'delete') open.delete(step.client)
  }
})
