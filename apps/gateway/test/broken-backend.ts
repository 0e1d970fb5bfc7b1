import type { JsonObject } from '@junctor/jsonrpc'
import type { DiagnosisKind } from '../src/check/diagnosis.ts'

/** The expected text: the text itself, or a pattern. */
export type ExpectedText = string | RegExp

/** A real backend that does not work, and its expected diagnosis. */
export interface BrokenBackend {
  readonly name: string
  readonly backend: JsonObject
  readonly kind: DiagnosisKind
  readonly got: ExpectedText
  readonly expected: ExpectedText
  readonly next: ExpectedText
}

/** Backends that fail themselves, and backends that end only by a timeout. */
export interface BrokenBackends {
  readonly failing: readonly BrokenBackend[]
  readonly hanging: readonly BrokenBackend[]
}

/**
 * Makes an entry of a table: the name, configuration and diagnosis of a backend, then the three texts of the diagnosis
 * in the order in which it is printed.
 */
export function brokenBackend(
  name: string,
  backend: JsonObject,
  kind: DiagnosisKind,
  ...[got, expected, next]: readonly [got: ExpectedText, expected: ExpectedText, next: ExpectedText]
): BrokenBackend {
  return { name, backend, kind, got, expected, next }
}
