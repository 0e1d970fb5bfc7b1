import type { ChildProcess } from 'node:child_process'
import { until } from './until.ts'

/** The standard error of a process: everything at first, later only the newest part. */
export class StandardError {
  readonly #child: ChildProcess
  #most = Number.POSITIVE_INFINITY
  #text = ''

  /** @param child started with a pipe for its standard error */
  constructor(child: ChildProcess) {
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text
      if (this.#text.length > this.#most) this.#text = this.#text.slice(-this.#most)
    })
  }

  get text(): string {
    return this.#text
  }

  /**
   * Resolves with the match of the group in a pattern. Rejects when the process ends, or after a timeout.
   *
   * @param name of the process, for the error
   * @param ms timeout in milliseconds; default: that of `until`
   */
  find(pattern: RegExp, name: string, ms?: number): Promise<string> {
    const look = (): string | undefined => {
      const { exitCode } = this.#child
      if (exitCode !== null) throw new Error(`Expected ${name} to run, got exit code ${exitCode}: ${this.#text}`)
      return pattern.exec(this.#text)?.[1]
    }
    return until(`${String(pattern)} on the standard error of ${name}`, look, ms)
  }

  /** Keeps only the newest characters from now on. */
  keep(most: number): void {
    this.#most = most
  }
}
