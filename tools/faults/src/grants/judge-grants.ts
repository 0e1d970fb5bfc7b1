import type { IssuedGrant } from './grant-authority.ts'
import type { GrantCall } from './grant-person.ts'
import type { RunCall } from './grant-server.ts'

/** A node was away, in milliseconds of `performance.now`. */
export interface GrantOutage {
  readonly at: string
  readonly how: 'kill' | 'stop'
  readonly began: number
  readonly ended: number
}

/** What has happened, after every person has ended the access. */
export interface GrantHistory {
  readonly calls: readonly GrantCall[]
  readonly runs: readonly RunCall[]
  readonly outages: readonly GrantOutage[]
  readonly grants: readonly IssuedGrant[]
  readonly reuses: number
  /** What nodes and processes have reported besides, as texts. */
  readonly crashes: readonly string[]
}

/** How long after an outage others may still notice it, in milliseconds. */
const afterwardsMs = 10_000

/** The broken promises, as texts. */
export function judgeGrants({ calls, runs, outages, grants, reuses, crashes }: GrantHistory): readonly string[] {
  const faults = [...crashes]
  const counts = new Map<string, number>()
  for (const { call, person } of runs) {
    counts.set(call, (counts.get(call) ?? 0) + 1)
    if (!call.startsWith(`${person}-`)) faults.push(`${call} ran with the token of ${person}`)
  }
  for (const [call, count] of counts) if (count > 1) faults.push(`${call} ran ${count} times`)
  for (const call of calls) faults.push(...faultsOf(call, outages))
  // A node that is killed between the answer of the issuer and the write loses the new refresh token.
  const kills = outages.filter(({ how }) => how === 'kill').length
  const people = new Set(calls.map(({ person }) => person)).size
  if (reuses > kills * people) faults.push(`${reuses} refresh tokens came twice, with ${kills} kills`)
  for (const person of new Set(grants.map((grant) => grant.person))) {
    // An earlier grant is replaced when the person agrees again.
    const last = grants.findLast((grant) => grant.person === person)
    if (last?.refresh !== undefined) faults.push(`the grant of ${person} is still good at the issuer`)
  }
  return faults
}

function faultsOf({ name, person, at, began, ended, answers }: GrantCall, outages: readonly GrantOutage[]): string[] {
  const isDisturbed = outages.some((outage) => outage.began < ended && outage.ended + afterwardsMs > began)
  const isCut = outages.some((outage) => outage.at === at && outage.began < ended && outage.ended > began)
  if (answers.length > 1) return [`${name} has ${answers.length} answers`]
  const [answer] = answers
  if (answer === undefined) return isCut ? [] : [`${name} has no answer`]
  const text = JSON.stringify(answer)
  const [, other] = /I am (\w+)/.exec(text) ?? []
  if (other !== undefined) return other === person ? [] : [`${name} got the answer of ${other}`]
  const isExpected = text.includes('/connections/api/') || text.includes('unknown_tool')
  return isExpected || isDisturbed ? [] : [`${name} got ${text}`]
}
