import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { movableClock } from '../src/movable-clock.ts'
import { verifies } from '../src/verifies.ts'

const folder = mkdtempSync(join(tmpdir(), 'junctor-clocks-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hours = 3_600_000

verifies('REL-9', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  const clock = movableClock()
  const ends = join(folder, crypto.randomUUID())
  const began = () => (existsSync(ends) ? readFileSync(ends, 'utf8').split('began').length - 1 : 0)
  await inGateway(cell, { demo: demo(), lean: lean({ ends }, { timeout: '1s' }) }, async ({ client }) => {
    const one = await client()

    const params = { name: 'demo__progress', arguments: { steps: 4, delayMs: 200 }, _meta: { progressToken: 'p' } }
    const running = one.request('tools/call', params)
    await one.until(({ message }) => message['method'] === 'notifications/progress')
    clock.set(3 * hours)
    expect(await running).toHaveProperty('result')

    const hanging = one.request('tools/call', { name: 'lean__hang', arguments: {} })
    await expect.poll(began, { timeout: 10_000 }).toBe(1)
    clock.set(-3 * hours)
    expect(await hanging).toHaveProperty('error.data.reason', 'deadline_exceeded')

    // The session is still there.
    expect(await one.request('tools/call', { name: 'demo__add', arguments: { a: 2, b: 3 } })).toHaveProperty('result')
  })
})
