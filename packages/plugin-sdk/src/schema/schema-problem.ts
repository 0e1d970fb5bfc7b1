/** One reason why a value does not match its schema. */
export interface SchemaProblem {
  /** The JSON pointer of the value with the problem; empty for the whole value. */
  readonly path: string
  /** What was expected there, in words. */
  readonly expected: string
  /** The value that is there. */
  readonly got: unknown
}

/** The outcome of a check: the value for the handler, or the reasons why it is invalid. */
export type CheckedValue<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }

/** The problem of a value whose check costs too much. `why` ends a sentence, and says what it may cost. */
export function tooCostly(why: string): SchemaProblem {
  return { path: '', expected: `expected a value that can be checked against the schema ${why}`, got: {} }
}

/** How many problems are listed: enough to repair a call, and a limit for a hostile caller who causes many. */
const shown = 10

/** All problems as text for the caller who sent the value, one line each. */
export function describeProblems(what: string, problems: readonly SchemaProblem[]): string {
  const lines = problems.slice(0, shown).map(line)
  const more = problems.length - lines.length
  return [`${what}:`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function line({ path, expected, got }: SchemaProblem): string {
  return `- ${path === '' ? '' : `${path}: `}${expected}${gotText(got)}`
}

/** Objects and arrays are left out: the path or the expectation names the member. */
function gotText(value: unknown): string {
  if (value === undefined) return ' (got nothing)'
  if (typeof value === 'string' && value.length > 40) return ` (got a string of ${value.length} characters)`
  if (typeof value === 'object' && value !== null) return ''
  return ` (got ${JSON.stringify(value)})`
}

/** A JSON pointer (RFC 6901) from the steps that lead to a member. */
export function jsonPointer(steps: readonly PropertyKey[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
