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
  let session: Promise<OfficialSession> | undefined
  /** What the SDK complained of last, and when. */
  let complaint: { readonly what: string; readonly at: number } | undefined
  const leaving: Promise<void>[] = []

  const complain = (what: string): void => {
    complaint = { what, at: performance.now() }
  }

  const leave = (opened: OfficialSession): void => {
    leaving.push(opened.close().catch(() => {}))
  }

  const opened = async (): Promise<OfficialSession> => {
    session ??= open(options, complain)
    const mine = session
    try {
      return await mine
    } catch (error) {
      if (session === mine) session = undefined
      throw error
    }
  }

  const attempt = async ({ id, tool, ms }: Call): Promise<Outcome> => {
    const began = performance.now()
    let current: OfficialSession
    try {
      current = await opened()
    } catch (error) {
      return beforeCall(outcomeOfRejection(error, () => ({ kind: 'refused', what: `no session: ${String(error)}` })))
    }
    const own = session
    const cancelling = new AbortController()
    const onprogress = ({ message = '' }: Progress): void => {
      if (message !== id) strays.push(`progress of "${message}" for ${id}`)
      // Now it is known to run.
      if (tool === 'abort') cancelling.abort('enough')
    }
    try {
      const { name, arguments: input } = calledTool({ id, tool, ms })
      const result = await current.call(name, input, { onprogress, signal: cancelling.signal })
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
      if ((isOver || outcome.kind === 'silent' || current.isOver()) && session === own) {
        session = undefined
        leave(current)
      }
      return outcome
    }
  }

  return {
    kind,
    canary,
    strays,
    attempt: async (call) => ({ outcome: await attempt(call) }),
    async close() {
      const last = await session?.catch(() => undefined)
      if (last !== undefined) leave(last)
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
