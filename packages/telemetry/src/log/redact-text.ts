/** Replaces a secret. */
export const redacted = '***'

/** Names whose value in a query, form, environment or quoted JSON is a secret. */
const names = 'token|key|secret|passw(?:or)?d|passphrase|pwd|credentials?|signature|sig|session[-_]?id|code_verifier'

/**
 * The patterns of secrets, and what remains of each match. Each expression takes linear time: no repetition starts
 * inside its own match and fails only at the end.
 */
const rules: readonly (readonly [secret: RegExp, rest: string])[] = [
  // Credentials in a URL. Passwords with a slash are invalid there, but common in practice.
  [/(:\/\/)(?:[^/?#\s]*|[^\s:/@]{0,256}:[^\s@]{1,256})@/g, `$1${redacted}@`],
  // Header lines, to their end: there may be several cookies, and authorization schemes have parameters.
  [/\b(authorization|cookie2?|x-api-key|api-key|mcp-session-id)([\\"']{0,4}\s*[:=]\s*)[^\r\n]+/gi, `$1$2${redacted}`],
  // "Bearer token required" is not a secret.
  [/\b(bearer)\s+(?!(?:tokens?|auth\w*|scheme|realm|error|required)\b)[^\s"',;]+/gi, `$1 ${redacted}`],
  [/\b(basic)\s+(?!auth\w*\b)[a-z0-9+/]{8,}={0,2}/gi, `$1 ${redacted}`],
  // `access_token=…`, then `"token":"…"` as in a body that an error quotes, whose quotes may be escaped.
  [new RegExp(`(${names})=[^\\s&"'#;,]+`, 'gi'), `$1=${redacted}`],
  [new RegExp(`(${names})(\\\\{0,3}["']\\s*:\\s*\\\\{0,3}["'])[^"'\\\\]+`, 'gi'), `$1$2${redacted}`],
  // Session ids, then signed or encrypted tokens.
  [/s_[\w-]{43}|sess_[\w-]{16,}/g, redacted],
  [/eyJ[\w-]{8,}(?:\.[\w-]*)*/g, redacted],
  // API keys with a known prefix.
  [
    /\b(?:[sr]k-|[sr]k_(?:live|test)_|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|npm_|AIza|AKIA|ASIA)[\w-]{12,}/g,
    redacted,
  ],
]

/**
 * Removes texts that look like secrets. Harmless text of the same form is removed too, which is the smaller mistake.
 */
export function redactText(text: string): string {
  return rules.reduce((clean, [secret, rest]) => clean.replace(secret, rest), text)
}
