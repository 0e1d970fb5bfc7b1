import type { AskEvent, EndListener, Exchange, OrdinaryEvent } from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import { relatedTo } from '../../shared/related-task.ts'
import type { JobRecord } from '../record/job-record.ts'

/** A running job, for the readers that wait for it. */
interface ReadJob {
  readonly kind: JobRecord['kind']
  readonly taskId: string | undefined
  /** Aborts when the question is answered or withdrawn. */
  answered(askId: string): AbortSignal
  answer(askId: string, answer: Answer): void
  left(reader: JobReader): void
}

/**
 * A caller that waits for the result of a job on its own exchange, which also gets the job's questions. When the reader
 * leaves, the job continues, and its open questions stay open for the next reader.
 */
export class JobReader implements EndListener {
  readonly #run: ReadJob
  readonly #outer: Exchange
  /** The questions that it has got: it may get them again when another reader has left. */
  readonly #asked = new Set<string>()
  #gone = false

  constructor(run: ReadJob, outer: Exchange) {
    this.#run = run
    this.#outer = outer
    outer.onEnd(this)
  }

  show(event: OrdinaryEvent): void {
    if (this.#gone) return
    if (event.kind === 'progress') this.#outer.progress(event.progress)
    else if (event.kind === 'ask') void this.#ask(event)
    // The notifications of a task go to its session's own stream.
    else if (event.kind === 'notification' && this.#run.kind === 'async') this.#outer.notify(event.notification)
  }

  ended(): void {
    this.#gone = true
    this.#run.left(this)
  }

  async #ask({ id, request, options }: AskEvent): Promise<void> {
    if (this.#asked.has(id)) return
    this.#asked.add(id)
    const { taskId } = this.#run
    const params = taskId === undefined ? request.params : relatedTo(request.params, taskId)
    const signal = this.#run.answered(id)
    const answer = await this.#outer.ask({ method: request.method, params }, { ...options, signal })
    // After the reader has left, its exchange settles without a real answer.
    if (!this.#gone && !signal.aborted) this.#run.answer(id, answer)
  }
}
