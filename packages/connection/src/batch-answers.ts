import type { RoundSink, SinkTarget } from './round-sink.ts'

/**
 * The answers to one batch. They are gathered and written as one array when the last answer is there. Messages that are
 * not answers (progress, a request to the client) are sent immediately.
 */
export class BatchAnswers implements SinkTarget {
  readonly #connection: SinkTarget
  readonly #texts: string[] = []
  #missing: number

  /** @param missing the number of entries of the batch that will be finished, including those with an empty answer */
  constructor(connection: SinkTarget, missing: number) {
    this.#connection = connection
    this.#missing = missing
  }

  frame(text: string): Promise<void> | undefined {
    return this.#connection.frame(text)
  }

  finish(text: string, sink: RoundSink): Promise<void> | undefined {
    return this.#connection.finish(this.#gather(text), sink)
  }

  /** Adds the answer of an entry that has no sink. */
  refuse(text: string): void {
    const whole = this.#gather(text)
    if (whole !== '') void this.#connection.frame(whole)
  }

  /** Returns the array when this was the last answer, else an empty text. */
  #gather(text: string): string {
    if (text !== '') this.#texts.push(text)
    this.#missing -= 1
    return this.#missing > 0 || this.#texts.length === 0 ? '' : `[${this.#texts.join(',')}]`
  }
}
