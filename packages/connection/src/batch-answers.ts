import type { RoundSink, SinkTarget } from './round-sink.ts'

/**
 * The answers to one batch: gathered, and written as one array when the last of them is there. What is no answer
 * (progress, a question to the client) does not wait for them.
 */
export class BatchAnswers implements SinkTarget {
  readonly #connection: SinkTarget
  readonly #texts: string[] = []
  #missing: number

  /** @param missing how many entries of the batch will be answered, if only with nothing to say */
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

  /** An entry that is answered without a sink. */
  refuse(text: string): void {
    const whole = this.#gather(text)
    if (whole !== '') void this.#connection.frame(whole)
  }

  /** The array when this was the last answer, else nothing. */
  #gather(text: string): string {
    if (text !== '') this.#texts.push(text)
    this.#missing -= 1
    return this.#missing > 0 || this.#texts.length === 0 ? '' : `[${this.#texts.join(',')}]`
  }
}
