import type { Link } from '@junctor/contracts'
import { JunctorError, type LocalCode } from '@junctor/protocol'

/** The local code of an error, if it has one. */
export function codeOf(error: Error): LocalCode | undefined {
  return error instanceof JunctorError ? error.code : undefined
}

/** The error of a link that closed without an error. */
export function closedByItselfError(): Error {
  return new Error('the link closed by itself')
}

/** Rejects when the link has closed. */
export async function rejectWhenClosed(link: Link): Promise<never> {
  throw (await link.closed) ?? closedByItselfError()
}
