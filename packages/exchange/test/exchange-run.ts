import { type Answer, payloadOf } from '@junctor/jsonrpc'
import type { EndListener, EndReason, ExchangeEvent, OpenExchange, Outlet, View } from '../src/index.ts'
import { RecordingOutlet } from './recording-outlet.ts'
import { completed, sampleExchange, SampleHost } from './samples.ts'

/** One external event that affects an exchange. */
export type Step =
  | { readonly do: 'ack' | 'chunk' | 'detach' | 'drain' | 'settle' | 'watch' }
  | { readonly do: 'progress'; readonly progress: number }
  | { readonly do: 'notify'; readonly times: number }
  | { readonly do: 'ask'; readonly guessed: boolean }
  | { readonly do: 'answer' | 'time out' | 'take back'; readonly which: number }
  | { readonly do: 'attach'; readonly slow: boolean; readonly asks: View['asks'] }
  | { readonly do: 'end'; readonly reason: EndReason }
  | { readonly do: 'pass'; readonly ms: number }

interface Asked {
  readonly id: string
  readonly guessed: boolean
  readonly controller: AbortController
  answer: Answer | undefined
}

/** After these steps no producer of chunks may be waiting, unless the reader is still slow. */
const freesProducers: ReadonlySet<Step['do']> = new Set(['detach', 'attach', 'drain', 'settle', 'end'])

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Drives one exchange step by step, and records its input, its output and every broken rule. */
export class ExchangeRun {
  readonly host: SampleHost = new SampleHost()
  readonly exchange: OpenExchange = sampleExchange(this.host)
  readonly written: ExchangeEvent[] = []
  readonly problems: string[] = []
  readonly asked: Asked[] = []
  readonly chunks: unknown[] = []
  readonly notifications: unknown[] = []
  highest: number | undefined
  pausedMs = 0
  endNotices = 0
  endBeforeOutcome: EndReason | undefined
  #outlet: RecordingOutlet | undefined
  readonly #outlets: RecordingOutlet[] = []
  #waitingProducers = 0
  readonly signals: Set<AbortSignal> = new Set()
  readonly #shown = new Set<string>()
  readonly #listener: EndListener = {
    ended: () => {
      this.endNotices += 1
      throw new Error('a listener that fails')
    },
  }

  constructor() {
    this.exchange.onEnd(this.#listener)
    this.exchange.onEnd({ ended: () => (this.endNotices += 1) })
    this.exchange.onEnd(this.#listener)
  }

  async take(step: Step): Promise<void> {
    const wasClosed = this.exchange.closed
    const producers = this.#waitingProducers
    this.#apply(step, wasClosed)
    if (this.exchange.closed && this.#outlet !== undefined && !this.#finished) {
      this.problems.push(`the last event waits after ${step.do}, though there is an outlet`)
    }
    if (freesProducers.has(step.do)) await this.#mustFree(producers, step.do)
    if (this.#outlet?.view.asks === 'none' && !this.#outlet.waiting) this.#mustRefuseAsks()
    if (!wasClosed && this.exchange.closed) this.#mustSettleAsks(step.do)
  }

  /** Completes the exchange with a reader that keeps up. */
  async finish(): Promise<void> {
    await this.take({ do: 'settle' })
    await this.take({ do: 'attach', slow: false, asks: 'live' })
    for (const id of this.host.asks.keys()) this.exchange.answer(id, { result: payloadOf('late') })
    await tick()
    if (this.#waitingProducers > 0) this.problems.push(`${this.#waitingProducers} producers wait for ever`)
    for (const ask of this.asked) if (ask.answer === undefined) this.problems.push(`ask ${ask.id} has no answer`)
  }

  get #finished(): boolean {
    const last = this.written.at(-1)?.kind
    return last === 'outcome' || last === 'end'
  }

  async #mustFree(producers: number, by: Step['do']): Promise<void> {
    await tick()
    const slow = this.#outlet?.waiting === true || (by === 'drain' && this.#outlet === undefined)
    if (producers > 0 && this.#waitingProducers > 0 && !slow) this.problems.push(`${by} left producers waiting`)
  }

  #mustRefuseAsks(): void {
    for (const id of this.host.asks.keys()) {
      if (!this.#shown.has(id)) this.problems.push(`${id} waits for a client that cannot be asked`)
    }
  }

  #mustSettleAsks(by: Step['do']): void {
    const outlives = (ask: Asked): boolean =>
      ask.guessed && (this.exchange.ended === undefined || this.#shown.has(ask.id))
    for (const ask of this.asked) {
      if (this.host.asks.has(ask.id) && !outlives(ask)) this.problems.push(`${by} left ${ask.id} open`)
    }
  }

  #apply(step: Step, wasClosed: boolean): void {
    switch (step.do) {
      case 'watch':
        this.signals.add(this.exchange.signal)
        break
      case 'ack':
        this.exchange.ack({ info: { n: this.written.length } })
        break
      case 'progress':
        if (!wasClosed && (this.highest === undefined || step.progress > this.highest)) this.highest = step.progress
        this.exchange.progress({ progress: step.progress })
        break
      case 'chunk':
        this.#chunk(wasClosed)
        break
      case 'notify':
        for (let n = 0; n < step.times; n += 1) this.#notify(wasClosed)
        break
      case 'ask':
        this.#ask(step.guessed)
        break
      case 'answer':
        this.exchange.answer(this.#pick(step.which)?.id ?? 'unknown', { result: payloadOf('yes') })
        break
      case 'time out':
        this.exchange.answer(this.#pick(step.which)?.id ?? 'unknown', { result: payloadOf('no') }, 'too late')
        break
      case 'take back':
        this.#pick(step.which)?.controller.abort()
        break
      case 'attach':
        this.#attach(step.slow, step.asks)
        break
      case 'detach':
        this.#outlet = undefined
        this.exchange.detach()
        break
      case 'drain':
        for (const outlet of this.#outlets) outlet.drain()
        break
      case 'settle':
        this.exchange.settle(completed)
        break
      case 'end':
        if (!wasClosed) this.endBeforeOutcome = step.reason
        this.exchange.end(step.reason)
        break
      case 'pass':
        if (this.host.asks.size > 0) this.pausedMs += step.ms
        this.host.time += step.ms
        break
    }
  }

  #pick(which: number): Asked | undefined {
    return this.asked[which % Math.max(1, this.asked.length)]
  }

  #chunk(wasClosed: boolean): void {
    const data = this.chunks.length
    if (!wasClosed) this.chunks.push(data)
    const room = this.exchange.chunk(data)
    if (room === undefined) return
    this.#waitingProducers += 1
    void room.then(() => (this.#waitingProducers -= 1))
  }

  #notify(wasClosed: boolean): void {
    const notification = { method: 'notifications/message', params: payloadOf({ data: this.notifications.length }) }
    if (!wasClosed) this.notifications.push(notification)
    this.exchange.notify(notification)
  }

  #ask(guessed: boolean): void {
    const controller = new AbortController()
    const before = this.host.asks.size
    const answer = this.exchange.ask(
      { method: 'roots/list', params: undefined },
      { guessed, signal: controller.signal },
    )
    const id = this.host.asks.size > before ? [...this.host.asks.keys()].at(-1) : undefined
    const asked: Asked = { id: id ?? 'refused', guessed, controller, answer: undefined }
    this.asked.push(asked)
    void answer.then((given) => (asked.answer = given))
  }

  #attach(slow: boolean, asks: View['asks']): void {
    const outlet = new RecordingOutlet({ slow, view: { asks } })
    const guarded: Outlet = { view: outlet.view, write: (event) => this.#written(outlet, event) }
    this.#outlet = outlet
    this.#outlets.push(outlet)
    const replayed = this.#finished ? [] : [...this.#shown].filter((id) => this.host.asks.has(id))
    this.exchange.attach(guarded)
    const shown = outlet.events.flatMap((event) => (event.kind === 'ask' ? [event.id] : []))
    if (!slow && asks === 'live' && replayed.some((id) => !shown.includes(id)))
      this.problems.push('an open ask is not shown')
  }

  #written(outlet: RecordingOutlet, event: ExchangeEvent): Promise<void> | undefined {
    if (outlet !== this.#outlet) this.problems.push(`${event.kind} went to an outlet that was taken away`)
    if (outlet.waiting && !this.exchange.closed) this.problems.push(`${event.kind} did not wait for a slow reader`)
    if (event.kind === 'ask' && !this.host.asks.has(event.id)) this.problems.push(`${event.id} was shown when settled`)
    if (event.kind === 'ask' && outlet.view.asks === 'none')
      this.problems.push(`${event.id} was sent to a client that cannot be asked`)
    if (event.kind === 'ask') this.#shown.add(event.id)
    this.written.push(event)
    return outlet.write(event)
  }
}
