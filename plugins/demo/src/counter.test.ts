import type { Scope } from '@junctor/plugin-sdk'
import { expect, it } from 'vitest'
import { createCounter } from './counter.ts'

function scopeOf(tenant: string): Scope {
  return { tenant, principal: undefined, session: undefined, capabilities: {}, key: tenant }
}

it('has a separate count for each tenant', () => {
  const counter = createCounter()
  expect([counter.tick('a'), counter.tick('a'), counter.tick('b')]).toEqual([1, 2, 1])
  expect(counter.read('c')).toBe(0)
})

it('notifies the listeners of the tenant, and those of a link that all tenants share', () => {
  const counter = createCounter()
  const calls: string[] = []
  const stops = ['a', 'b', ''].map((tenant) => counter.onTick(scopeOf(tenant), () => calls.push(tenant)))
  counter.tick('a')
  expect(calls).toEqual(['a', ''])
  for (const stop of stops) stop()
  counter.tick('a')
  expect(calls).toHaveLength(2)
})

it('a function that is added twice is called twice, and removed once for each call of its stop function', () => {
  const counter = createCounter()
  let calls = 0
  const listener = (): void => void (calls += 1)
  const stop = counter.onTick(scopeOf('a'), listener)
  counter.onTick(scopeOf('a'), listener)
  stop()
  stop()
  counter.tick('a')
  expect(calls).toBe(1)
})
