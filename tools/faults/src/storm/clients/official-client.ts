import type { Call } from '../ledger/attempt.ts'
import { cancelledOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import { isUnknownSession, openedOf } from './attempt-in.ts'
import { calledTool } from './call-message.ts'
import { Complaints } from './complaints.ts'
import { outcomeOfRejection } from './fetch-anywhere.ts'
import { HeldSession, type OfficialSession, type Progress } from './held-session.ts'
import { Reopened } from './reopened.ts'
import { textOf } from './results.ts'
import type { ClientOptions, StormClient } from './storm-client.ts'

/**
 * Opens a session. `complain` is called with errors of the SDK outside of calls, such as a stream that it cannot
 * resume.
 */
export type OpenOfficial = (options: ClientOptions, complain: (what: string) => void) => Promise<OfficialSession>

/** A client of the storm that uses an official SDK, of either version. */
export function createOfficialClient(
  kind: 'sdk v1' | 'sdk v2' | 'bus',
  options: ClientOptions,
  open: OpenOfficial,
): StormClient {
  const { canary } = options
  const strays: string[] = []
  const complaints = new Complaints()
  const leaving: Promise<void>[] = []
  const sessions = new Reopened(
    async () => new HeldSession(await open(options, (what) => complaints.add(what))),
    (left: HeldSession) => {
      left.leave()
      leaving.push(left.closed)
    },
  )

  const attempt = async (call: Call): Promise<AttemptOutcome> => {
    const began = performance.now()
    const opened = await openedOf(sessions)
    if ('outcome' in opened) return opened.outcome
    const { session } = opened
    if (session.isLeft) return { kind: 'refused', what: 'the session was left meanwhile' }
    const cancelling = new AbortController()
    const onprogress = ({ message = '' }: Progress): void => {
      if (message !== call.id) strays.push(`progress of "${message}" for ${call.id}`)
      // The call is known to run.
      if (call.tool === 'abort') cancelling.abort('enough')
    }
    try {
      const { name, arguments: input } = calledTool(call)
      return {
        kind: 'result',
        text: textOf(await session.call(name, input, { onprogress, signal: cancelling.signal })),
      }
    } catch (error) {
      if (cancelling.signal.aborted) return cancelledOutcome
      const outcome = outcomeOfRejection(error, () => silence(error, complaints.since(began)))
      if (isUnknownSession(outcome) || outcome.kind === 'silent' || session.isOver) sessions.forget(session)
      return outcome
    }
  }

  return {
    kind,
    canary,
    strays,
    attempt: async (call) => ({ outcome: await attempt(call) }),
    async close() {
      const last = await sessions.current()
      if (last !== undefined) sessions.forget(last)
      await Promise.all(leaving)
    },
  }
}

/** The SDK keeps waiting when the stream of an answer is permanently gone, and reports that elsewhere. */
function silence(error: unknown, complaint: string | undefined): AttemptOutcome {
  return complaint === undefined ? { kind: 'silent', what: String(error) } : { kind: 'lost', what: complaint }
}
