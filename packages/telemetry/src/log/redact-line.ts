import type { JsonValue } from '@junctor/jsonrpc'
import { redactAndCut } from './redact-and-cut.ts'
import { redacted } from './redact-text.ts'

/**
 * Finds in one pass over a line whether it may have a secret. It looks for the fixed parts of what `redactText` and
 * `secretName` look for: most lines have none, and are printed as they are.
 */
const suspicious =
  /:\/\/[^/\s]*@|:\/\/[^\s:/@]{0,256}:[^\s@]{1,256}@|authorization|cookie|bearer|basic|token|key|secret|passw|passphrase|pwd|credential|sig|session[-_]?id|sess_|code_verifier|s_[\w-]{43}|eyJ|[sr]k-|[sr]k_|gh[opsur]_|github_pat_|glpat-|xox|npm_|AIza|A[KS]IA/i

/** Members whose value is a secret, whatever it looks like. */
const secretName =
  /(?:token|key|secret|passw(?:or)?d|passphrase|pwd|authorization|cookie2?|credential|signature|session[-_]?id)s?$/i

/** Names of headers: in a list of names and values in turn, the next item is the value. */
const secretHeader = /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|x-api-key|api-key|mcp-session-id)$/i

/** What is nested deeper is not printed: nobody looks at it, and to look for secrets in it could take for ever. */
const deepest = 16

/** Characters of a text, and of a line whose texts need not be cut. */
const mostCharacters = 16 * 1024

/** Takes what looks like a secret out of a line of JSON: a value under a telling name, or a telling text anywhere. Long texts are cut. */
export function redactLine(line: string): string {
  if (line.length <= mostCharacters && !suspicious.test(line)) return line
  return `${JSON.stringify(redactValue(JSON.parse(line) as JsonValue, 0))}\n`
}

function redactValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return redactAndCut(value, mostCharacters)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return redacted
  if (Array.isArray(value)) {
    return value.map((item, index) => (isSecretHeader(value[index - 1]) ? redacted : redactValue(item, depth + 1)))
  }
  const members = Object.entries(value).map(([name, member]) => {
    const isSecret = secretName.test(name) && member !== null && typeof member !== 'boolean'
    return [redactAndCut(name, mostCharacters), isSecret ? redacted : redactValue(member ?? null, depth + 1)] as const
  })
  return Object.fromEntries(members)
}

function isSecretHeader(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && secretHeader.test(value)
}
