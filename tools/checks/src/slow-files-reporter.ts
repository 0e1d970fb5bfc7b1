import type { Reporter, TestModule } from 'vitest/node'
import { printSlowestFiles, slowestFiles } from './slowest-files.ts'

/** Says at the end of a run which files took longest: it is they that make a run long. */
class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const text = printSlowestFiles(slowestFiles(modules))
    if (text !== '') console.log(`\n${text}`)
  }
}

export default SlowFilesReporter
