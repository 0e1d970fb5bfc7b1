import { RE2JS } from 're2js'
import { errorOf } from '@junctor/primitives'
import { BudgetExceeded, type CheckBudget } from './check-budget.ts'
import { translatePattern } from './translate-pattern.ts'

/** The largest program of one pattern, and of all patterns of a schema, in instructions: a second to compile. */
const mostInstructions = 2_000
const mostOfSchema = 20_000

/** The most instructions times characters of one match: a second at worst, and mostly a few milliseconds. */
const mostWork = 10_000_000

/** A pattern as ajv uses it. */
interface Pattern {
  test(text: string): boolean
  toString(): string
}

/** A pattern that cannot be matched in linear time. */
export interface UncheckedPattern {
  readonly pattern: string
  readonly why: string
}

/**
 * The patterns of one schema. They are matched without backtracking, in time that is linear in the text: a schema may
 * come from anywhere, and a backtracking engine can take years for `^(a+)+$` and forty characters.
 */
export class LinearPatterns {
  readonly #budget: CheckBudget
  readonly #unchecked: UncheckedPattern[] = []
  #instructions = 0
  /** Whether an unchecked pattern was asked in this check, and what it says. */
  #asked = false
  #answer = true

  constructor(budget: CheckBudget) {
    this.#budget = budget
  }

  /** The patterns that are not checked. */
  get unchecked(): readonly UncheckedPattern[] {
    return this.#unchecked
  }

  /**
   * Runs a check, in which unchecked patterns match. When it fails, and has asked one, it runs again, and they do not
   * match: so that the value is refused only for another reason.
   */
  run(check: () => boolean): boolean {
    this.#asked = false
    this.#answer = true
    if (check()) return true
    if (!this.#asked) return false
    this.#answer = false
    return check()
  }

  /**
   * Compiles a pattern.
   *
   * @throws SyntaxError when it is no pattern of ECMA 262 with the flag `u`
   */
  compile(pattern: string): Pattern {
    // It is compiled, and never run.
    void new RegExp(pattern, 'u')
    const compiled = this.#translated(pattern)
    // ajv keeps one pattern for each text of this.
    const toString = (): string => pattern
    if (typeof compiled !== 'string') return { test: (text) => this.#matches(compiled, text), toString }
    this.#unchecked.push({ pattern, why: compiled })
    return { test: () => this.#unknown(), toString }
  }

  /** The program of a pattern, or why there is none. */
  #translated(pattern: string): RE2JS | string {
    const translated = translatePattern(pattern)
    if (translated.kind === 'unsupported') return translated.why
    const size = translated.size + pattern.length / 10
    if (size > mostInstructions) return 'it is too large'
    this.#instructions += size
    if (this.#instructions > mostOfSchema) return 'the patterns of the schema are too many'
    try {
      return RE2JS.compile(translated.text)
    } catch (error) {
      return errorOf(error).message
    }
  }

  #matches(compiled: RE2JS, text: string): boolean {
    const mostCharacters = Math.floor(mostWork / compiled.programSize())
    if (text.length > mostCharacters)
      throw new BudgetExceeded(`: a text has more than the ${mostCharacters} characters that its pattern allows for`)
    this.#budget.look()
    return compiled.test(text)
  }

  #unknown(): boolean {
    this.#asked = true
    return this.#answer
  }
}
