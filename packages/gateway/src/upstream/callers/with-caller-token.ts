import type { CallContext } from '@junctor/exchange'
import type { Caller } from './caller.ts'

/**
 * The caller of a request, whose links have the token of the request from now on if they take one. A job does not count: it may
 * run later, with a token that others have replaced.
 */
export function presenting<Kind extends Caller>(
  caller: Kind | undefined,
  { callerToken, counted }: Pick<CallContext, 'callerToken' | 'counted'>,
): Kind | undefined {
  if (callerToken !== undefined && counted === undefined) caller?.presents(callerToken)
  return caller
}
