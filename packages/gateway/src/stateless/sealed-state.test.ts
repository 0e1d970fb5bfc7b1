import type { CallContext } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { openState, sealState } from './sealed-state.ts'

const { seal } = createMemoryFabric(createMemoryBus())
const request = createRequest('tools/call', { name: 'book', arguments: { seat: 1 } })
const minuteMs = 60_000

function contextOf(subject = 'ada', tenant = 'default'): CallContext {
  const principal = { issuer: 'keys', subject, key: `keys ${subject}` }
  return { ...recordExchange().exchange.context, tenant, principal }
}

it('gives back the state of the backend, for ten minutes', () => {
  const sealed = sealState(seal, contextOf(), request, 'own state', 0)
  expect(openState(seal, contextOf(), request, sealed, 9 * minuteMs)).toEqual({ kind: 'open', state: 'own state' })
  expect(openState(seal, contextOf(), request, sealed, 10 * minuteMs)).toEqual({ kind: 'bad' })
})

it('is bound to a request also when the backend has no state', () => {
  const sealed = sealState(seal, contextOf(), request, undefined, 0)
  expect(openState(seal, contextOf(), request, sealed, 0)).toEqual({ kind: 'open', state: undefined })
})

it('is the same request in each round, whatever the round adds', () => {
  const sealed = sealState(seal, contextOf(), request, 'own', 0)
  const round = {
    arguments: { seat: 1 },
    name: 'book',
    _meta: { progressToken: 1 },
    inputResponses: {},
    requestState: 'x',
  }
  expect(openState(seal, contextOf(), createRequest('tools/call', round), sealed, 0)).toMatchObject({ kind: 'open' })
})

it.each([
  ['another principal', contextOf('eve'), request],
  ['another tenant', contextOf('ada', 'other'), request],
  ['another method', contextOf(), createRequest('prompts/get', { name: 'book', arguments: { seat: 1 } })],
  ['other arguments', contextOf(), createRequest('tools/call', { name: 'book', arguments: { seat: 2 } })],
])('is not valid for %s', (_, context, asked) => {
  const sealed = sealState(seal, contextOf(), request, 'own', 0)
  expect(openState(seal, context, asked, sealed, 0)).toEqual({ kind: 'bad' })
})

it('is not valid when it is changed or made up, and is told from what names a waiting request', () => {
  const sealed = sealState(seal, contextOf(), request, 'own', 0)
  for (const sent of ['~', '~AAAA', `~A${sealed.slice(1)}`, sealed.slice(0, -4)]) {
    expect([sent, openState(seal, contextOf(), request, sent, 0)]).toEqual([sent, { kind: 'bad' }])
  }
  expect(openState(seal, contextOf(), request, 'node-id', 0)).toEqual({ kind: 'other' })
})
