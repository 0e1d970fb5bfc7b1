import type { Outcome } from '@junctor/exchange'
import { lackingScopes } from '../shared/tool-scopes.ts'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { qualifiedNameOf } from '../upstream/catalogue/tool-names.ts'

/** The error for the call of a tool that the caller's token has too few scopes for. `undefined`: it has enough. */
export function refuseLackingScope(call: Call, tool: Route): Outcome | undefined {
  const { scopes } = call.exchange.context
  const { toolScopes } = call.caller.tenant
  if (scopes === undefined || toolScopes === undefined) return undefined
  const details = lackingScopes(toolScopes, qualifiedNameOf(tool), scopes)
  return details && failed(call, 'forbidden', details)
}
