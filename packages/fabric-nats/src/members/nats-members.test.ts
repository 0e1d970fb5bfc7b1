import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { ClockSkews } from './clock-skews.ts'
import { NatsMembers } from './nats-members.ts'
import type { NodeBus } from '../bus/node-bus.ts'

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
  const listeners = new Map<string, (body: Uint8Array) => void>()
  /** The number of the last message from the other node. */
  let count = 0
  const bus = {
    node: 'here',
    incarnation: 'first',
    subjects: { all: (what: string) => what, node: (node: string, what: string) => `${node}.${what}` },
    listen: (subject: string, listener: (body: Uint8Array) => void) => void listeners.set(subject, listener),
    publish: () => true,
    expect: () => 'token',
    forget() {},
    countFrom: () => count,
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
  /** Its process is stopped, and reads what has arrived before it runs a check. */
  const pass = (ms: number): void => void (time += ms)
  /** Delivers an announcement that was sent some milliseconds ago. */
  const deliver = (node: string, agoMs: number): void => {
    const alive = { node, incarnation: 'first', about: {}, at: time - agoMs }
    listeners.get('alive')?.(Buffer.from(JSON.stringify(alive)))
  }
  /** Delivers a message of the other node that is not an announcement. */
  const deliverOther = (): void => void (count += 1)
  return { members, lost, look, pass, deliver, deliverOther, skews }
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

it('does not treat a node as lost whose announcements wait behind its other messages', () => {
  const { members, lost, look, deliver, deliverOther } = start()
  deliver('there', 0)
  for (let times = 0; times < 40; times += 1) {
    if (times % 8 === 0) deliverOther()
    // Until half of the time this node receives its own announcements, and then nothing but the other messages.
    if (times < 20) deliver('here', 0)
    look(lookMs)
  }
  expect(lost).toEqual([])
  for (let times = 0; times < 12; times += 1) look(lookMs)
  expect(lost).toContain('there')
  members.leave()
})

it.each(['before', 'after'])(
  'takes no announcements that it reads late for those of a wrong clock, %s a check',
  (order) => {
    const { members, look, pass, deliver, skews } = start()
    if (order === 'after') look(60_000)
    else pass(60_000)
    for (let agoMs = 60_000; agoMs > 0; agoMs -= 2_000) {
      deliver('there', agoMs)
      if (agoMs === 60_000) deliver('here', agoMs)
    }
    expect(skews.aheadMs).toEqual({})
    // Its own announcement of now was sent after all of these.
    deliver('here', 0)
    deliver('there', 3)
    expect(skews.aheadMs).toEqual({ there: -3 })
    members.leave()
  },
)
