import type { Identity } from '@junctor/contracts'
import type { CallContext } from '@junctor/exchange'

/** The members of a request's context that belong to the token with which it came. */
export function ofToken({
  scopes,
  callerToken,
}: Pick<Identity, 'scopes' | 'callerToken'>): Pick<CallContext, 'scopes' | 'callerToken'> {
  return { ...(scopes !== undefined && { scopes }), ...(callerToken !== undefined && { callerToken }) }
}
