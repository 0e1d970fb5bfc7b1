import { type Control, emitNothing, type ErrorReporter } from '@junctor/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TenantRates } from '../shared/tenant-rates.ts'
import { createRates } from './create-rates.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const perMinute = (calls: number) => ({ calls, windowMs: 60_000 })
const acme: TenantRates = { tenant: 'acme', ofTenant: undefined, ofPrincipal: perMinute(100), ofTools: [] }

function by(subject: string) {
  return { principal: { issuer: 'api-key', subject, key: subject }, tool: undefined }
}

async function start({ others = ['other'], send }: { others?: readonly string[]; send?: () => Promise<boolean> } = {}) {
  const sent: Control[] = []
  const errors: unknown[] = []
  const reportError: ErrorReporter = (_where, error) => void errors.push(error)
  const rates = createRates({
    fabric: {
      async send(_node, control) {
        sent.push(control)
        return send === undefined || send()
      },
    },
    nodes: { gateways: () => others },
    emit: emitNothing,
    reportError,
  })
  await rates.calls.applyConfig([{ rates: acme }])
  const take = (subject: string, times = 1) => {
    for (let count = 0; count < times; count += 1) rates.calls.take(acme, by(subject))
  }
  return { rates, sent, errors, take }
}

test('few calls are sent at the next sweep, many after a moment', async () => {
  const { rates, sent, take } = await start()
  take('ada', 2)
  vi.advanceTimersByTime(100)
  expect(sent).toEqual([])
  rates.sweep()
  expect(sent).toEqual([{ kind: 'rates', body: { tenant: 'acme', calls: [['principal ada', 2, 2]] } }])
  take('ada', 3)
  take('bob')
  vi.advanceTimersByTime(2)
  expect(sent[1]).toEqual({
    kind: 'rates',
    body: {
      tenant: 'acme',
      calls: [
        ['principal ada', 3, 3],
        ['principal bob', 1, 1],
      ],
    },
  })
})

test('nothing is sent without calls, or without other nodes', async () => {
  const alone = await start({ others: [] })
  alone.take('ada', 50)
  alone.rates.sweep()
  vi.advanceTimersByTime(100)
  const idle = await start()
  idle.rates.sweep()
  expect([alone.sent, idle.sent]).toEqual([[], []])
})

test('calls wait for the first other node as long as their window lasts', async () => {
  const others: string[] = []
  const { rates, sent, take } = await start({ others })
  take('old', 50)
  vi.advanceTimersByTime(60_000)
  take('old', 2)
  take('ada', 3)
  rates.sweep()
  expect(sent).toEqual([])
  others.push('other')
  rates.sweep()
  const calls = [
    ['principal old', 2, 2],
    ['principal ada', 3, 3],
  ]
  expect(sent).toEqual([{ kind: 'rates', body: { tenant: 'acme', calls } }])
})

test('many limits are sent in several messages', async () => {
  const { rates, sent, take } = await start()
  for (let count = 0; count < 1_200; count += 1) take(String(count))
  rates.sweep()
  const lengths = sent.map(({ body }) => (body as { calls: readonly unknown[] }).calls.length)
  expect(lengths).toEqual([500, 500, 200])
})

test('calls of other nodes are counted; other messages are not its own', async () => {
  const { rates } = await start()
  const control = { kind: 'rates', body: { tenant: 'acme', calls: [['principal ada', 100, 100]] } }
  expect(rates.control(control)).toMatchObject({ kind: 'read' })
  expect(rates.calls.take(acme, by('ada'))).toMatchObject({ scope: 'principal' })
  expect(rates.control({ kind: 'something', body: {} })).toEqual({ kind: 'other' })
})

test('a message that cannot be sent is reported', async () => {
  const failure = new Error('no connection')
  const { rates, errors, take } = await start({ send: () => Promise.reject(failure) })
  take('ada')
  rates.sweep()
  vi.useRealTimers()
  await expect.poll(() => errors).toEqual([failure])
})

test('nothing is sent after the end', async () => {
  const { rates, sent, take } = await start()
  take('ada', 50)
  rates.close()
  vi.advanceTimersByTime(100)
  take('ada', 50)
  vi.advanceTimersByTime(100)
  expect(sent).toEqual([])
})

test('callers that made no calls are forgotten', async () => {
  const { rates, take } = await start()
  take('ada')
  vi.advanceTimersByTime(120_000)
  for (let count = 0; count < 10; count += 1) rates.sweep()
  expect(rates.calls.size).toBe(0)
})
