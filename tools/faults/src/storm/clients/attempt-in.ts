import type { AttemptOutcome } from '../ledger/outcome.ts'
import { outcomeOfRejection } from './fetch-anywhere.ts'
import type { Reopened } from './reopened.ts'
import type { Attempted } from './storm-client.ts'

/** Attempts a call in a session, which is forgotten when no gateway knows it any more. Never rejects. */
export async function attemptIn<Session>(
  sessions: Reopened<Session>,
  send: (session: Session) => Promise<Attempted>,
): Promise<Attempted> {
  const opened = await openedOf(sessions)
  if ('outcome' in opened) return opened
  try {
    return await send(opened.session)
  } catch (error) {
    const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
    if (isUnknownSession(outcome)) sessions.forget(opened.session)
    return { outcome }
  }
}

/** A session, or the outcome of a call without one. Never rejects. */
export async function openedOf<Session>(
  sessions: Reopened<Session>,
): Promise<{ readonly session: Session } | { readonly outcome: AttemptOutcome }> {
  try {
    return { session: await sessions.get() }
  } catch (error) {
    return {
      outcome: beforeCall(outcomeOfRejection(error, () => ({ kind: 'refused', what: `no session: ${String(error)}` }))),
    }
  }
}

/** Whether a call failed because the gateways do not know its session. */
export function isUnknownSession(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'error' && outcome.reason === 'session_unknown'
}

/** The outcome for a connection that was lost before the call was sent: the call has not run. */
function beforeCall(outcome: AttemptOutcome): AttemptOutcome {
  return outcome.kind === 'lost' || outcome.kind === 'silent'
    ? { kind: 'refused', what: `no session: ${outcome.what}` }
    : outcome
}
