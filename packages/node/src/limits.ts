import type { LimitsConfig } from '@junctor/config'
import { defaultFrameBounds } from '@junctor/jsonrpc'
import type { FrameBounds } from '@junctor/jsonrpc'

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
  'streamBuffer',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'keepAliveTimeoutMs',
  'stalledMs',
  'streamKeepAliveMs',
  'graceMs',
] as const
