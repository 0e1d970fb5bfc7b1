import { pause } from '../shared/pause.ts'
import type { JobProgress } from './job-record.ts'

/** From one write to the next, in milliseconds: a person sees no difference, and storage is spared a job that tells much. */
const restMs = 200

/** Writes how far a job is: the first at once, then the latest of what came since, as often as is worth it. */
export class JobProgressWriter {
  readonly #write: (progress: JobProgress) => Promise<void>
  #latest: JobProgress | undefined = undefined
  #isWriting = false

  /** @param write never rejects */
  constructor(write: (progress: JobProgress) => Promise<void>) {
    this.#write = write
  }

  take(progress: JobProgress): void {
    this.#latest = progress
    if (!this.#isWriting) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isWriting = true
    while (this.#latest !== undefined) {
      const progress = this.#latest
      this.#latest = undefined
      // oxlint-disable-next-line no-await-in-loop
      await this.#write(progress)
      // oxlint-disable-next-line no-await-in-loop
      await pause(restMs)
    }
    this.#isWriting = false
  }
}
