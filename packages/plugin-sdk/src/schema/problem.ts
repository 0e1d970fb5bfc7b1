/** One reason why a value does not match its schema. */
export interface Problem {
  /** Where, as a JSON pointer; empty for the value as a whole. */
  readonly path: string
  /** What was expected there, in words. */
  readonly expected: string
  /** What is there. */
  readonly got: unknown
}

/** A value that was checked: what the handler gets, or why it gets nothing. */
export type Checked<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/** How many problems are told: enough to repair a call, never as much as a hostile one could cause. */
const shown = 10

/** All problems as text for whoever sent the value, one line each. */
export function describeProblems(what: string, problems: readonly Problem[]): string {
  const lines = problems.slice(0, shown).map(line)
  const more = problems.length - lines.length
  return [`${what}:`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function line({ path, expected, got }: Problem): string {
  return `- ${path === '' ? '' : `${path}: `}${expected}${gotText(got)}`
}

/** Objects and arrays are left out: their member is what the path or the expectation names. */
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
