import { expect } from 'vitest'
import { type Fabric, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createHome, createTestPool } from './home.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { tenantOf } from './test-nodes.ts'
import { defaultGatewayLimits } from '../../src/shared/limits.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { createHomeFinder, type HomeFinder, type HomeFinderParts } from '../../src/sessions/home/home-finder.ts'
import { createHomeKeeper, type HomeKeeper, type HomeKeeperParts } from '../../src/sessions/home/home-keeper.ts'
import type { HomeSession } from '../../src/sessions/session/home-session.ts'
import {
  createSessionDirectory,
  type DirectoryParts,
  type SessionDirectory,
} from '../../src/sessions/session-directory.ts'
import { createSessionRecords, type SessionRecords } from '../../src/sessions/home/session-records.ts'
import { SessionTable } from '../../src/sessions/session/session-table.ts'

const noHomes = (): Iterable<readonly [string, string]> => []

/** How long a session may be idle, in milliseconds. */
export const idleMs: number = defaultGatewayLimits.sessionIdleMs

type Others = Pick<HomeFinderParts, 'isPresent' | 'search'> &
  Pick<HomeKeeperParts, 'end' | 'leave'> &
  Partial<Pick<HomeKeeperParts, 'systemTime'> & Pick<DirectoryParts, 'hasRecentlyReconnected'>>

/** The sessions of one node. */
export interface SessionNode {
  readonly fabric: Fabric
  readonly table: SessionTable
  readonly records: SessionRecords
  readonly finder: HomeFinder
  readonly keeper: HomeKeeper
  readonly directory: SessionDirectory
  readonly sweep: () => readonly HomeSession[]
  readonly forget: (id: string) => void
}

/**
 * Starts the sessions of a node, without the rest of a gateway. By default, NATS was never away, and the system's time
 * is that of the clock.
 */
export function startSessionNode(
  fabric: Fabric,
  clock: Clock,
  { isPresent, search, end, leave, systemTime = clock.now, hasRecentlyReconnected = () => false }: Others,
): SessionNode {
  const table = new SessionTable(fabric.node, clock.now)
  const records = createSessionRecords(fabric, clock.now, 2 * idleMs, expect.unreachable)
  const finder = createHomeFinder({ table, records, search, isPresent, log: silentLog })
  const keeper = createHomeKeeper({ table, records, clock, systemTime, log: silentLog, idleMs, end, leave })
  const directory = createSessionDirectory({
    fabric,
    table,
    records,
    finder,
    keeper,
    clock,
    log: silentLog,
    idleMs,
    hasRecentlyReconnected,
  })
  const sweep = () => {
    const idle = directory.sweep(() => false)
    keeper.sweep()
    return idle
  }
  return { fabric, table, records, finder, keeper, directory, sweep, forget: leave }
}

/** Two nodes, and what happens to them. */
export interface SessionNodes {
  /** The ids of the sessions that the nodes have ended, and of those that they have left. */
  readonly ended: readonly string[]
  readonly left: readonly string[]
  /** The other nodes do not answer any more. */
  readonly fail: () => void
  /** The other nodes know no home; this happens while they are asked. */
  readonly knowNothing: (meanwhile: () => void) => void
  /** The other nodes know these homes of sessions. */
  readonly know: (homes: Readonly<Record<string, string>>) => void
  /** No home is present any more, or all are again. */
  readonly lose: () => void
  readonly find: () => void
  /** The nodes have just reconnected. */
  readonly comeBack: () => void
  /** The machine of the nodes is suspended: only the system's clock goes on. */
  readonly suspend: (ms: number) => void
  readonly clock: ManualClock
  /** A session that neither node has yet. */
  readonly session: HomeSession
  readonly home: SessionNode
  readonly other: SessionNode
}

/** Two nodes with a session that has no home yet, and what they learn from others. */
export function startSessionNodes(): SessionNodes {
  const clock = createManualClock()
  const ended: string[] = []
  const left: string[] = []
  /** The homes of sessions as the other nodes know them. */
  let known = noHomes
  let isPresent = true
  let isBack = false
  let suspendedMs = 0
  const bus = createMemoryBus()
  const node = (fabric: Fabric) =>
    startSessionNode(fabric, clock, {
      isPresent: async () => isPresent,
      search: { find: async () => new Map(known()) },
      end: (id) => void ended.push(id),
      leave: (id) => void left.push(id),
      hasRecentlyReconnected: () => isBack,
      systemTime: () => clock.now() + suspendedMs,
    })
  const { session } = createHome('s_1', tenantOf([]), createTestPool(clock))
  return {
    ended,
    left,
    fail: () => {
      known = () => {
        throw new Error('a node does not answer')
      }
    },
    knowNothing: (meanwhile: () => void) => {
      known = () => {
        meanwhile()
        return []
      }
    },
    know: (homes: Record<string, string>) => (known = () => Object.entries(homes)),
    lose: () => (isPresent = false),
    find: () => (isPresent = true),
    comeBack: () => (isBack = true),
    suspend: (ms: number) => (suspendedMs += ms),
    clock,
    session,
    home: node(createMemoryFabric(bus)),
    other: node(createMemoryFabric(bus)),
  }
}
