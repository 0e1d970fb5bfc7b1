import type { Path } from '../problem.ts'

/** Longer text is truncated; its beginning is the useful part. */
const longest = 60

/** Words under which secrets are usually written. Arguments of commands are included. */
const secretWords =
  /^(?:auth|args|env|headers|secrets|seal|key|hash)$|token|secret|passw|credential|bearer|api-?key|authorization|cookie/i

/**
 * Describes a value of the file. It never reveals a secret: of a text that may be a secret, only the length is shown.
 */
export function describeValue(written: unknown, path: Path): string {
  if (written === undefined) return 'nothing'
  if (written === null) return 'nothing (null)'
  if (Array.isArray(written)) return written.length === 0 ? 'an empty list' : 'a list'
  if (typeof written === 'object') return 'a mapping'
  const secret = !isIssuer(path) && path.some((step) => typeof step === 'string' && secretWords.test(step))
  if (secret) return describeSecret(written)
  if (typeof written !== 'string') return JSON.stringify(written)
  if (isReference(written)) return written
  const plain = withoutCredentials(written)
  return JSON.stringify(plain.length > longest ? `${plain.slice(0, longest)}…` : plain)
}

/** Describes a secret. A reference may be shown. */
export function describeSecret(written: unknown): string {
  if (typeof written !== 'string') return written === undefined ? 'nothing' : `a ${typeof written}`
  if (isReference(written)) return written
  return `text of ${written.length} ${written.length === 1 ? 'character' : 'characters'}`
}

/** The section `auth` has some members that are public. */
function isIssuer([section, word]: Path): boolean {
  return section === 'auth' && ['issuer', 'audience', 'algorithms', 'jwksUri', 'type'].includes(String(word))
}

/** Describes a name that refers to another part of the file. Names are not secret. */
export function describeName(written: unknown): string {
  return typeof written === 'string' && isReference(written) ? written : JSON.stringify(written)
}

/** Whether a text is a reference. A reference may be shown; its value must not. */
function isReference(text: string): boolean {
  return /^\$\{(?:env|file):[^{}]*\}$/.test(text)
}

/** Removes the two parts of a URL that often contain secrets. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/, '//…@').replace(/(:\/\/[^?]*)\?.*$/s, '$1?…')
}
