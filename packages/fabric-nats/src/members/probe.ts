import type { InboxReceiver } from '../bus/node-bus.ts'

/** How many times in a row the server must report no subscriber: a node that reconnects is away for a moment. */
const misses = 3

/** Checks whether a node exists, by the reports of the server. A slow node exists. */
export class Probe implements InboxReceiver {
  readonly #lost: () => void
  #missed = 0

  /** @param lost called when the node does not exist */
  constructor(lost: () => void) {
    this.#lost = lost
  }

  receive(): void {
    this.#missed = 0
  }

  noSubscriber(): void {
    this.#missed += 1
    if (this.#missed === misses) this.#lost()
  }
}
