import type { SessionRecord } from './session-record.ts'

/**
 * What the record of a session means for the node that considers itself its home:
 *
 * - `recorded`: the record names this node as the home.
 * - `unrecorded`: the record was lost with its storage, or still names an earlier home. The node must write it again.
 * - `ended`: other nodes considered the home lost and reported the end to the client, or the client ended the session
 *   on another node. The session must not continue.
 * - `elsewhere`: a later home has the session. The node that handed it to this node did not learn that it was adopted.
 */
export type HomeVerdict = 'recorded' | 'unrecorded' | 'ended' | 'elsewhere'

/**
 * @param record the record in storage; `ended`: it says that the session has ended, or cannot be read; undefined: there
 *   is none
 * @param moves the moves of the session, as this node knows them
 * @param mayBeLost whether a missing record can only have been lost, because it is too young to have expired
 */
export function judgeHome(
  record: SessionRecord | 'ended' | undefined,
  node: string,
  moves: number,
  mayBeLost: boolean,
): HomeVerdict {
  if (record === undefined) return mayBeLost ? 'unrecorded' : 'ended'
  if (record === 'ended') return 'ended'
  if (record.moves > moves) return 'elsewhere'
  if (record.moves < moves) return 'unrecorded'
  return record.home === node ? 'recorded' : 'elsewhere'
}
