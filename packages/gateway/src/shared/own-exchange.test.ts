import type { CallContext } from '@junctor/exchange'
import { expect, test } from 'vitest'
import { ownExchange } from './own-exchange.ts'

const context: CallContext = {
  tenant: 'acme',
  principal: { issuer: 'local', subject: 'node', key: 'local|node' },
  session: undefined,
  revision: '2025-11-25',
  client: { info: {}, capabilities: {} },
  trace: undefined,
}

test('each listener is called once with the end, also after an error of another, and when it is added late', () => {
  const exchange = ownExchange('n1-1', context)
  const received: string[] = []
  exchange.onEnd({
    ended() {
      throw new Error('a fault of a listener')
    },
  })
  const second = { ended: (reason: string) => void received.push(`second ${reason}`) }
  exchange.onEnd(second)
  exchange.onEnd(second)
  exchange.end('cancelled')
  exchange.end('deadline')
  exchange.onEnd({ ended: (reason) => void received.push(`late ${reason}`) })
  expect(received).toEqual(['second cancelled', 'late cancelled'])
})

test('its signal aborts with the end, whether it is read before or after', () => {
  const read = ownExchange('n1-1', context)
  const { signal } = read
  expect(signal.aborted).toBe(false)
  read.end('disconnected')
  expect([signal.aborted, signal.reason, read.signal]).toEqual([true, 'disconnected', signal])
  const unread = ownExchange('n1-2', context)
  unread.end('deadline')
  expect([unread.signal.aborted, unread.signal.reason]).toEqual([true, 'deadline'])
})
