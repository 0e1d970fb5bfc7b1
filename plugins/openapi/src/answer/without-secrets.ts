import type { ApiAnswer } from '../request/send-request.ts'

/** Replaces a secret. */
const hidden = '***'

/** Shorter texts may be anywhere by chance. */
const shortest = 8

/**
 * An answer without the secrets that the request was sent with. APIs repeat them: in the URL of the next page, or in the
 * message about a wrong key.
 */
export function withoutSecrets({ status, headers, body }: ApiAnswer, secrets: readonly string[]): ApiAnswer {
  const known = secrets.filter(({ length }) => length >= shortest)
  const hide = (text: string): string => known.reduce((left, secret) => left.replaceAll(secret, hidden), text)
  const shown = Object.entries(headers).map(
    ([name, value]) => [name, typeof value === 'string' ? hide(value) : value?.map(hide)] as const,
  )
  return { status, headers: Object.fromEntries(shown), body: bytesWithout(body, known) }
}

function bytesWithout(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const found = secrets.filter((secret) => bytes.includes(secret))
  if (found.length === 0) return body
  // In Latin-1 each byte is one character.
  const text = found.reduce((left, secret) => left.replaceAll(byteText(secret), hidden), bytes.toString('latin1'))
  return Buffer.from(text, 'latin1')
}

function byteText(text: string): string {
  return Buffer.from(text).toString('latin1')
}
