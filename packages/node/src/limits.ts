import type { LimitsConfig } from '@junctor/config'
import { shareOf, streamSharesOf } from '@junctor/connection'
import { defaultLimits as defaultGatewayLimits } from '@junctor/gateway'
import { defaultFrameBounds } from '@junctor/jsonrpc'
import type { FrameBounds } from '@junctor/jsonrpc'
import { defaultHttpLimits } from '@junctor/transport-http/limits'

/** The members of `limits` that have these names, and are set. */
export function chosen<Name extends keyof LimitsConfig>(
  limits: LimitsConfig,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {}
  for (const name of names) {
    const value = limits[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

/** What one frame may be, on every transport. */
export function frameBounds(limits: LimitsConfig): FrameBounds {
  return { ...defaultFrameBounds, ...chosen(limits, ['depth', 'batch']) }
}

/** The limits that the gateway keeps. */
export const gatewayLimitNames = [
  'sessions',
  'sessionsOfPrincipal',
  'sessionsOfTenant',
  'sessionIdleMs',
  'inFlight',
  'streams',
  'streamEntries',
  'streamCharacters',
  'streamKeepMs',
  'pageItems',
  'instructions',
  'startWaitMs',
  'listChangedMs',
] as const

/** The limits that the HTTP front keeps. */
export const httpLimitNames = [
  'body',
  'headers',
  'connections',
  'connectionsOfAddress',
  'streamBuffer',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'keepAliveTimeoutMs',
  'stalledMs',
  'streamKeepAliveMs',
  'graceMs',
] as const

/** Who may keep how many streams open, over all transports. */
export const streamShareNames = ['streamsOfPrincipal', 'streamsOfTenant'] as const

/** Those of HTTP that WebSockets keep too, and channels on the bus. */
export const channelLimitNames = ['body', 'streamKeepAliveMs', 'stalledMs', 'graceMs'] as const

/** Between being asked to end and letting nobody in any more, in milliseconds: none, where no load balancer has to hear of it. */
export const defaultDrainDelayMs = 0

/** The limits that the front on the bus keeps. */
export const busLimitNames = ['body', 'connections', 'streamKeepAliveMs', 'stalledMs', 'graceMs'] as const

/** What one client may have of all, unless a configuration says otherwise: three quarters of what it says of all. */
const defaultShares = {
  connectionsOfAddress: shareOf(defaultHttpLimits.connections),
  ...streamSharesOf(defaultHttpLimits.connections),
  sessionsOfPrincipal: shareOf(defaultGatewayLimits.sessions),
  sessionsOfTenant: shareOf(defaultGatewayLimits.sessions),
}

/** What holds where a configuration sets no limit. Each part knows the reasons for its own. */
export const defaultLimits: LimitsConfig = {
  ...pick(defaultGatewayLimits, gatewayLimitNames),
  ...pick(defaultHttpLimits, httpLimitNames),
  ...pick(defaultFrameBounds, ['depth', 'batch']),
  ...defaultShares,
  drainDelayMs: defaultDrainDelayMs,
}

function pick<Limits, Name extends keyof Limits>(limits: Limits, names: readonly Name[]): Pick<Limits, Name> {
  return Object.fromEntries(names.map((name) => [name, limits[name]])) as Pick<Limits, Name>
}
