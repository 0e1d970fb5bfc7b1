import { JunctorError } from '@junctor/protocol'

/** The maximum length of an encoded text, in characters. Servers refuse very long subjects. */
const maxLength = 1024

/**
 * The maximum length of all parts of a key. A server ends the connection of a node after a line of more than 4096 characters,
 * and the line that reads a key contains its path, the name of a stream twice and where the answer goes.
 */
const maxPathLength = 2048

/**
 * Encodes a text as one part of a subject: letters, digits, `-` and `_` stay, each other byte becomes `=` and two
 * hexadecimal digits. Different texts give different parts, and no part contains a dot, a wildcard or white space, for
 * any text of a client.
 *
 * @throws JunctorError `LIMIT_REACHED` when the part would be longer than 1024 characters
 */
export function subjectToken(text: string): string {
  const token = tokenOf(text)
  if (!isTooLong(token)) return token
  throw new JunctorError(
    'LIMIT_REACHED',
    `expected a name of at most ${maxLength} characters when escaped, got ${token.length}`,
  )
}

function tokenOf(text: string): string {
  return text === '' ? '=' : text.replaceAll(/[^\w-]/gu, escape)
}

function isTooLong(token: string): boolean {
  return token.length > maxLength
}

/** Decodes the result of `subjectToken`. */
export function textOfToken(token: string): string {
  if (!token.includes('=')) return token
  return token === '=' ? '' : decodeURIComponent(token.replaceAll('=', '%'))
}

/**
 * Encodes a key of several parts, separated by dots, as the same number of parts of a subject. Filters can then select
 * keys with the same beginning.
 *
 * @throws JunctorError `LIMIT_REACHED` when no subject has room for the key
 */
export function subjectPath(key: string): string {
  const path = pathOfKey(key)
  if (path !== undefined) return path
  throw new JunctorError('LIMIT_REACHED', `expected a key that fits into a subject, got ${key.length} characters`)
}

/** The same for a key that a client may have made up. Undefined: no subject has room for it, so nothing has this key. */
export function pathOfKey(key: string): string | undefined {
  // Its path would be at least as long.
  if (key.length > maxPathLength) return undefined
  const tokens = key.split('.').map(tokenOf)
  const path = tokens.join('.')
  return path.length > maxPathLength || tokens.some(isTooLong) ? undefined : path
}

/** Decodes the result of `subjectPath`. */
export function keyOfPath(path: string): string {
  return path.split('.').map(textOfToken).join('.')
}

/**
 * `\w` keeps ASCII only. A lone surrogate has no encoding in UTF-8 and becomes the bytes of the replacement character.
 */
function escape(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}
