import type { ProblemKind } from './problem-kind.ts'

/** Where something stands in a configuration: the keys and list positions that lead to it. Empty: the whole file. */
export type Path = readonly (string | number)[]

/** One thing that is wrong with a configuration, and what to do about it. Never holds a secret. */
export interface Problem {
  readonly kind: ProblemKind
  /** The file as the caller named it. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 units. */
  readonly column: number
  /** `backends.search.timeout`; empty for the file as a whole. */
  readonly path: string
  /** What stands there: `"fast"`, `a list`, `nothing`. Never empty. */
  readonly got: string
  /** What would be right: `a duration such as 30s`. */
  readonly expected: string
  /** What whoever edits the file can do now: one sentence. */
  readonly next: string
}

/** A problem before its place in the text is looked up. */
export interface Finding {
  readonly kind: ProblemKind
  readonly path: Path
  /** Which end of the member is wrong: its name, or what it holds. */
  readonly at: 'key' | 'value'
  readonly got: string
  readonly expected: string
  readonly next: string
}

/** The path in one line: `backends.search.args[0]`. Keys that are no plain words are quoted: `mcpServers."My server"`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const word = /^[\w$-]+$/.test(step) ? step : JSON.stringify(step)
      return index === 0 ? word : `.${word}`
    })
    .join('')
}
