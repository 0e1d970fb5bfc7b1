import { describeName } from '../findings/describe-value.ts'
import { oneOf } from '../findings/expectation.ts'
import type { Finding, Path } from '../problem.ts'
import { suggest } from '../suggest.ts'

/** Creates the finding for a name that refers to something the file does not contain. */
export function unknownReference(reference: {
  readonly path: Path
  /** The value at the path, with unreplaced references. */
  readonly written: unknown
  readonly name: string
  readonly what: 'backend' | 'tenant'
  readonly known: readonly string[]
}): Finding {
  const { path, written, name, what, known } = reference
  const suggestion = suggest(name, known)
  return {
    kind: `unknown_${what}`,
    path,
    at: 'value',
    got: describeName(written),
    expected: known.length === 0 ? `no ${what}, as there is none` : `the ${what} ${oneOf(known)}`,
    next: suggestion === undefined ? `Correct it, or add the ${what}.` : `Did you mean "${suggestion}"?`,
  }
}
