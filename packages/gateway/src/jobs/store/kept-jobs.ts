import { keptOr } from '@junctor/primitives'
import type { GatewayLimits } from '../../shared/limits.ts'
import { charactersOf } from '../record/job-outcome.ts'
import { isPast, type JobRecord, keyOf } from '../record/job-record.ts'

/** An ended job, without its result. */
export type KeptJob = Pick<JobRecord, 'id' | 'owner' | 'tenant' | 'createdAt' | 'ttlMs' | 'idempotencyKey'>

/** The jobs that ended on this node and can still be read. */
export interface KeptJobs {
  /**
   * Adds a job. Returns the jobs that must be removed to make room: the oldest of its principal, then of its tenant.
   */
  add(record: JobRecord): readonly KeptJob[]
  /** Removes and returns the jobs whose time to live is over. */
  sweep(now: number): readonly KeptJob[]
}

/** The approximate size of a record without its variable parts, in characters. */
const recordCharacters = 1_024

interface Row {
  readonly job: KeptJob
  readonly characters: number
}

/** The rows of one principal or one tenant, oldest first. */
interface Group {
  readonly rows: Map<string, Row>
  characters: number
}

/** Creates an empty table. */
export function createKeptJobs(limits: Pick<GatewayLimits, 'jobsKeptOfTenant' | 'jobsKeptOfPrincipal'>): KeptJobs {
  const owners = new Map<string, Group>()
  const tenants = new Map<string, Group>()

  const remove = ({ job, characters }: Row): KeptJob => {
    removeFrom(owners, job.owner, keyOf(job), characters)
    removeFrom(tenants, job.tenant, keyOf(job), characters)
    return job
  }

  /** Removes the oldest rows, but not the newest one, until the rest fits. */
  const relieve = (group: Group, bound: number): readonly KeptJob[] => {
    const gone: KeptJob[] = []
    for (const row of group.rows.values()) {
      if (group.characters <= bound || group.rows.size === 1) break
      gone.push(remove(row))
    }
    return gone
  }

  return {
    add({ id, owner, tenant, createdAt, ttlMs, idempotencyKey, outcome }) {
      const job = { id, owner, tenant, createdAt, ttlMs, ...(idempotencyKey !== undefined && { idempotencyKey }) }
      const characters =
        recordCharacters + (idempotencyKey?.length ?? 0) + (outcome === undefined ? 0 : charactersOf(outcome))
      const row = { job, characters }
      const own = addTo(owners, owner, keyOf(job), row)
      const all = addTo(tenants, tenant, keyOf(job), row)
      return [...relieve(own, limits.jobsKeptOfPrincipal), ...relieve(all, limits.jobsKeptOfTenant)]
    },
    sweep(now) {
      const rows = [...tenants.values()].flatMap((group) => [...group.rows.values()])
      return rows.filter(({ job }) => isPast(job, now)).map(remove)
    },
  }
}

function addTo(groups: Map<string, Group>, name: string, key: string, row: Row): Group {
  // A node may end a job twice, when it lost the lease in between.
  removeFrom(groups, name, key, groups.get(name)?.rows.get(key)?.characters ?? 0)
  const group = keptOr(groups, name, () => ({ rows: new Map<string, Row>(), characters: 0 }))
  group.rows.set(key, row)
  group.characters += row.characters
  return group
}

function removeFrom(groups: Map<string, Group>, name: string, key: string, characters: number): void {
  const group = groups.get(name)
  if (group === undefined || !group.rows.delete(key)) return
  group.characters -= characters
  if (group.rows.size === 0) groups.delete(name)
}
