import { JunctorError } from '@junctor/protocol'

/** The maximum length of an encoded text, in characters. Servers refuse very long subjects. */
const maxLength = 1024

/**
 * Encodes a text as one part of a subject: letters, digits, `-` and `_` stay, each other byte becomes `=` and two
 * hexadecimal digits. Different texts give different parts, and no part contains a dot, a wildcard or white space, for
 * any text of a client.
 *
 * @throws JunctorError `LIMIT_REACHED` when the part would be longer than 1024 characters
 */
export function subjectToken(text: string): string {
  const token = text === '' ? '=' : text.replaceAll(/[^\w-]/gu, escape)
  if (token.length > maxLength) {
    throw new JunctorError(
      'LIMIT_REACHED',
      `expected a name of at most ${maxLength} characters when escaped, got ${token.length}`,
    )
  }
  return token
}

/** Decodes the result of `subjectToken`. */
export function textOfToken(token: string): string {
  if (!token.includes('=')) return token
  return token === '=' ? '' : decodeURIComponent(token.replaceAll('=', '%'))
}

/**
 * Encodes a key of several parts, separated by dots, as the same number of parts of a subject. Filters can then select
 * keys with the same beginning.
 */
export function subjectPath(key: string): string {
  return key.split('.').map(subjectToken).join('.')
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
