import type { JsonObject } from '@junctor/jsonrpc'
import type { Failure } from '@junctor/command'
import type { Question } from './registry/template.ts'
import type { ServerPin } from './server-pins.ts'

/** A backend before it is written. */
export interface PlannedBackend {
  /** As it would be called, if no other backend has that name. */
  readonly name: string
  readonly backend: JsonObject
  /** What it is, in a few lines: from the registry, and not trusted. */
  readonly about: readonly string[]
  /** What the user should know before saying yes. */
  readonly warnings: readonly string[]
  /** What can be given besides, with `--input`. */
  readonly optional: readonly Question[]
  /** Other ways to use the same server. */
  readonly others: readonly string[]
  /** Absent: it is from the command line. */
  readonly pin: ServerPin | undefined
}

/** A plan, or why there is none. */
export type Planned =
  | { readonly kind: 'planned'; readonly plan: PlannedBackend }
  /** Required inputs that were not given. */
  | { readonly kind: 'missing'; readonly server: string; readonly questions: readonly Question[] }
  /** The command line cannot be used. */
  | { readonly kind: 'misused'; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure }
