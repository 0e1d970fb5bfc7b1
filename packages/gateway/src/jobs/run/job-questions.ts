import type { AskEvent } from '@junctor/exchange'
import type { ClientRequest } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'

/** The questions of a job that its client has not answered yet. */
export class JobQuestions {
  /** Each open question, with a controller that withdraws it where it was asked. */
  readonly #open = new Map<string, AbortController>()
  readonly #requests = new Map<string, ClientRequest>()
  readonly #notify: (kind: 'ask' | 'go_on') => void

  /** @param notify called when the job begins to wait for answers, and when it continues */
  constructor(notify: (kind: 'ask' | 'go_on') => void) {
    this.#notify = notify
  }

  ask({ id, request }: AskEvent): void {
    if (this.#open.size === 0) this.#notify('ask')
    this.#requests.set(id, request)
    this.signal(id)
  }

  /** The open questions, by the ids of their asks. */
  open(): ReadonlyMap<string, ClientRequest> {
    return this.#requests
  }

  /** Aborts when the question is answered or withdrawn. */
  signal(askId: string): AbortSignal {
    return keptOr(this.#open, askId, () => new AbortController()).signal
  }

  /** Called when the question was answered or withdrawn. */
  settle(askId: string): void {
    const controller = this.#open.get(askId)
    this.#requests.delete(askId)
    if (!this.#open.delete(askId)) return
    controller?.abort()
    if (this.#open.size === 0) this.#notify('go_on')
  }
}
