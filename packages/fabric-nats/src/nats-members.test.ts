import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { ClockSkews } from './clock-skews.ts'
import { NatsMembers } from './nats-members.ts'
import type { NodeBus } from './node-bus.ts'

const lookMs = 500

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A node that receives nothing, with calls in flight to another one. */
function start() {
  let time = 1_000_000
  const lost: string[] = []
  const bus = {
    node: 'here',
    incarnation: 'first',
    subjects: { all: (what: string) => what, node: (node: string, what: string) => `${node}.${what}` },
    listen() {},
    publish: () => true,
    expect: () => 'token',
    forget() {},
    inbox: (token: string) => token,
  } as unknown as NodeBus
  const owner = {
    nodes: new Set(['there']),
    leaving() {},
    lost: (node: string) => void lost.push(node),
    check() {},
    sweep() {},
  }
  const skews = new ClockSkews(silentLog, () => time)
  const members = new NatsMembers(bus, skews, () => time, owner, {
    reportError: expect.unreachable,
    unreadable: expect.unreachable,
  })
  members.join()
  /** Advances the clock, and runs one check. */
  const look = (afterMs: number): void => {
    time += afterMs
    vi.advanceTimersByTime(lookMs)
  }
  return { members, lost, look }
}

it('does not treat a node as lost after its own process got no processor time for a while, even twice', () => {
  const { members, lost, look } = start()
  look(7_000)
  look(1_200)
  look(1_900)
  expect(lost).toEqual([])
  members.leave()
})

it('gives up its calls when it has not received even its own announcements for six seconds', () => {
  const { members, lost, look } = start()
  for (let times = 0; times < 11; times += 1) look(lookMs)
  expect(lost).toEqual([])
  look(lookMs)
  expect(lost).toEqual(['there'])
  members.leave()
})
