import type { ProblemKind } from './problem-kind.ts'

/** A position in a configuration: the keys and list positions that lead to it. Empty: the whole file. */
export type Path = readonly (string | number)[]

/** One problem of a configuration, and its remedy. Never contains a secret. */
export interface Problem {
  readonly kind: ProblemKind
  /** The file, as the caller named it. */
  readonly file: string
  /** Starts from 1. */
  readonly line: number
  /** Starts from 1, in UTF-16 units. */
  readonly column: number
  /** `backends.search.timeout`; empty for the whole file. */
  readonly path: string
  /** The value at the position: `"fast"`, `a list`, `nothing`. Never empty. */
  readonly got: string
  /** The expected value: `a duration such as 30s`. */
  readonly expected: string
  /** What the editor of the file can do now: one sentence. */
  readonly next: string
}

/** A problem without its position in the text. */
export interface Finding {
  readonly kind: ProblemKind
  readonly path: Path
  /** The faulty part of the member: its name or its value. */
  readonly at: 'key' | 'value'
  readonly got: string
  readonly expected: string
  readonly next: string
}

/**
 * Formats a path in one line: `backends.search.args[0]`. Keys that are not plain words are quoted: `mcpServers."My
 * server"`.
 */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const word = /^[\w$-]+$/.test(step) ? step : JSON.stringify(step)
      return index === 0 ? word : `.${word}`
    })
    .join('')
}
