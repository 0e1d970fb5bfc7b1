import type { Call } from '../ledger/attempt.ts'
import { cancelledOutcome, type Outcome } from '../ledger/outcome.ts'
import { calledTool } from './call-message.ts'
import { outcomeOfRejection } from './fetch-anywhere.ts'
import { textOf } from './results.ts'
import type { ClientOptions, StormClient } from './storm-client.ts'

/** A session of an official SDK. */
interface OfficialSession {
  call(name: string, input: Readonly<Record<string, unknown>>, following: Following): Promise<unknown>
  /** Whether the connection that it lives on is gone. Over HTTP it lives on none. */
  isOver(): boolean
  close(): Promise<void>
}

/** What the SDKs want to know of a call that is followed while it runs. */
interface Following {
  readonly onprogress: (progress: Progress) => void
  readonly signal: AbortSignal
}

interface Progress {
  readonly message?: string | undefined
}

/** A session in use. One that is left is closed when the last call on it has ended: that may still have its answer. */
interface HeldSession {
  readonly session: OfficialSession
  calls: number
  isLeft: boolean
}

/** Opens a session. `complain` hears what the SDK finds wrong outside of calls, such as a stream that it cannot resume. */
export type OpenOfficial = (options: ClientOptions, complain: (what: string) => void) => Promise<OfficialSession>

/** A client of the storm that is one of the official SDK, whichever version. */
export function createOfficialClient(
  kind: 'sdk v1' | 'sdk v2' | 'bus',
  options: ClientOptions,
  open: OpenOfficial,
): StormClient {
  const { canary } = options
  const strays: string[] = []
  let holding: Promise<HeldSession> | undefined
  /** What the SDK complained of last, and when. */
  let complaint: { readonly what: string; readonly at: number } | undefined
  const leaving: Promise<void>[] = []

  const complain = (what: string): void => {
    complaint = { what, at: performance.now() }
  }

  const closeWhenLeft = ({ session, calls, isLeft }: HeldSession): void => {
    if (isLeft && calls === 0) leaving.push(session.close().catch(() => {}))
  }

  const hold = async (): Promise<HeldSession> => ({ session: await open(options, complain), calls: 0, isLeft: false })

  const attempt = async ({ id, tool, ms }: Call): Promise<Outcome> => {
    const began = performance.now()
    holding ??= hold()
    const mine = holding
    let held: HeldSession
    try {
      held = await mine
    } catch (error) {
      if (holding === mine) holding = undefined
      return beforeCall(outcomeOfRejection(error, () => ({ kind: 'refused', what: `no session: ${String(error)}` })))
    }
    if (held.isLeft) return { kind: 'refused', what: 'the session was left meanwhile' }
    const cancelling = new AbortController()
    const onprogress = ({ message = '' }: Progress): void => {
      if (message !== id) strays.push(`progress of "${message}" for ${id}`)
      // Now it is known to run.
      if (tool === 'abort') cancelling.abort('enough')
    }
    held.calls += 1
    try {
      const { name, arguments: input } = calledTool({ id, tool, ms })
      const result = await held.session.call(name, input, { onprogress, signal: cancelling.signal })
      return { kind: 'result', text: textOf(result) }
    } catch (error) {
      if (cancelling.signal.aborted) return cancelledOutcome
      const outcome = outcomeOfRejection(error, () =>
        // The SDK waits on when the stream of an answer is gone for good, and says so elsewhere.
        complaint !== undefined && complaint.at > began
          ? { kind: 'lost', what: complaint.what }
          : { kind: 'silent', what: String(error) },
      )
      const isOver = outcome.kind === 'error' && outcome.reason === 'session_unknown'
      if ((isOver || outcome.kind === 'silent' || held.session.isOver()) && holding === mine) {
        holding = undefined
        held.isLeft = true
      }
      return outcome
    } finally {
      held.calls -= 1
      closeWhenLeft(held)
    }
  }

  return {
    kind,
    canary,
    strays,
    attempt: async (call) => ({ outcome: await attempt(call) }),
    async close() {
      const last = await holding?.catch(() => undefined)
      if (last !== undefined) {
        last.isLeft = true
        closeWhenLeft(last)
      }
      await Promise.all(leaving)
    },
  }
}

/** What was lost before the call was sent has not run. */
export function beforeCall(outcome: Outcome): Outcome {
  return outcome.kind === 'lost' || outcome.kind === 'silent'
    ? { kind: 'refused', what: `no session: ${outcome.what}` }
    : outcome
}
