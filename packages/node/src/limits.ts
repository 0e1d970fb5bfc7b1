import type { LimitsConfig } from '@junctor/config'
import { shareOf, streamSharesOf } from '@junctor/connection'
import { defaultGatewayLimits } from '@junctor/gateway'
import { defaultFrameBounds, type FrameBounds } from '@junctor/jsonrpc'
import { defaultHttpLimits } from '@junctor/transport-http/limits'

/** Returns those of the given limits that are set. */
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

/** Returns the limits of one frame, on every transport. */
export function frameBounds(limits: LimitsConfig): FrameBounds {
  return { ...defaultFrameBounds, ...chosen(limits, ['depth', 'batch']) }
}

/** The limits that the gateway enforces. */
export const gatewayLimitNames = [
  'sessions',
  'sessionsOfPrincipal',
  'sessionsOfTenant',
  'sessionIdleMs',
  'inFlight',
  'callsOfPrincipal',
  'loopDelayMs',
  'heapPercent',
  'streams',
  'streamEntries',
  'streamCharacters',
  'streamKeepMs',
  'pageItems',
  'instructions',
  'startWaitMs',
  'listChangedMs',
] as const

/** The limits that the HTTP front enforces. */
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

/** The limits on open streams, over all transports. */
export const streamShareNames = ['streamsOfPrincipal', 'streamsOfTenant'] as const

/** The limits of HTTP that WebSockets and channels on the bus enforce too. */
export const channelLimitNames = ['body', 'streamKeepAliveMs', 'stalledMs', 'graceMs'] as const

/**
 * The time between a request to stop and the refusal of new clients, in milliseconds. Without a load balancer none is
 * needed.
 */
export const defaultDrainDelayMs = 0

/** The limits that the front on the bus enforces. */
export const busLimitNames = ['body', 'connections', 'streamKeepAliveMs', 'stalledMs', 'graceMs'] as const

/** The default share of one client: three quarters of the total. */
const defaultShares = {
  connectionsOfAddress: shareOf(defaultHttpLimits.connections),
  ...streamSharesOf(defaultHttpLimits.connections),
  sessionsOfPrincipal: shareOf(defaultGatewayLimits.sessions),
  sessionsOfTenant: shareOf(defaultGatewayLimits.sessions),
}

/** The limits that apply without a configured value. Each component documents the reasons for its own. */
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
