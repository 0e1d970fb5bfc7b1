import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Backend, Link } from '@junctor/contracts'
import type { Client } from '@junctor/exchange'
import { createBackend } from './create-backend.ts'
import type { LifecycleHooks } from './lifecycle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const scope = { tenant: 'default', principal: 'ada', session: 's', capabilities: {}, key: 'k' }

function open(backend: Backend): Promise<Link> {
  return backend.open(scope, {} as Client, new AbortController().signal)
}

function backendWith(hooks: LifecycleHooks): Backend {
  return createBackend({ name: 'b', tools: [], ...hooks })
}

describe('start', () => {
  it('is called once, before the first link is open', async () => {
    const order: string[] = []
    const backend = backendWith({
      async start() {
        await Promise.resolve()
        order.push('start')
      },
    })
    await Promise.all([open(backend), open(backend)].map((link) => link.then(() => order.push('link'))))
    expect(order).toEqual(['start', 'link', 'link'])
  })

  it('that fails refuses the link, and is called again at the next attempt', async () => {
    const start = vi.fn<() => void>().mockImplementationOnce(() => {
      throw new Error('no disk')
    })
    const backend = backendWith({ start })
    await expect(open(backend)).rejects.toThrow('no disk')
    await open(backend)
    await open(backend)
    expect(start).toHaveBeenCalledTimes(2)
  })

  it('is not called for a backend that no one uses', async () => {
    const start = vi.fn<() => void>()
    const backend = backendWith({ start })
    await backend.close()
    expect(start).not.toHaveBeenCalled()
  })
})

describe('health', () => {
  it('is checked before the first link, and every ten seconds while links are open', async () => {
    const health = vi.fn<() => void>()
    const backend = backendWith({ health })
    const first = await open(backend)
    const second = await open(backend)
    expect(health).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(health).toHaveBeenCalledTimes(3)
    await first.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(health).toHaveBeenCalledTimes(4)
    await second.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(health).toHaveBeenCalledTimes(4)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that fails ends all links and refuses new ones, until it succeeds', async () => {
    let broken = false
    const backend = backendWith({
      health() {
        if (broken) throw new Error('the database is gone')
      },
    })
    const links = [await open(backend), await open(backend)]
    broken = true
    await vi.advanceTimersByTimeAsync(10_000)
    const ends = await Promise.all(links.map((link) => link.closed))
    expect(ends.map((error) => error?.message)).toEqual(
      Array(2).fill('[BACKEND_UNREACHABLE] the backend is not healthy: the database is gone'),
    )
    await expect(open(backend)).rejects.toThrow('the database is gone')
    broken = false
    await open(backend)
    await backend.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that does not answer within five seconds has failed', async () => {
    const signals: AbortSignal[] = []
    const backend = backendWith({
      health(signal) {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const refused = open(backend).catch((error: unknown) => String(error))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await refused).toContain('no answer within 5000 ms')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('drain', () => {
  it('is called once, and its error is that of the caller', async () => {
    const drain = vi.fn<() => void>(() => {
      throw new Error('not sent')
    })
    const backend = backendWith({ drain })
    await expect(backend.drain?.()).rejects.toThrow('not sent')
    await expect(backend.drain?.()).rejects.toThrow('not sent')
    expect(drain).toHaveBeenCalledTimes(1)
  })
})
