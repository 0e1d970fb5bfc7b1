import type { Front } from '@junctor/contracts'
import { type Profile, wireError } from '@junctor/protocol'
import type { SessionTable } from '../sessions/session/session-table.ts'
import type { DeferredAnswers } from './deferred/deferred-answers.ts'
import { errorAnswer } from './requests/text-answer.ts'

/** What decides the form of a refusal: the session of the message, and else a profile. */
export interface RefusalParts {
  readonly table: Pick<SessionTable, 'served' | 'dialectOf'>
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
    const revision = from?.session?.revision ?? from?.revision
    const spoken = from?.session === undefined ? undefined : table.dialectOf(from.session.id)
    const dialect = from?.dialect ?? spoken ?? '2.0'
    const form = { revision, dialect, profile }
    const error = wireError(situation, form, message === undefined ? {} : { message })
    const { text, status = 500 } = errorAnswer(id, error, form)
    return { status, text }
  }

  return {
    refuse,
    refuseOn(sink, situation, from, message, id) {
      const refusal = refuse(situation, from, message, id)
      const session = from.session === undefined ? undefined : table.served(from.session.id)
      deferred.refuse(session, refusal, sink)
    },
  }
}
