import type { Identity } from '@junctor/contracts'

/** How many streams and connections that are kept open one client may hold at a node. */
export interface StreamShareLimits {
  /** Of one principal, over all transports. */
  readonly streamsOfPrincipal: number
  /** Of one tenant, over all transports. */
  readonly streamsOfTenant: number
}

/** Who holds how many of the streams and connections that are kept open at a node. */
export interface StreamShares {
  /** Takes a place. Gives what gives it back, idempotent; undefined when the caller, or its tenant, holds its share. */
  enter(identity: {
    readonly principal: Pick<Identity['principal'], 'key'>
    readonly tenant: Pick<Identity['tenant'], 'name'>
  }): (() => void) | undefined
}

/** What one client, tenant or address may hold of what is there: the rest is for others, and for calls. */
export function shareOf(all: number): number {
  return Math.ceil(all * 0.75)
}

/** Those of a node with so many connections: what is kept open never has all of them, so that calls find some. */
export function streamSharesOf(connections: number): StreamShareLimits {
  return { streamsOfPrincipal: shareOf(connections), streamsOfTenant: shareOf(connections) }
}

/** Counts for all transports of a node together: whoever has used up its share over one gets no further over another. */
export function createStreamShares({ streamsOfPrincipal, streamsOfTenant }: StreamShareLimits): StreamShares {
  const principals = new Map<string, number>()
  const tenants = new Map<string, number>()
  return {
    enter({ principal, tenant }) {
      if ((principals.get(principal.key) ?? 0) >= streamsOfPrincipal) return undefined
      if ((tenants.get(tenant.name) ?? 0) >= streamsOfTenant) return undefined
      count(principals, principal.key, 1)
      count(tenants, tenant.name, 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        count(principals, principal.key, -1)
        count(tenants, tenant.name, -1)
      }
    },
  }
}

function count(counts: Map<string, number>, key: string, more: number): void {
  const held = (counts.get(key) ?? 0) + more
  if (held === 0) counts.delete(key)
  else counts.set(key, held)
}
