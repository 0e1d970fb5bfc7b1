import { JunctorError } from '@junctor/protocol'

/** Of an encoded text, in characters: a server refuses subjects that are much longer than all that is useful. */
const maxLength = 1024

/**
 * A text as one part of a subject: letters, digits, `-` and `_` stay, each other byte becomes `=` and two hexadecimal
 * digits. Different texts give different parts, and none holds a dot, a wildcard or white space, whatever a client put
 * into it.
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

/** The text that `subjectToken` was given. */
export function textOfToken(token: string): string {
  if (!token.includes('=')) return token
  return token === '=' ? '' : decodeURIComponent(token.replaceAll('=', '%'))
}

/** A key of several parts, with dots between them, as that many parts of a subject: filters then find what begins alike. */
export function subjectPath(key: string): string {
  return key.split('.').map(subjectToken).join('.')
}

/** The key that `subjectPath` was given. */
export function keyOfPath(path: string): string {
  return path.split('.').map(textOfToken).join('.')
}

/** What `\w` keeps is ASCII; a lone surrogate has no bytes of its own and becomes the replacement character's. */
function escape(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}
