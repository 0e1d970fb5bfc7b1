import type { Caught } from '@junctor/contracts'
import type { EndReason } from '@junctor/exchange'
import { sessionMark } from '../shared/session-mark.ts'
import type { CloseReason, EndParts } from './end-session.ts'
import { endSession, leaveHome, leaveSession } from './end-session.ts'
import type { HomeKeeper } from './home-keeper.ts'
import { createHomeKeeper } from './home-keeper.ts'
import type { DirectoryParts, SessionDirectory } from './session-directory.ts'
import { createSessionDirectory } from './session-directory.ts'
import type { SessionPlaces } from './session-places.ts'

/** What sessions stand on at one node. */
export interface SessionsParts
  extends Omit<EndParts, 'records'>, Pick<SessionPlaces, 'records' | 'finder'>, Pick<DirectoryParts, 'isRecentlyBack'> {
  readonly caught: Caught
  /** How long a session may be unused, in milliseconds. */
  readonly idleMs: number
}

/** The sessions of one node: how they are found, kept and ended. */
export interface Sessions {
  readonly directory: SessionDirectory
  readonly keeper: HomeKeeper
  /** Ends a session everywhere. Rejects when its links cannot be closed. */
  end(id: string, reason: EndReason, why?: CloseReason): Promise<void>
  /** The same, when nobody waits for it. */
  endQuietly(id: string, why?: CloseReason): void
  /** Ends what this node holds of a session that visited, and has ended at its home. Default reason: `session_ended`. */
  leave(id: string, reason?: EndReason): void
  /** A node has left: looks for the sessions that visited from there. */
  homeLeft(node: string): void
  /** Ends sessions that nobody uses, and renews the records of the others. Every second. */
  sweep(isWaiting: (session: string) => boolean): void
}

export function createSessions(parts: SessionsParts): Sessions {
  const { caught, finder } = parts
  const settle = (id: string, work: Promise<void>): void => {
    work.catch((error: unknown) => caught('control', error, { session: sessionMark(id) }))
  }
  const end: Sessions['end'] = (id, reason, why) => endSession(parts, id, reason, why)
  const endQuietly: Sessions['endQuietly'] = (id, why) => settle(id, end(id, 'session_ended', why))
  const keeper = createHomeKeeper({
    ...parts,
    end: (id) => endQuietly(id),
    leave: (id) => settle(id, leaveHome(parts, id)),
  })
  const directory = createSessionDirectory({ ...parts, keeper })
  const leave: Sessions['leave'] = (id, reason = 'session_ended') => leaveSession(parts, id, reason)
  return {
    directory,
    keeper,
    end,
    endQuietly,
    leave,
    homeLeft: (node) => void finder.follow(node, (id) => leave(id)),
    sweep(isWaiting) {
      for (const { id } of directory.sweep(isWaiting)) endQuietly(id, 'idle')
      keeper.sweep()
    },
  }
}
