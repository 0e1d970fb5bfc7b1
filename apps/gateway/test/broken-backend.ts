import type { JsonObject } from '@junctor/jsonrpc'
import type { DiagnosisKind } from '../src/check/diagnosis.ts'

/** What is told: the text itself, or what it looks like. */
export type Told = string | RegExp

/** A real backend that does not work, and what is told of it. */
export interface BrokenBackend {
  readonly name: string
  readonly backend: JsonObject
  readonly kind: DiagnosisKind
  readonly got: Told
  readonly expected: Told
  readonly next: Told
}

/** Some fail by themselves, and some are only ended by a time-out. */
export interface BrokenBackends {
  readonly failing: readonly BrokenBackend[]
  readonly hanging: readonly BrokenBackend[]
}

export function brokenBackend(
  name: string,
  backend: JsonObject,
  kind: DiagnosisKind,
  ...[got, expected, next]: readonly [got: Told, expected: Told, next: Told]
): BrokenBackend {
  return { name, backend, kind, got, expected, next }
}
