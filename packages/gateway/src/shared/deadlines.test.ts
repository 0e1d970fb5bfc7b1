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
  const caught = vi.fn<ErrorReporter>()
  const timetable = createDeadlines(Date.now, caught)
  const expired: string[] = []
  const item = (name: string, deadline: number) => ({ deadline, expire: () => void expired.push(name) })
  return { timetable, expired, item, caught }
}

describe('Timetable', () => {
  it('expires each item once, not before its deadline and at most a tick after it', () => {
    const { timetable, expired, item } = setUp()
    timetable.add(item('late', 200))
    timetable.add(item('early', 100))
    vi.advanceTimersByTime(99)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(51)
    expect(expired).toEqual(['early'])
    vi.advanceTimersByTime(1_000)
    expect(expired).toEqual(['early', 'late'])
  })

  it('runs no timer while nothing is on it', () => {
    const { timetable, item } = setUp()
    const one = item('one', 1_000)
    timetable.add(one)
    timetable.remove(one)
    vi.advanceTimersByTime(50)
    expect(vi.getTimerCount()).toBe(0)
    timetable.add(item('two', 1_000))
    expect(vi.getTimerCount()).toBe(1)
  })

  it('reports whether the removed item was on the timetable', () => {
    const { timetable, item } = setUp()
    const one = item('one', 1_000)
    timetable.add(one)
    expect([timetable.remove(one), timetable.remove(one)]).toEqual([true, false])
  })

  it('reads a deadline that moves each time', () => {
    const { timetable, expired, item } = setUp()
    const one = item('one', 100)
    timetable.add(one)
    one.deadline = 300
    vi.advanceTimersByTime(250)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(100)
    expect(expired).toEqual(['one'])
  })

  it('does not expire an item that another one takes off in the same tick', () => {
    const { timetable, expired, item } = setUp()
    const second = item('second', 10)
    timetable.add({ deadline: 10, expire: () => void timetable.remove(second) })
    timetable.add(second)
    vi.advanceTimersByTime(100)
    expect(expired).toEqual([])
  })

  it('expires the others when one throws, and reports the error', () => {
    const { timetable, expired, item, caught } = setUp()
    const error = new Error('broken')
    const expire = (): void => {
      throw error
    }
    timetable.add({ id: 'n-1', deadline: 10, expire })
    timetable.add(item('other', 10))
    vi.advanceTimersByTime(100)
    expect(expired).toEqual(['other'])
    expect(caught.mock.calls).toEqual([['timer', error, { exchange: 'n-1' }]])
  })

  it('removes all items when it closes', () => {
    const { timetable, expired, item } = setUp()
    timetable.add(item('one', 10))
    timetable.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(100)
    expect(expired).toEqual([])
  })
})
