import type { Identity } from '@junctor/contracts'
import { tenantOfName } from '@junctor/protocol'

/** The limits on streams and open connections of one client at a node. */
export interface StreamShareLimits {
  /** For one principal, over all transports. */
  readonly streamsOfPrincipal: number
  /** For one tenant, over all transports. */
  readonly streamsOfTenant: number
}

/** Counts the streams and open connections at a node by principal and tenant. */
export interface StreamShares {
  /**
   * Takes a place. Returns a function that releases it, idempotent; returns undefined when the principal or its tenant
   * already holds its full share.
   */
  enter(identity: {
    readonly principal: Pick<Identity['principal'], 'key'>
    readonly tenant: Pick<Identity['tenant'], 'name'>
  }): (() => void) | undefined
}

/** Returns how much of `all` one client, tenant or address may hold. The rest is left for others, and for calls. */
export function shareOf(all: number): number {
  return Math.ceil(all * 0.75)
}

/**
 * Returns the limits for a node with this many connections. Streams never hold all of them, so that calls still find
 * one.
 */
export function streamSharesOf(connections: number): StreamShareLimits {
  return { streamsOfPrincipal: shareOf(connections), streamsOfTenant: shareOf(connections) }
}

/**
 * Creates one count for all transports of a node: a client that has used its share over one transport gets no more over
 * another.
 */
export function createStreamShares({ streamsOfPrincipal, streamsOfTenant }: StreamShareLimits): StreamShares {
  const principals = new Map<string, number>()
  const tenants = new Map<string, number>()
  return {
    enter({ principal, tenant }) {
      if ((principals.get(principal.key) ?? 0) >= streamsOfPrincipal) return undefined
      const named = tenantOfName(tenant.name)
      if ((tenants.get(named) ?? 0) >= streamsOfTenant) return undefined
      count(principals, principal.key, 1)
      count(tenants, named, 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        count(principals, principal.key, -1)
        count(tenants, named, -1)
      }
    },
  }
}

function count(counts: Map<string, number>, key: string, more: number): void {
  const held = (counts.get(key) ?? 0) + more
  if (held === 0) counts.delete(key)
  else counts.set(key, held)
}
