import type { KeptEnd, KeptStart } from './kept-event.ts'

/** The number of hexadecimal digits of a W3C trace id. */
const traceDigits = 32

const noCall = 0
const start = 1
const end = 2

/**
 * The calls in a ring of events, stored in columns. There are thousands of calls per second. An object for each call,
 * and the text of its trace, would survive some collections of young objects, which would then take several times as
 * long in a larger heap. All other texts come from the configuration and from lists, and are shared by all calls.
 */
export class CallColumns {
  readonly size: number
  readonly #kinds: Uint8Array
  readonly #traces: Buffer
  readonly #durations: Float64Array
  /** NaN: no code. */
  readonly #codes: Float64Array
  readonly #hasTrace: Uint8Array
  readonly #tenants: string[]
  readonly #backends: (string | undefined)[]
  readonly #tools: (string | undefined)[]
  readonly #outcomes: (KeptEnd['outcome'] | undefined)[]
  readonly #reasons: (string | undefined)[]

  /** @param size the number of places */
  constructor(size: number) {
    this.size = size
    this.#kinds = new Uint8Array(size)
    this.#traces = Buffer.alloc(size * traceDigits)
    this.#durations = new Float64Array(size)
    this.#codes = new Float64Array(size)
    this.#hasTrace = new Uint8Array(size)
    this.#tenants = Array.from({ length: size }, () => '')
    this.#backends = Array.from({ length: size })
    this.#tools = Array.from({ length: size })
    this.#outcomes = Array.from({ length: size })
    this.#reasons = Array.from({ length: size })
  }

  keep(place: number, call: KeptStart | KeptEnd): void {
    const { trace } = call
    this.#hasTrace[place] = trace === undefined ? 0 : 1
    if (trace !== undefined) this.#traces.write(trace, place * traceDigits, traceDigits, 'latin1')
    this.#tenants[place] = call.tenant
    this.#backends[place] = call.backend
    this.#tools[place] = call.tool
    if (call.kind === 'tool_call_started') this.#kinds[place] = start
    else {
      this.#kinds[place] = end
      this.#outcomes[place] = call.outcome
      this.#reasons[place] = call.reason
      this.#codes[place] = call.code ?? Number.NaN
      this.#durations[place] = call.durationMs
    }
  }

  /** Returns the call at a place; undefined when none was stored. */
  at(place: number): KeptStart | KeptEnd | undefined {
    const kind = this.#kinds[place]
    if (kind === noCall) return undefined
    const tenant = this.#tenants[place] as string
    const [backend, tool, trace] = [this.#backends[place], this.#tools[place], this.#traceAt(place)]
    if (kind === start) return { kind: 'tool_call_started', tenant, backend, tool, trace } as KeptStart
    const code = this.#codes[place] as number
    return {
      kind: 'request_finished',
      tenant,
      backend,
      tool,
      trace,
      outcome: this.#outcomes[place] as KeptEnd['outcome'],
      reason: this.#reasons[place],
      code: Number.isNaN(code) ? undefined : code,
      durationMs: this.#durations[place] as number,
    }
  }

  /** Copies the calls of other columns, which are not larger than these, into the first places. */
  take(others: CallColumns): void {
    for (let place = 0; place < others.size; place += 1) {
      const call = others.at(place)
      if (call !== undefined) this.keep(place, call)
    }
  }

  #traceAt(place: number): string | undefined {
    const from = place * traceDigits
    return this.#hasTrace[place] === 1 ? this.#traces.toString('latin1', from, from + traceDigits) : undefined
  }
}
