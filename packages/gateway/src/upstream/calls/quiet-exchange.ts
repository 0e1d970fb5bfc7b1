import type { Answer, CallContext, EndListener, EndReason, Exchange, Outcome } from '@junctor/exchange'
import type { Link } from '@junctor/contracts'
import type { Payload, WireError } from '@junctor/jsonrpc'
import { requestId } from '@junctor/jsonrpc'
import type { Clock } from '../../shared/clock.ts'
import { upstreamError } from '../../shared/errors.ts'
import type { Timed } from '../../shared/timetable.ts'

/** Time for a backend to answer what the gateway itself asks of it, in milliseconds. */
const timeoutMs = 10_000

/**
 * Asks a link something on the gateway's own account: to set a level, to subscribe again. Nobody listens to progress or
 * logs, and questions are refused. Never rejects.
 */
export async function callQuietly(
  link: Link,
  method: string,
  params: Payload,
  context: CallContext,
  clock: Clock,
): Promise<Outcome> {
  const exchange = new QuietExchange(context, clock)
  clock.timetable.add(exchange)
  try {
    const work = link.call({ kind: 'request', dialect: '2.0', id: requestId(0), method, params }, exchange)
    return await Promise.race([work, exchange.expired])
  } catch {
    return { kind: 'error', error: upstreamError(context, 'internal_error') }
  } finally {
    clock.timetable.remove(exchange)
  }
}

class QuietExchange implements Exchange, Timed {
  readonly id = 'gateway'
  readonly attempt = 1
  readonly options = undefined
  readonly wantsProgress = false
  readonly context: CallContext
  readonly deadline: number
  readonly expired: Promise<Outcome>
  ended: EndReason | undefined
  readonly #controller = new AbortController()
  #listener: EndListener | undefined
  #expire: (outcome: Outcome) => void = () => {}

  constructor(context: CallContext, clock: Clock) {
    this.context = context
    this.deadline = clock.now() + timeoutMs
    this.expired = new Promise((resolve) => {
      this.#expire = resolve
    })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  onEnd(listener: EndListener): void {
    this.#listener = listener
  }

  ack(): void {}

  progress(): void {}

  notify(): void {}

  chunk(): undefined {
    return undefined
  }

  ask(): Promise<Answer> {
    return Promise.resolve({ error: this.#error('ask_not_supported') })
  }

  expire(): void {
    this.ended = 'deadline'
    this.#listener?.ended('deadline', this)
    this.#controller.abort('deadline')
    this.#expire({ kind: 'error', error: this.#error('deadline_exceeded') })
  }

  #error(situation: 'ask_not_supported' | 'deadline_exceeded'): WireError {
    return upstreamError(this.context, situation)
  }
}
