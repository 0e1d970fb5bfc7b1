import type { AttemptOutcome } from '../storm/ledger/outcome.ts'
import type { FuzzAnswer, FuzzCall, FuzzOutage, FuzzSession } from './fuzz-ledger.ts'
import { homesAt, isHomeMissed, isNodeAway, outagesIn, type Span, wasKilled } from './outages.ts'

/** The steps of a call whose stream is resumed. */
export const resumedSteps = 8

/** The text of a call's tool: it has waited, or repeats what its client has answered. */
export function rightText({ name, ms, replyAt, steps }: FuzzCall): string {
  if (steps !== undefined) return `Took ${resumedSteps} steps`
  return replyAt === undefined ? `Did nothing for ${ms} ms` : `The text of ${name}`
}

/** Reasons that mean that a request was refused because its session is over. */
const unknownSession: ReadonlySet<string> = new Set(['session_unknown', 'session_missing', 'unknown_session'])

/** Whether an error means that nothing was done, and that the call may be retried, in the same session or the next. */
export function isTurnedAway(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'error' && (outcome.retryable || unknownSession.has(outcome.reason))
}

/** What is wrong with an answer, as text. */
export function judgeAnswer(
  session: FuzzSession,
  call: FuzzCall,
  { at, outcome }: FuzzAnswer,
  outages: readonly FuzzOutage[],
  nodes: number,
): string | undefined {
  const { kind, isLeft, status, job, began } = call
  if (outcome.kind === 'result') {
    const isRight = job !== undefined || outcome.text === rightText(call)
    return isRight ? undefined : `answered with ${JSON.stringify(outcome.text)}`
  }
  // A client that cancels, or ends the session, may get such an answer.
  if (isLeft || outcome.kind !== 'error' || (session.ended !== undefined && session.ended <= at)) return undefined
  const words = `answered with ${outcome.code} ${outcome.reason} ${outcome.message}`
  if (kind === 'queue' && status === 202) return `accepted, and ${words}`
  if (session.unknown !== undefined && unknownSession.has(outcome.reason)) return undefined
  const span: Span = { began, ended: at }
  const during = outagesIn(span, outages)
  if (isTurnedAway(outcome) && isHomeMissed(session, span, outages, nodes)) return undefined
  if (during.length === 0) return `${words} though nothing was away`
  if (isTurnedAway(outcome) || status === 404) return undefined
  const homes = new Set([call.node, ...homesAt(session, outages, nodes, at)])
  if (during.some((outage) => wasKilled(outage, homes))) return undefined
  // A node that is cut off from the session's home does not know what happened to the session.
  const isHere = homes.size === 1
  if (during.some(({ how }) => how === 'nats') && !isHere) return undefined
  return `${words}, at home at ${[...homes].join(' or ')}, ${isNodeAway(call.node, span, outages) ? 'while its node went' : 'and its node stayed'}`
}
