import { join } from 'node:path'
import type { TestModule } from 'vitest/node'

/** The duration of a test file, in milliseconds: its imports and its tests. */
export interface FileTime {
  /** `packages/jsonrpc/src/peer/peer.test.ts`. */
  readonly file: string
  readonly ms: number
}

/** How many files are listed. */
const most = 10

/** The slowest files, slowest first. None of a run of ten files or fewer, whose output shows them all. */
export function slowestFiles(modules: readonly TestModule[]): readonly FileTime[] {
  if (modules.length <= most) return []
  const times = modules.map((module): FileTime => {
    const { collectDuration, duration } = module.diagnostic()
    return { file: join(module.project.name, module.relativeModuleId), ms: collectDuration + duration }
  })
  return times.toSorted((one, other) => other.ms - one.ms).slice(0, most)
}

/** One line for each file, after a header; empty for none. */
export function printSlowestFiles(times: readonly FileTime[]): string {
  if (times.length === 0) return ''
  const lines = times.map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`)
  return ['The slowest files:', ...lines].join('\n')
}
