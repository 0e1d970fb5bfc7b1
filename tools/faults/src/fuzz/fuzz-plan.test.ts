import { expect, it } from 'vitest'
import { planFuzz, tenantOf } from './fuzz-plan.ts'

const options = { seed: 7, seconds: 60, clients: 6, nodes: 3 }
const kinds = ['abort', 'cancel', 'delete', 'inline', 'kill', 'listen', 'open', 'queue', 'task', 'terminate']

it('is the same for the same seed, and another one for another', () => {
  expect(planFuzz(options)).toEqual(planFuzz(options))
  expect(planFuzz({ ...options, seed: 8 })).not.toEqual(planFuzz(options))
})

it('has actions of all kinds, at all nodes, of all clients, in order and in time', () => {
  const steps = planFuzz(options)
  expect([...new Set(steps.map(({ kind }) => kind))].toSorted()).toEqual(kinds)
  expect(new Set(steps.map(({ node }) => node))).toEqual(new Set([0, 1, 2]))
  expect(new Set(steps.flatMap((step) => ('client' in step ? [step.client] : []))).size).toBe(options.clients)
  expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((one, other) => one - other))
  expect(steps.at(-1)?.at).toBeLessThan(60_000)
})

it('begins each session of a client with its opening, and no client of the saas tenant calls inline', () => {
  const open = new Set<number>()
  for (const step of planFuzz(options)) {
    if (!('client' in step)) continue
    expect(open.has(step.client)).toBe(step.kind !== 'open')
    if (step.kind === 'open') open.add(step.client)
    if (step.kind === 'delete') open.delete(step.client)
    expect(tenantOf(step.client) === 'saas' && ['inline', 'task'].includes(step.kind)).toBe(false)
  }
})
