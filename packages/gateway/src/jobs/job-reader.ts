import type { Answer, AskEvent, EndListener, Exchange, OrdinaryEvent } from '@junctor/exchange'
import { relatedTo } from '../shared/related-task.ts'
import type { JobRecord } from './job-record.ts'

/** A run of a job, as those see it who wait for it. */
interface ReadJob {
  readonly kind: JobRecord['kind']
  readonly taskId: string | undefined
  /** Aborts when a question is answered or taken back. */
  answered(askId: string): AbortSignal
  answer(askId: string, answer: Answer): void
  left(reader: JobReader): void
}

/**
 * Somebody who waits for what a job comes to, on an exchange of their own: questions of the job are asked there. When
 * the reader leaves, the job goes on, and its open questions stay open for the next one.
 */
export class JobReader implements EndListener {
  readonly #run: ReadJob
  readonly #outer: Exchange
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
    // Those of a task go to its session's own stream.
    else if (event.kind === 'notification' && this.#run.kind === 'async') this.#outer.notify(event.notification)
  }

  ended(): void {
    this.#gone = true
    this.#run.left(this)
  }

  async #ask({ id, request, options }: AskEvent): Promise<void> {
    const { taskId } = this.#run
    const params = taskId === undefined ? request.params : relatedTo(request.params, taskId)
    const signal = this.#run.answered(id)
    const answer = await this.#outer.ask({ method: request.method, params }, { ...options, signal })
    // Who has left did not answer.
    if (!this.#gone && !signal.aborted) this.#run.answer(id, answer)
  }
}
