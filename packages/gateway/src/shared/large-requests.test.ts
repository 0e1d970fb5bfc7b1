import type { Principal } from '@junctor/exchange'
import { expect, test } from 'vitest'
import { LargeRequests, memoryOf } from './large-requests.ts'

const principal = (subject: string, issuer = 'keys'): Principal => ({ issuer, subject, key: `${issuer}|${subject}` })
const [ada, eve, anyone] = [principal('ada'), principal('eve'), principal('local', 'local')]
const text = (length: number): string => 'x'.repeat(length)

test('requests enter while there is room, and one alone whatever its length', () => {
  const large = new LargeRequests(memoryOf(text(100)))
  const leave = large.enter(text(1_000), ada)
  expect(leave).toBeDefined()
  expect(large.enter(text(1), eve)).toBeUndefined()
  leave?.()
  leave?.()
  expect(large.enter(text(60), eve)).toBeDefined()
  expect(large.enter(text(41), ada)).toBeUndefined()
  expect(large.enter(text(40), ada)).toBeDefined()
})

test('one principal leaves a quarter to others, but callers without credentials are many', () => {
  const large = new LargeRequests(memoryOf(text(100)))
  const leave = large.enter(text(70), ada)
  expect(large.enter(text(6), ada)).toBeUndefined()
  expect(large.enter(text(30), eve)).toBeDefined()
  leave?.()
  expect(large.enter(text(40), anyone)).toBeDefined()
  expect(large.enter(text(30), anyone)).toBeDefined()
  expect(large.enter(text(1), anyone)).toBeUndefined()
})

test('many small objects need more memory than one long text', () => {
  const objects = JSON.stringify(Array.from({ length: 1_000 }, () => ({})))
  expect(memoryOf(objects) / memoryOf(text(objects.length))).toBeGreaterThan(5)
})
