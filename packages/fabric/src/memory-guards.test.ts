import { expect, it } from 'vitest'
import { eventually } from '@junctor/testkit'
import { ExpiryTimer } from './expiry-timer.ts'
import { createMemoryBus } from './memory-bus.ts'
import { createMemoryFabric } from './memory-fabric.ts'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

it('an exception of a control handler is reported, and the next handler is called', async () => {
  const errors: unknown[] = []
  const received: unknown[] = []
  const bus = createMemoryBus(Date.now, (...args) => void errors.push(args))
  const [here, there] = [createMemoryFabric(bus, 'here'), createMemoryFabric(bus, 'there')]
  there.onControl(breaks)
  there.onControl((control) => void received.push(control))
  await here.send('there', { kind: 'greet', body: null })
  await eventually(() => expect(received).toHaveLength(1))
  expect(errors).toEqual([['control', broken, { from: 'here', kind: 'greet' }]])
})

it('an exception of an expiring part is reported, and the other parts expire', async () => {
  const errors: unknown[] = []
  let expired = 0
  const timer = new ExpiryTimer(Date.now, (where, error) => void errors.push([where, error]))
  timer.add({ expire: breaks })
  timer.add({
    expire() {
      expired += 1
      return undefined
    },
  })
  timer.wake(Date.now() + 1)
  await eventually(() => expect(expired).toBe(1))
  expect(errors).toEqual([['timer', broken]])
  // The part is checked again.
  expect(timer.running).toBe(true)
  timer.stop()
})
