import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node'
import { longestFirst } from './longest-first.ts'

/** The order of test files: vitest's own, by project, so that files share a process; but the longest of all first. */
export class FileSequencer implements TestSequencer {
  readonly #base: BaseSequencer

  constructor(vitest: Vitest) {
    this.#base = new BaseSequencer(vitest)
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return this.#base.shard(files)
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's, not an array's
    return longestFirst(await this.#base.sort(files), ({ moduleId }) => moduleId)
  }
}
