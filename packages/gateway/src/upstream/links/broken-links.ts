import type { Link } from '@junctor/contracts'
import type { LocalCode } from '@junctor/protocol'
import { JunctorError } from '@junctor/protocol'

/** What was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Its local code, if it has one. */
export function codeOf(error: Error): LocalCode | undefined {
  return error instanceof JunctorError ? error.code : undefined
}

/** Of a link that ended without a word. */
export function closedByItself(): Error {
  return new Error('the link closed by itself')
}

/** Rejects when the link is gone. */
export async function brokenEarly(link: Link): Promise<never> {
  throw (await link.closed) ?? closedByItself()
}
