import type { ErrorReporter } from '@junctor/contracts'
import type { EndReason } from '@junctor/exchange'
import { sessionMark } from '../shared/session-mark.ts'
import { type EndParts, endSession, leaveHome, type SessionCloseReason } from './end-session.ts'
import { createHomeKeeper, type HomeKeeper } from './home/home-keeper.ts'
import { createSessionDirectory, type DirectoryParts, type SessionDirectory } from './session-directory.ts'
import type { SessionHomes } from './home/session-homes.ts'

/** What the sessions of one node need. */
export interface SessionsParts
  extends
    Omit<EndParts, 'records'>,
    Pick<SessionHomes, 'records' | 'finder'>,
    Pick<DirectoryParts, 'hasRecentlyReconnected'> {
  readonly reportError: ErrorReporter
  /** How long a session may be unused, in milliseconds. */
  readonly idleMs: number
}

/** The sessions of one node: how they are found, kept and ended. */
export interface Sessions {
  readonly directory: SessionDirectory
  readonly keeper: HomeKeeper
  /** Ends a session everywhere. Rejects when its links cannot be closed. */
  end(id: string, reason: EndReason, why?: SessionCloseReason): Promise<void>
  /** The same, when the caller does not wait for it. Errors go to `reportError`. */
  endQuietly(id: string, why?: SessionCloseReason): void
  /** Ends the state on this node of a session that has another home. Default reason: `session_ended`. */
  leave(id: string, reason?: EndReason): void
  /** A node has left: searches for the new homes of the sessions that visited from there. */
  homeLeft(node: string): void
  /** Ends idle sessions and renews the records of the others. Must be called every second. */
  sweep(isWaiting: (session: string) => boolean): void
}

/**
 * Creates the sessions of a node: what finds them, keeps their records and ends them. Errors of an end that nobody
 * waits for are reported.
 */
export function createSessions(parts: SessionsParts): Sessions {
  const { reportError, finder } = parts
  const settle = (id: string, work: Promise<void>): void => {
    work.catch((error: unknown) => reportError('control', error, { session: sessionMark(id) }))
  }
  const end: Sessions['end'] = (id, reason, why) => endSession(parts, id, reason, why)
  const endQuietly: Sessions['endQuietly'] = (id, why) => settle(id, end(id, 'session_ended', why))
  const leave: Sessions['leave'] = (id, reason) => settle(id, leaveHome(parts, id, reason))
  const keeper = createHomeKeeper({
    ...parts,
    systemTime: Date.now,
    end: (id) => endQuietly(id),
    leave: (id) => leave(id),
  })
  const directory = createSessionDirectory({ ...parts, keeper })
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
