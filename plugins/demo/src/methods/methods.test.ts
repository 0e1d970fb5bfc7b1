import { openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoPlugin } from '../index.ts'

let client: TestClient

beforeEach(async () => {
  client = await openBackend(demoPlugin)
})

afterEach(async () => {
  await client.close()
})

const streamed = { options: { stream: true } } as const

test('add', async () => {
  expect(await client.callMethod('add', [1, 2])).toBe(3)
  await expect(client.callMethod('add', { a: 1 })).rejects.toMatchObject({ code: -32602 })
})

test.each([
  ['listen.logs', ['Log entry 1', 'Log entry 2'], 'End of logs'],
  ['listen.errors', ['Err entry 1', 'Err entry 2'], 'End of errors'],
])('%s', async (name, entries, end) => {
  const chunks: unknown[] = []
  const onChunk = (data: unknown): void => void chunks.push(data)
  expect(await client.callMethod(name, {}, { ...streamed, onChunk })).toBe(end)
  expect(chunks).toEqual(entries)
})

test('listening continues until the request is cancelled', async () => {
  const controller = new AbortController()
  const onChunk = (data: unknown): void => void (data === 'Log entry 5' && controller.abort())
  const params = { forever: true, everyMs: 1 }
  const call = client.callMethod('listen.logs', params, { ...streamed, onChunk, signal: controller.signal })
  await expect(call).rejects.toThrow('The request ended: cancelled')
})

test('start.longTask reports its progress', async () => {
  const received: unknown[] = []
  const onProgress = (progress: unknown): void => void received.push(progress)
  expect(await client.callMethod('start.longTask', { everyMs: 1 }, { onProgress })).toBe('Task completed')
  expect(await client.callMethod('start.longTask', { steps: 12, everyMs: 0 }, { onProgress })).toBe('Task completed')
  expect(received).toEqual([
    { progress: 10, total: 20 },
    { progress: 20, total: 20 },
    { progress: 10, total: 12 },
    { progress: 12, total: 12 },
  ])
})
