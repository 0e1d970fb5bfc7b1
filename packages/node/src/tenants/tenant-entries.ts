import type { Config, RatesConfig } from '@junctor/config'
import { type BackendEntry, rateOf, type TenantEntry, type TenantRates } from '@junctor/gateway'
import type { Interceptor } from '@junctor/exchange'
import type { Profile } from '@junctor/protocol'
import { profileNamed } from './profile-named.ts'
import { toolScopesAt } from './tool-scopes.ts'

/**
 * Returns the tenants of a configuration, each with its backends.
 *
 * @param own the gateway's own tools, which come before all others for tenants that have them
 * @param interceptors returns the interceptors around every request of a tenant with this profile
 */
export function createTenantEntries(
  config: Config,
  backends: readonly BackendEntry[],
  own: BackendEntry,
  interceptors: (profile: Profile) => readonly Interceptor[],
): readonly TenantEntry[] {
  return config.tenants.map((tenant) => {
    const profile = profileNamed(tenant.profile)
    const chosen = backends.filter((entry) => tenant.backends.includes(entry.backend.name))
    return {
      tenant: { name: tenant.name, profile },
      separator: tenant.separator ?? profile.separator,
      maxNameLength: tenant.maxLength,
      namesAskers: tenant.askers,
      bareNames: tenant.bareNames,
      relayExtensions: tenant.relayExtensions,
      backends: (config.gatewayTools ?? profile.gatewayTools) ? [own, ...chosen] : chosen,
      tools: tenant.tools,
      prompts: tenant.prompts,
      resources: tenant.resources,
      rates: tenant.rates && ratesOf(tenant.name, tenant.rates),
      toolScopes: toolScopesAt(config, tenant.name),
      interceptors: interceptors(profile),
    }
  })
}

function ratesOf(tenant: string, rates: RatesConfig): TenantRates {
  const { callsPerMinute, callsPerMinuteOfPrincipal, callsPerMinuteOfTools, burstMs } = rates
  return {
    tenant,
    ofTenant: callsPerMinute === undefined ? undefined : rateOf(callsPerMinute, burstMs),
    ofPrincipal: callsPerMinuteOfPrincipal === undefined ? undefined : rateOf(callsPerMinuteOfPrincipal, burstMs),
    ofTools: Object.entries(callsPerMinuteOfTools).map(([pattern, calls]) => ({
      pattern,
      rate: rateOf(calls, burstMs),
    })),
  }
}
