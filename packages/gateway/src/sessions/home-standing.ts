import type { SessionRecord } from './session-record.ts'

/**
 * What a home finds its session to be, by its record: `ours` goes on. `gone`: others took the home for lost and said so
 * to the client, or somebody has ended the session; it must not go on, for a client was told that it does not.
 */
export type HomeStanding = 'ours' | 'gone'

/**
 * @param record as all nodes read it now; undefined: there is none, or it says that the session has ended
 * @param before the node that has handed the session on to this one, and may not have said so in the record yet
 */
export function homeStanding(
  record: Pick<SessionRecord, 'home'> | undefined,
  node: string,
  before?: string,
): HomeStanding {
  return record !== undefined && (record.home === node || record.home === before) ? 'ours' : 'gone'
}
