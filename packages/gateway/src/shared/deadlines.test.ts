import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ErrorReporter } from '@junctor/contracts'
import { createDeadlines } from './deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

function setUp() {
  const reportError = vi.fn<ErrorReporter>()
  const deadlines = createDeadlines(Date.now, reportError)
  const expired: string[] = []
  const item = (name: string, deadline: number) => ({ deadline, expire: () => void expired.push(name) })
  return { deadlines, expired, item, reportError }
}

describe('Timetable', () => {
  it('expires each item once, not before its deadline and at most a tick after it', () => {
    const { deadlines, expired, item } = setUp()
    deadlines.add(item('late', 200))
    deadlines.add(item('early', 100))
    vi.advanceTimersByTime(99)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(51)
    expect(expired).toEqual(['early'])
    vi.advanceTimersByTime(1_000)
    expect(expired).toEqual(['early', 'late'])
  })

  it('runs no timer while nothing is on it', () => {
    const { deadlines, item } = setUp()
    const one = item('one', 1_000)
    deadlines.add(one)
    deadlines.remove(one)
    vi.advanceTimersByTime(50)
    expect(vi.getTimerCount()).toBe(0)
    deadlines.add(item('two', 1_000))
    expect(vi.getTimerCount()).toBe(1)
  })

  it('reports whether the removed item was on the deadlines', () => {
    const { deadlines, item } = setUp()
    const one = item('one', 1_000)
    deadlines.add(one)
    expect([deadlines.remove(one), deadlines.remove(one)]).toEqual([true, false])
  })

  it('reads a deadline that moves each time', () => {
    const { deadlines, expired, item } = setUp()
    const one = item('one', 100)
    deadlines.add(one)
    one.deadline = 300
    vi.advanceTimersByTime(250)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(100)
    expect(expired).toEqual(['one'])
  })

  it('does not expire an item that another one takes off in the same tick', () => {
    const { deadlines, expired, item } = setUp()
    const second = item('second', 10)
    deadlines.add({ deadline: 10, expire: () => void deadlines.remove(second) })
    deadlines.add(second)
    vi.advanceTimersByTime(100)
    expect(expired).toEqual([])
  })

  it('expires the others when one throws, and reports the error', () => {
    const { deadlines, expired, item, reportError } = setUp()
    const error = new Error('broken')
    const expire = (): void => {
      throw error
    }
    deadlines.add({ id: 'n-1', deadline: 10, expire })
    deadlines.add(item('other', 10))
    vi.advanceTimersByTime(100)
    expect(expired).toEqual(['other'])
    expect(reportError.mock.calls).toEqual([['timer', error, { exchange: 'n-1' }]])
  })

  it('removes all items when it closes', () => {
    const { deadlines, expired, item } = setUp()
    deadlines.add(item('one', 10))
    deadlines.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(100)
    expect(expired).toEqual([])
  })
})
