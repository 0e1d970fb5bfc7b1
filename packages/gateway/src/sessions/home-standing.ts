import type { EndedRecord, SessionRecord } from './session-record.ts'
import { readSessionRecord } from './session-record.ts'

/**
 * What a home finds its session to be, by its record:
 *
 * - `recorded`: the record says that it is at home here.
 * - `unrecorded`: the record was lost with the storage that had it, or says where the session was before it came here. It
 *   is to be written again.
 * - `ended`: others took the home for lost and said so to the client, or the client has ended the session elsewhere. It
 *   must not go on.
 * - `elsewhere`: a later home has it. Whoever handed it to this node has not learned that it was taken.
 */
export type HomeStanding = 'recorded' | 'unrecorded' | 'ended' | 'elsewhere'

/**
 * @param stored as all nodes read it now; undefined: there is none
 * @param moves of the session, as this node has it
 * @param mayBeLost whether a record that is not there can only have been lost: it is too young to have expired
 */
export function homeStanding(
  stored: SessionRecord | EndedRecord | undefined,
  node: string,
  moves: number,
  mayBeLost: boolean,
): HomeStanding {
  if (stored === undefined) return mayBeLost ? 'unrecorded' : 'ended'
  const record = readSessionRecord(stored)
  if (record === undefined) return 'ended'
  if (record.moves > moves) return 'elsewhere'
  if (record.moves < moves) return 'unrecorded'
  return record.home === node ? 'recorded' : 'elsewhere'
}
