import type { Path } from '../problem.ts'

/** Longer text is cut: what matters of it is in front. */
const longest = 60

/** Where secrets are written, by convention. Arguments of commands are among them. */
const secretWords =
  /^(?:auth|args|env|headers|secrets|seal|key|hash)$|token|secret|passw|credential|bearer|api-?key|authorization|cookie/i

/** What stands in the file, in words. Never a secret: text where secrets are written is told by its length only. */
export function describeValue(written: unknown, path: Path): string {
  if (written === undefined) return 'nothing'
  if (written === null) return 'nothing (null)'
  if (Array.isArray(written)) return written.length === 0 ? 'an empty list' : 'a list'
  if (typeof written === 'object') return 'a mapping'
  const secret = !isIssuer(path) && path.some((step) => typeof step === 'string' && secretWords.test(step))
  if (typeof written !== 'string') return secret ? `a ${typeof written}` : JSON.stringify(written)
  if (isReference(written)) return written
  if (secret) return `text of ${written.length} ${written.length === 1 ? 'character' : 'characters'}`
  const plain = withoutCredentials(written)
  return JSON.stringify(plain.length > longest ? `${plain.slice(0, longest)}…` : plain)
}

/** Our own section `auth` has members that anybody may know. */
function isIssuer([section, word]: Path): boolean {
  return section === 'auth' && ['issuer', 'audience', 'algorithms', 'jwksUri', 'type'].includes(String(word))
}

/** A name that refers to something else in the file. Names are no secrets. */
export function describeName(written: unknown): string {
  return typeof written === 'string' && isReference(written) ? written : JSON.stringify(written)
}

/** The name of a thing to look for may be told; what was found there may not. */
function isReference(text: string): boolean {
  return /^\$\{(?:env|file):[^{}]*\}$/.test(text)
}

/** A URL without the two parts in which people put secrets. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/, '//…@').replace(/(:\/\/[^?]*)\?.*$/s, '$1?…')
}
