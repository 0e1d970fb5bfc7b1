import { expect, it } from 'vitest'
import { createRequest, recordExchange } from '@junctor/testkit'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { bindState, unbindState } from './bound-state.ts'

const { context } = recordExchange().exchange
const modern = { ...context, revision: '2026-07-28' } as const
const { entry } = createTestBackend({ address: 'https://one.example' })

/** The params that the backend `at` gets with this state. */
function shown(requestState: unknown, at = entry, of: typeof context = modern): unknown {
  const params = { name: 'book', inputResponses: { seat: {} }, requestState: requestState as string }
  const read = unbindState(at, of, createRequest('tools/call', params))
  return read.kind === 'foreign' ? 'foreign' : read.request.params?.value()
}

const answers = { name: 'book', inputResponses: { seat: {} } }

it.each([['own state'], [''], ['+'], ['-'], [undefined]])(
  'gives the state %j back to the backend that gave it',
  (state) => {
    const params = state === undefined ? answers : { ...answers, requestState: state }
    expect(shown(bindState(entry, state))).toEqual(params)
  },
)

it('is foreign for another backend, and for another server behind the same name', () => {
  for (const state of ['own state', undefined]) {
    const bound = bindState(entry, state)
    expect(shown(bound, { ...entry, address: 'https://two.example' })).toBe('foreign')
    expect(shown(bound, { ...entry, backend: { ...entry.backend, name: 'two' } })).toBe('foreign')
    expect(shown(bound, { ...entry })).not.toBe('foreign')
  }
  expect([shown('own state'), shown(7)]).toEqual(['foreign', 'foreign'])
})

it('leaves a parameter of that name as it is where no state is bound', () => {
  const chain = { id: 'a', depth: 1 } as unknown as NonNullable<typeof context.chain>
  for (const free of [context, { ...modern, chain }]) {
    expect(shown('own', entry, free)).toEqual({ ...answers, requestState: 'own' })
  }
})
