import type { JsonValue } from '@junctor/jsonrpc'
import { redactAndCut } from './redact-and-cut.ts'
import { redacted } from './redact-text.ts'

/**
 * Checks in one pass whether a line may contain a secret. It searches for the fixed parts of the patterns of
 * `redactText` and `secretName`. Most lines contain none and are printed unchanged.
 */
const suspicious =
  /:\/\/[^/\s]*@|:\/\/[^\s:/@]{0,256}:[^\s@]{1,256}@|authorization|cookie|bearer|basic|token|key|secret|passw|passphrase|pwd|credential|sig|session[-_]?id|sess_|code_verifier|s_[\w-]{43}|eyJ|[sr]k-|[sr]k_|gh[opsur]_|github_pat_|glpat-|xox|npm_|AIza|A[KS]IA/i

/** Members whose value is always treated as a secret. */
const secretName =
  /(?:token|key|secret|passw(?:or)?d|passphrase|pwd|authorization|cookie2?|credential|signature|session[-_]?id)s?$/i

/** Names of headers: in a list of alternating names and values, the next item is the value. */
const secretHeader = /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|x-api-key|api-key|mcp-session-id)$/i

/**
 * The maximum depth of values. Deeper values are not printed: they are rarely useful, and searching them for secrets
 * could take very long.
 */
const deepest = 16

/** The maximum length of a text, and of a line that is printed without further checks, in characters. */
const mostCharacters = 16 * 1024

/**
 * Removes secrets from a line of JSON: values under names of secrets, and texts that look like secrets. Long texts are
 * truncated.
 */
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
