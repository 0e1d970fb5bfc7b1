/** A text that nobody else may see, with what it is: `authorization`, `refresh_token`. */
export type NamedSecret = readonly [name: string, value: string]

/** A shorter text is in many words. */
const leastCharacters = 12

/** Members of URLs and forms that are secrets. */
const ofForms: ReadonlySet<string> = new Set([
  'access_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'id_token',
  'password',
  'refresh_token',
  'session_id',
  'state',
  'subject_token',
  'token',
])

/** The same in a text, in JSON or in a URL: only names that nothing else has. */
const ofTexts =
  'access_token|apiKey|authToken|client_secret|id_token|password|refresh_token|requestState|session_?[iI]d'
const jsonMember = new RegExp(`"(${ofTexts})"\\s*:\\s*"([^"\\\\]+)"`, 'g')
const urlMember = new RegExp(`[?&](${ofTexts})=([^&\\s"'<>\\\\]+)`, 'g')
/** A channel of a client on the bus: who knows its name may send on it. */
const channel = /"(in|out)"\s*:\s*"mcp\.v1\.[^"]*\.([\w-]{22})"/g

/** Headers whose whole value is a secret. */
const wholeHeaders: ReadonlySet<string> = new Set(['dpop', 'mcp-session-id', 'sec-websocket-key', 'x-api-key'])

/** The secrets of the headers of a message, whatever carries it. */
export function secretsOfHeaders(headers: Iterable<readonly [name: string, value: unknown]>): NamedSecret[] {
  const found: NamedSecret[] = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    for (const one of textsOf(value)) {
      for (const secret of secretsOfHeader(lower, one)) found.push([lower, secret])
      if (lower === 'location') found.push(...secretsOfForm(one.split('?')[1] ?? ''))
    }
  }
  return found.filter(isLong)
}

/** A header may be there more than once. */
function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

function secretsOfHeader(name: string, value: string): readonly string[] {
  if (wholeHeaders.has(name)) return [value]
  if (name === 'authorization') return [value.replace(/^\S+ /, '')]
  if (name === 'cookie') return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1))
  if (name === 'set-cookie') return [/=([^;]+)/.exec(value)?.[1] ?? '']
  // Browsers cannot set headers of a WebSocket, so some clients offer their token as a subprotocol.
  if (name === 'sec-websocket-protocol') return value.split(',').map((offered) => offered.trim())
  return []
}

/** The secrets of a form, or of the query of a URL. */
export function secretsOfForm(text: string): NamedSecret[] {
  return [...new URLSearchParams(text)].filter(([name]) => ofForms.has(name)).filter(isLong)
}

/** The secrets of a text in JSON, or with JSON or URLs in it. */
export function secretsOfText(text: string): NamedSecret[] {
  const matches = [jsonMember, urlMember, channel].flatMap((form) => [...text.matchAll(form)])
  return matches.map(([, name = '', value = '']): NamedSecret => [name, value]).filter(isLong)
}

function isLong([, value]: NamedSecret): boolean {
  return value.length >= leastCharacters
}
