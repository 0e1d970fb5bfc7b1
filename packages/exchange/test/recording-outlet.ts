import type { ExchangeEvent, Outlet, View } from '../src/index.ts'
import { sampleView } from './samples.ts'

/** Records what is written to it. A slow one makes the writer wait for `drain` each time. */
export class RecordingOutlet implements Outlet {
  readonly view: View
  readonly events: ExchangeEvent[] = []
  #slow: boolean
  #waiting: PromiseWithResolvers<void> | undefined

  constructor(options: { readonly slow?: boolean; readonly view?: Partial<View> } = {}) {
    this.#slow = options.slow ?? false
    this.view = { ...sampleView, ...options.view }
  }

  get kinds(): readonly string[] {
    return this.events.map((event) => event.kind)
  }

  get waiting(): boolean {
    return this.#waiting !== undefined
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    this.events.push(event)
    if (!this.#slow) return undefined
    this.#waiting ??= Promise.withResolvers<void>()
    return this.#waiting.promise
  }

  /** The reader has caught up. */
  drain(): void {
    this.#waiting?.resolve()
    this.#waiting = undefined
  }
}
