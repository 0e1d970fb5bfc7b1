import type { Exchange } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { recordExchange } from '@junctor/testkit'
import { describe, expect, it } from 'vitest'
import { DerivedExchange, type ExchangeChanges } from './derived-exchange.ts'

const request = { method: 'roots/list', params: undefined }

function derived(changes: ExchangeChanges = {}) {
  const recorded = recordExchange({ init: { wantsProgress: true, attempt: 2 } })
  return { ...recorded, behind: recorded.exchange, exchange: new DerivedExchange(recorded.exchange, changes) }
}

/** The values of an exchange. */
function valuesOf({ id, attempt, deadline, options, wantsProgress, ended, context }: Exchange) {
  return { id, attempt, deadline, options, wantsProgress, ended, context }
}

describe('a derived exchange', () => {
  it('forwards everything without changes', async () => {
    const { exchange, behind, events, asks } = derived()
    expect(valuesOf(exchange)).toEqual(valuesOf(behind))
    exchange.ack({})
    exchange.progress({ progress: 1 })
    exchange.notify({ method: 'notifications/message', params: payloadOf({}) })
    void exchange.chunk('piece')
    const answer = exchange.ask(request)
    expect(events.map(({ kind }) => kind)).toEqual(['ack', 'progress', 'notification', 'chunk', 'ask'])
    behind.answer([...asks.keys()][0] ?? '', { result: payloadOf({ roots: [] }) })
    expect(await answer).toMatchObject({ result: expect.anything() })
  })

  it('uses its changes, and forwards everything else', async () => {
    const received: unknown[] = []
    const context = { ...derived().behind.context, session: undefined }
    const { exchange, behind, events } = derived({
      context,
      deadline: 7,
      notify: ({ method }) => void received.push(method),
      chunk: (data): undefined => void received.push(data),
      ask: async () => ({ error: { code: 1, message: 'no' } }),
    })
    expect(valuesOf(exchange)).toEqual({ ...valuesOf(behind), context, deadline: 7 })
    exchange.notify({ method: 'm', params: undefined })
    void exchange.chunk('piece')
    exchange.progress({ progress: 1 })
    expect(await exchange.ask(request)).toEqual({ error: { code: 1, message: 'no' } })
    expect([received, events.map(({ kind }) => kind)]).toEqual([['m', 'piece'], ['progress']])
  })

  it('ends with the exchange behind it once it has a listener, also when a listener throws', () => {
    const crashes: unknown[] = []
    const ends: unknown[] = []
    const { exchange, behind } = derived({ crashed: (error) => crashes.push(error), ended: (why) => ends.push(why) })
    exchange.onEnd({
      ended() {
        throw new Error('a fault of a listener')
      },
    })
    exchange.onEnd({ ended: (reason, which) => void ends.push([reason, which === exchange]) })
    behind.end('cancelled')
    expect(ends).toEqual([['cancelled', true], 'cancelled'])
    expect(crashes).toEqual([new Error('a fault of a listener')])
    expect(exchange.ended).toBe('cancelled')
  })

  it('may end before the exchange behind it, and then forwards nothing', () => {
    const { exchange, behind, events } = derived()
    const { signal } = exchange
    exchange.end('deadline')
    exchange.ack({})
    exchange.progress({ progress: 1 })
    exchange.notify({ method: 'm', params: undefined })
    void exchange.chunk('piece')
    expect([exchange.ended, behind.ended, events]).toEqual(['deadline', undefined, []])
    expect([signal.aborted, signal.reason]).toEqual([true, 'deadline'])
    behind.end('cancelled')
    expect(exchange.ended).toBe('deadline')
  })

  it('follows the exchange behind it after `follow`, without a listener', () => {
    const ends: unknown[] = []
    const { exchange, behind } = derived({ ended: (why) => ends.push(why) })
    exchange.follow()
    exchange.follow()
    behind.end('disconnected')
    expect([ends, exchange.signal.reason]).toEqual([['disconnected'], 'disconnected'])
  })
})
