import { mcpProfile, noExtensions, wireError } from '@junctor/protocol'
import type { AskEvent, ExchangeEvent, OrdinaryEvent } from './event.ts'
import type { EndListener, Exchange, OpenExchange } from './exchange.ts'
import type { EndReason, Outcome } from './outcome.ts'
import { ForwardedAsks } from './forwarded-asks.ts'
import type { Outlet } from './outlet.ts'
import type { View } from './view.ts'

/**
 * Forwards one exchange to another, so that a handler works for a request that is held elsewhere: on another node, or
 * by a parked exchange whose retry has arrived.
 *
 * Events and asks of `inner` appear on `outer`, in order and with its backpressure; answers are returned to `inner`.
 * The end of `outer` ends `inner`. Resolves with the outcome of `inner`. If `inner` ends without an outcome, resolves
 * with `backend_exited`, because its handler had started. Afterwards `inner` has no effect on `outer` any more.
 */
export function relay(inner: OpenExchange, outer: Exchange): Promise<Outcome> {
  const relayed = new Relay(inner, outer)
  inner.attach(relayed)
  outer.onEnd(relayed)
  return relayed.outcome
}

class Relay implements Outlet, EndListener {
  readonly view: View
  readonly forwards = true
  readonly outcome: Promise<Outcome>
  readonly #inner: OpenExchange
  readonly #outer: Exchange
  readonly #resolve: (outcome: Outcome) => void
  #asks: ForwardedAsks | undefined = undefined

  constructor(inner: OpenExchange, outer: Exchange) {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.view = relayView(inner)
    this.outcome = promise
    this.#resolve = resolve
    this.#inner = inner
    this.#outer = outer
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    switch (event.kind) {
      case 'ack':
      case 'progress':
      case 'chunk':
      case 'notification':
      case 'task_started':
        return forwardOneWayEvent(event, this.#outer)
      case 'ask':
        void this.#ask(event)
        break
      case 'withdrawn':
        this.#asks?.withdraw(event)
        break
      case 'outcome':
        this.#resolve(event.outcome)
        break
      case 'end':
        this.#resolve({ kind: 'error', error: wireError('backend_exited', this.view), loss: 'cut' })
        break
    }
    return undefined
  }

  ended(reason: EndReason): void {
    this.#inner.end(reason)
  }

  async #ask(event: AskEvent): Promise<void> {
    this.#asks ??= new ForwardedAsks(this.#outer)
    this.#inner.answer(event.id, await this.#asks.forward(event))
  }
}

/** An event of a handler that needs no answer. */
type OneWayEvent = Extract<OrdinaryEvent, { kind: 'ack' | 'progress' | 'chunk' | 'notification' | 'task_started' }>

/** Forwards an event to another exchange. Returns a promise when the producer of a chunk must wait. */
export function forwardOneWayEvent(event: OneWayEvent, outer: Exchange): Promise<void> | undefined {
  switch (event.kind) {
    case 'ack':
      outer.ack(event.ack)
      break
    case 'progress':
      outer.progress(event.progress)
      break
    case 'chunk':
      return outer.chunk(event.data)
    case 'notification':
      outer.notify(event.notification)
      break
    case 'task_started':
      outer.startedTask?.(event.task)
      break
  }
  return undefined
}

/** Returns the view of an outlet that forwards the events of an exchange unchanged. */
export function relayView({ request, context }: OpenExchange): View {
  return {
    id: request.id,
    method: request.method,
    revision: context.revision,
    dialect: request.dialect,
    profile: mcpProfile,
    asks: 'live',
    progressToken: undefined,
    stream: false,
    extensions: noExtensions,
  }
}
