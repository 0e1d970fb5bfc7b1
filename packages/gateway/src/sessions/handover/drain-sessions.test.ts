import { expect, it } from 'vitest'
import { createDeadlines } from '../../shared/deadlines.ts'
import { type DrainParts, drainSessions } from './drain-sessions.ts'

interface TestSession {
  readonly id: string
  readonly transport: 'http'
  awaitsAnswers: boolean
  jobsDone(): undefined
}

function start(
  awaitsAnswers: boolean,
  visitors: readonly { readonly id: string; readonly inFlight: { size: number } }[] = [],
) {
  const deadlines = createDeadlines(Date.now, () => {})
  const session: TestSession = { id: 's', transport: 'http', awaitsAnswers, jobsDone: () => undefined }
  const homes = new Set([session])
  const ended: string[] = []
  const parts = (handOver: DrainParts['handOver']): DrainParts => ({
    table: {
      homes: () => homes as never,
      isAtWork: (id: string) => visitors.some((visitor) => visitor.id === id && visitor.inFlight.size > 0),
      visiting: () => visitors as never,
      peek: () => undefined,
    },
    visiting: { has: () => false, isBusy: false, onIdle: () => () => {} },
    clock: { now: Date.now, deadlines },
    handOver,
    async end(id) {
      ended.push(id)
      homes.clear()
    },
  })
  return { parts, session, homes, ended, close: () => deadlines.close() }
}

it('does not end a session to which an answer was promised during the hand-over of others', async () => {
  const { parts, session, homes, ended, close } = start(false)
  let looks = 0
  const handOver = async (): Promise<boolean> => {
    looks += 1
    if (looks === 1) session.awaitsAnswers = true
    else homes.clear()
    return true
  }
  await drainSessions(parts(handOver), 5_000)
  expect(ended).toEqual([])
  expect(looks).toBe(2)
  close()
})

it('ends a session that waits for answers when no other node stays', async () => {
  const { parts, ended, close } = start(true)
  await drainSessions(
    parts(async () => false),
    5_000,
  )
  expect(ended).toEqual(['s'])
  close()
})

it('waits for the open calls of sessions that visit from other nodes', async () => {
  const visitor = { id: 'v', inFlight: { size: 1 } }
  const { parts, close } = start(false, [visitor])
  let looks = 0
  const handOver = async (): Promise<boolean> => {
    looks += 1
    if (looks === 3) visitor.inFlight.size = 0
    return true
  }
  await drainSessions(parts(handOver), 5_000)
  expect(looks).toBe(3)
  close()
})
