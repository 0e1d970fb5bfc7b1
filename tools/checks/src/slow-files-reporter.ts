import type { Reporter, TestModule } from 'vitest/node'
import { printSlowestFiles, slowestFiles } from './slowest-files.ts'

/** Prints the slowest files at the end of a run. */
class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const text = printSlowestFiles(slowestFiles(modules))
    if (text !== '') console.log(`\n${text}`)
  }
}

export default SlowFilesReporter
