import { type Emit, emitNothing, type Fabric, type Identity, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric, type MemoryBus } from '@junctor/fabric'
import { mcpProfile, type Profile } from '@junctor/protocol'
import { onTestFinished } from 'vitest'
import {
  type BackendEntry,
  createGateway,
  type Gateway,
  type GatewayLimits,
  type TenantEntry,
} from '../../src/index.ts'

/** The identity of a principal at a tenant. */
export function identityOf(subject = 'ada', tenant = 'default', profile: Profile = mcpProfile): Identity {
  const principal = { issuer: 'local', subject, key: `local ${subject}` }
  return { kind: 'identity', principal, tenant: { name: tenant, profile } }
}

/** A tenant that may use these backends, with all their tools and without interceptors. */
export function tenantOf(
  backends: readonly BackendEntry[],
  name = 'default',
  profile: Profile = mcpProfile,
): TenantEntry {
  return {
    tenant: { name, profile },
    separator: profile.separator,
    backends,
  }
}

/** Gateways on one bus, each a node of its own. */
export interface TestNodes {
  readonly bus: MemoryBus
  readonly gateways: readonly Gateway[]
  readonly names: readonly string[]
  /** Disconnects a node without a message: its gateway stays, but reaches no other node. */
  leave(node: number): Promise<void>
  close(): Promise<void>
}

type Tenants = readonly TenantEntry[]

/**
 * Starts one gateway for each list of tenants, all on one bus; or one gateway whose tenants depend on its fabric. They
 * are closed at the end of the test.
 */
export async function startNodes(
  given: readonly Tenants[] | ((fabric: Fabric) => Tenants),
  limits: Partial<GatewayLimits> = {},
  through: (fabric: Fabric) => Fabric = (fabric) => fabric,
  emitOf: (node: number) => Emit = () => emitNothing,
): Promise<TestNodes> {
  const bus = createMemoryBus()
  const makers = typeof given === 'function' ? [given] : given.map((tenants) => () => tenants)
  const fabrics = makers.map(() => through(createMemoryFabric(bus)))
  for (const fabric of fabrics) fabric.announce({ role: 'gateway' })
  const gateways = await Promise.all(
    fabrics.map((fabric, index) =>
      createGateway({
        fabric,
        tenants: makers[index]?.(fabric) ?? [],
        authenticate: () => identityOf(),
        info: { name: 'gateway', version: '1' },
        limits: { listChangedMs: 1, ...limits },
        log: silentLog,
        emit: emitOf(index),
      }),
    ),
  )
  const close = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await Promise.all(fabrics.map((fabric) => fabric.close()))
  }
  onTestFinished(close)
  return {
    bus,
    gateways,
    names: fabrics.map(({ node }) => node),
    leave: async (node) => fabrics[node]?.close(),
    close,
  }
}
