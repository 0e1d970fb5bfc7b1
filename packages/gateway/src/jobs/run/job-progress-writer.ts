import { pause } from '../../shared/pause.ts'
import type { JobProgress } from '../record/job-record.ts'

/**
 * Interval between two writes, in milliseconds: short enough for people, and few enough writes for jobs with much
 * progress.
 */
const restMs = 200

/** Writes the progress of a job: the first update immediately, then the latest one in each interval. */
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
