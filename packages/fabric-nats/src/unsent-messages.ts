import type { NodeMessage } from './bundle.ts'

/** What may wait, in bytes: 8 MiB. Those who miss what does not fit are told so by the numbers of what comes later. */
const mostBytes = 8_388_608

/** What waits for longer, in milliseconds, is not sent any more: the others take this node for gone. */
const longestMs = 10_000

/** What a node sends while its connection is lost: the client of NATS would drop it. */
export class UnsentMessages {
  readonly #clock: () => number
  #messages: { readonly at: number; readonly unsent: NodeMessage }[] = []
  #bytes = 0

  /** @param clock milliseconds, never set back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  add(unsent: NodeMessage): void {
    this.#bytes += unsent.body.length
    if (this.#bytes <= mostBytes) this.#messages.push({ at: this.#clock(), unsent })
  }

  /** What is worth sending, in order, and nothing is left. */
  take(): readonly NodeMessage[] {
    const oldest = this.#clock() - longestMs
    const messages = this.#messages
    this.#messages = []
    this.#bytes = 0
    return messages.filter(({ at }) => at >= oldest).map(({ unsent }) => unsent)
  }
}
