import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { GatheredBytes } from './gathered-bytes.ts'

test('pieces are joined in their order, and a taken whole has no effect on the next', () => {
  const gathered = new GatheredBytes()
  const text = 'abcdefghijklmnopqrstuvwxyz'
  for (let size = 1; size <= text.length; size += 1) {
    for (let at = 0; at < text.length; at += size) {
      gathered.add(Buffer.from(text.slice(at, at + size)))
      gathered.add(Buffer.of())
    }
    expect(gathered).toHaveLength(text.length)
    expect(Buffer.from(gathered.take()).toString()).toBe(text)
    expect(gathered).toHaveLength(0)
  }
})

test('a piece that comes alone is not copied, and none is changed', () => {
  const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(3)]
  const gathered = new GatheredBytes()
  gathered.add(one)
  expect(gathered.take()).toBe(one)
  gathered.add(one)
  gathered.add(other)
  gathered.add(other)
  expect([...gathered.take()]).toEqual([1, 2, 3, 3])
  expect([...one, ...other]).toEqual([1, 2, 3])
})

test('what was gathered can be forgotten', () => {
  const gathered = new GatheredBytes()
  gathered.add(Uint8Array.of(1))
  gathered.add(Uint8Array.of(2))
  gathered.clear()
  expect([...gathered.take()]).toEqual([])
})

test('many small pieces occupy not much more than their bytes', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const gathered = new GatheredBytes()
  collect()
  const before = memoryUsage()
  for (let count = 0; count < 200_000; count += 1) gathered.add(Uint8Array.of(120))
  collect()
  const { heapUsed, arrayBuffers } = memoryUsage()
  expect(heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers).toBeLessThan(5_000_000)
  expect(gathered.take()).toHaveLength(200_000)
})
