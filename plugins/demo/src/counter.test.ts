import type { Scope } from '@junctor/plugin-sdk'
import { expect, it } from 'vitest'
import { createCounter } from './counter.ts'

function scopeOf(tenant: string): Scope {
  return { tenant, principal: undefined, session: undefined, capabilities: {}, key: tenant }
}

it('counts for each tenant apart', () => {
  const counter = createCounter()
  expect([counter.tick('a'), counter.tick('a'), counter.tick('b')]).toEqual([1, 2, 1])
  expect(counter.read('c')).toBe(0)
})

it('tells the listeners of the tenant, and those of a link that is shared by all', () => {
  const counter = createCounter()
  const heard: string[] = []
  const stops = ['a', 'b', ''].map((tenant) => counter.onTick(scopeOf(tenant), () => heard.push(tenant)))
  counter.tick('a')
  expect(heard).toEqual(['a', ''])
  for (const stop of stops) stop()
  counter.tick('a')
  expect(heard).toHaveLength(2)
})

it('two listeners that are one function are told twice, and stopped one by one', () => {
  const counter = createCounter()
  let heard = 0
  const listener = (): void => void (heard += 1)
  const stop = counter.onTick(scopeOf('a'), listener)
  counter.onTick(scopeOf('a'), listener)
  stop()
  stop()
  counter.tick('a')
  expect(heard).toBe(1)
})
