import { expect, test } from 'vitest'
import { readRateControl, toRateControl } from './rate-control.ts'

const counts = { tenant: 'acme', calls: [{ name: 'principal api-key ada', tried: 3, admitted: 2 }] }

test('is read as it was written', () => {
  expect(readRateControl(toRateControl(counts))).toEqual({ kind: 'read', value: counts })
})

test('is not a message about something else', () => {
  expect(readRateControl({ kind: 'session-ended', body: { session: 's' } })).toEqual({ kind: 'other' })
})

test.each([
  ['no object', 5],
  ['no tenant', { calls: [] }],
  ['calls that are no tuples', { tenant: 'acme', calls: [{ name: 'tenant' }] }],
  ['a negative count', { tenant: 'acme', calls: [['tenant', 1, -1]] }],
  ['a part of a call', { tenant: 'acme', calls: [['tenant', 1.5, 1]] }],
])('of another version may be unreadable: %s', (_, body) => {
  expect(readRateControl({ kind: 'rates', body })).toMatchObject({ kind: 'unreadable' })
})
