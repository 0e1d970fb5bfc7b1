import type { Front } from '@junctor/contracts'
import { printError, printV3Error } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { wireError } from '@junctor/protocol'
import type { SessionTable } from '../sessions/session-table.ts'
import type { DeferredAnswers } from './deferred-answers.ts'

/** What decides the form of a refusal: the session of the message, and else a profile. */
export interface RefusalParts {
  readonly table: Pick<SessionTable, 'served' | 'peek'>
  readonly deferred: DeferredAnswers
  /** The profile of refusals when no tenant is known. */
  readonly profile: () => Profile
}

/** Creates the errors for messages that transports refuse, in the version and form that each client understands. */
export function createRefusals({
  table,
  deferred,
  profile: fallback,
}: RefusalParts): Pick<Front, 'refuse' | 'refuseOn'> {
  const refuse: Front['refuse'] = (situation, from, message, id) => {
    const profile = from?.identity?.tenant.profile ?? fallback()
    const revision = from?.session?.revision
    const spoken = from?.session === undefined ? undefined : table.peek(from.session.id)?.dialect
    const dialect = from?.dialect ?? spoken ?? '2.0'
    const error = wireError(situation, { revision, dialect, profile }, message === undefined ? {} : { message })
    const text = dialect === '3.0' ? printV3Error(id, error, false) : printError(id, error, profile.nullId(revision))
    return { status: error.status ?? 500, text }
  }

  return {
    refuse,
    refuseOn(sink, situation, from, message, id) {
      const refusal = refuse(situation, from, message, id)
      const session = from.session === undefined ? undefined : table.served(from.session.id)
      if (session !== undefined && deferred.refuse(session, refusal, sink)) return
      void sink.send(refusal.text, true, undefined, refusal.status)
    },
  }
}
