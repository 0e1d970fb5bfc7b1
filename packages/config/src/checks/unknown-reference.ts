import { describeName } from '../findings/describe-value.ts'
import { oneOf } from '../findings/expectation.ts'
import type { Finding, Path } from '../problem.ts'
import { suggest } from '../suggest.ts'

/** A name that refers to something which the file does not have. */
export function unknownReference(reference: {
  readonly path: Path
  /** What stands at the path, references unreplaced. */
  readonly written: unknown
  readonly name: string
  readonly what: 'backend' | 'tenant'
  readonly known: readonly string[]
}): Finding {
  const { path, written, name, what, known } = reference
  const meant = suggest(name, known)
  return {
    kind: `unknown_${what}`,
    path,
    at: 'value',
    got: describeName(written),
    expected: known.length === 0 ? `no ${what}, as there is none` : `the ${what} ${oneOf(known)}`,
    next: meant === undefined ? `Correct it, or add the ${what}.` : `Did you mean "${meant}"?`,
  }
}
