import { basename } from 'node:path'
import type { BackendConfig, PinsConfig, ToolPinsConfig } from '../config.ts'
import type { Finding, Path } from '../problem.ts'
import { approvedOf, type ReadToolPins } from './read-tool-pins.ts'

/** What is wrong with the approved tools, and the file that has them. */
export interface CheckedPins {
  readonly findings: readonly Finding[]
  /** Absolute. Empty: no backend's tools are compared. */
  readonly files: readonly string[]
}

/**
 * The approved definitions for a backend; `undefined`: its tools are shown as they come.
 *
 * @param own what its entry says; `undefined`: the choice of the file holds
 */
export function pinsFor(
  name: string,
  own: PinsConfig['mode'] | undefined,
  { mode: usual, approved }: PinsConfig,
): ToolPinsConfig | undefined {
  const mode = own ?? usual
  if (mode === 'off') return undefined
  return { mode, approved: approvedOf(approved, name) }
}

/** Reports a file of approved tools that cannot be used, if the tools of some backend are compared with it. */
export function checkPins(
  mode: PinsConfig['mode'],
  { read, file }: { readonly read: ReadToolPins; readonly file: string },
  backends: readonly BackendConfig[],
  paths: ReadonlyMap<string, Path>,
): CheckedPins {
  const pinned = backends.find(({ pins }) => pins !== undefined)
  if (pinned === undefined && mode === 'off') return { findings: [], files: [] }
  if (read.kind === 'pins') return { findings: [], files: [file] }
  const finding: Finding = {
    kind: 'pins_unusable',
    path: mode === 'off' ? [...(paths.get(pinned?.name ?? '') ?? []), 'pins'] : ['pins'],
    at: 'value',
    got: read.why,
    expected: `${basename(file)} as \`junctor pins approve\` writes it`,
    next: 'Restore the file, or remove it and approve the tools again: junctor pins approve',
  }
  return { findings: [finding], files: [file] }
}
