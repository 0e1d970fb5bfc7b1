import type { CallContext } from '@junctor/exchange'
import { recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { ContextNames } from './context-names.ts'

const { context } = recordExchange().exchange
const full = { kind: 'full', name: undefined }

/** The context of the next request of the same session. */
function next(change: Partial<CallContext> = {}): CallContext {
  return { ...context, trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, ...change }
}

test('a context that comes again gets a name, and is sent as that name from then on', () => {
  const names = new ContextNames('me')
  expect(names.send(next(), 'far')).toEqual(full)
  expect(names.send(next(), 'far')).toEqual({ kind: 'full', name: 'me-1' })
  expect(names.send(next(), 'far')).toEqual({ kind: 'named', name: 'me-1' })
})

test('each node receives the full context first, and again when it does not know the name', () => {
  const names = new ContextNames('me')
  for (const node of ['far', 'far', 'far']) names.send(next(), node)
  expect(names.send(next(), 'other')).toEqual({ kind: 'full', name: 'me-1' })
  expect(names.send(next(), 'other')).toEqual({ kind: 'named', name: 'me-1' })
  names.forget(next(), 'far')
  expect(names.send(next(), 'far')).toEqual({ kind: 'full', name: 'me-1' })
  expect(names.send(next(), 'other')).toEqual({ kind: 'named', name: 'me-1' })
})

test.each([
  ['another session', { session: 'other' }],
  ['another principal', { principal: { ...context.principal, key: 'other' } }],
  ['another tenant', { tenant: 'other' }],
  ['another revision', { revision: '2024-11-05' }],
  ['other extensions', { extensions: ['async'] }],
  ['a job', { job: 'j' }],
  ['a request that was counted when it was submitted', { counted: true }],
  ['another client', { client: { ...context.client } }],
] satisfies [string, Partial<CallContext>][])('%s never uses the name of this one', (_what, change) => {
  const names = new ContextNames('me')
  const sent = ['far', 'far', 'far'].map((node) => names.send(next(), node))
  expect(sent.at(-1)).toEqual({ kind: 'named', name: 'me-1' })
  expect(names.send(next(change), 'far')).toEqual(full)
  expect(names.send(next(change), 'far').name).not.toBe('me-1')
})

test('when there are many nodes, all are forgotten together', () => {
  const names = new ContextNames('me')
  for (let n = 0; n <= 65; n += 1) names.send(next(), `node-${n}`)
  expect(names.send(next(), 'node-65')).toMatchObject({ kind: 'named' })
  expect(names.send(next(), 'node-1')).toMatchObject({ kind: 'full' })
})
