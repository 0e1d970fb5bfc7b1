import type { JsonObject } from '@junctor/jsonrpc'
import type { CheckLine, CheckName } from './check-line.ts'

/** A call that does no harm, made by the check. */
export interface SafeCall {
  readonly tool: string
  readonly arguments: JsonObject
}

/** What the process that runs the code of a plugin does: see `runProbe`. */
export interface Probe {
  /** A path, or the name of a package. */
  readonly reference: string
  /** Where packages are looked up, absolute. */
  readonly folder: string
  readonly options: JsonObject
  /** Where relative paths in the options start, absolute. */
  readonly optionsFolder: string
  readonly calls: readonly SafeCall[]
  /** Whether the behaviour is checked, or only whether the plugin loads and starts. */
  readonly isWhole: boolean
}

/** A report of that process. A check that has begun and has no line is the one in which the process ended. */
export type ProbeNews =
  | { readonly kind: 'begun'; readonly check: CheckName }
  | { readonly kind: 'line'; readonly line: CheckLine }
  | { readonly kind: 'offered'; readonly names: readonly string[] }
  | { readonly kind: 'done' }
