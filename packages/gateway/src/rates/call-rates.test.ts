import type { TelemetryEvent } from '@junctor/contracts'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TenantRates } from '../shared/tenant-rates.ts'
import { CallRates } from './call-rates.ts'

const acme: TenantRates = {
  tenant: 'acme',
  ofTenant: { calls: 2, windowMs: 3_600_000 },
  ofPrincipal: undefined,
  ofTools: [],
}
const call = { principal: { issuer: 'api-key', subject: 'ada', key: 'api-key ada' }, tool: undefined }

async function start() {
  const events: TelemetryEvent[] = []
  const rates = new CallRates((event) => void events.push(event))
  await rates.applyConfig([{ rates: acme }, {}])
  return { rates, events }
}

test('a refusal is an event without the caller; one in a minute has the number of them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { rates, events } = await start()
  for (let count = 0; count < 4; count += 1) rates.take(acme, call)
  vi.advanceTimersByTime(61_000)
  rates.take(acme, call)
  const refused = { kind: 'rate_exceeded', tenant: 'acme', scope: 'tenant' }
  expect(events).toEqual([
    { ...refused, refusals: 1 },
    { ...refused, refusals: undefined },
    { ...refused, refusals: 2 },
  ])
})

test('a tenant whose rates are gone may make any number of calls', async () => {
  const { rates, events } = await start()
  await rates.applyConfig([{}])
  for (let count = 0; count < 9; count += 1) expect(rates.take(acme, call)).toBeUndefined()
  expect([events, rates.size]).toEqual([[], 0])
})

test('calls of unknown tenants are ignored', async () => {
  const { rates } = await start()
  rates.countRemote({ tenant: 'other', calls: [{ name: 'tenant', tried: 9, admitted: 9 }] })
  expect([rates.size, rates.take({ ...acme, tenant: 'other' }, call)]).toEqual([0, undefined])
})
