import type { CallContext } from '@junctor/exchange'

/** A caller whose links may take the access token of its latest request. */
interface TokenTaker {
  setCallerToken(callerToken: string): void
}

/**
 * Gives a caller the access token of its request, for its links that take one, and returns the caller. The token of a job
 * is not given: the job may run later, when a newer token has replaced it.
 */
export function withCallerToken<Kind extends TokenTaker>(
  caller: Kind | undefined,
  { callerToken, counted }: Pick<CallContext, 'callerToken' | 'counted'>,
): Kind | undefined {
  if (callerToken !== undefined && counted === undefined) caller?.setCallerToken(callerToken)
  return caller
}
