import { isFinalState } from '../storm/ledger/final-states.ts'
import { labelOf, type AttemptOutcome } from '../storm/ledger/outcome.ts'
import type { FuzzCall, FuzzForgotten, FuzzLedger, FuzzOutage, FuzzRepeat, FuzzSession } from './fuzz-ledger.ts'
import { isTurnedAway, judgeAnswer, rightText } from './judge-answer.ts'
import { homesAt, homesOf, isHomeMissed, isNatsAway, isNodeAway, outagesIn } from './outages.ts'

/** The broken promises, as texts. Empty when all were kept. */
export function judgeFuzz({ sessions, outages, crashes, left, codes }: FuzzLedger): readonly string[] {
  return [
    ...crashes,
    ...outages.flatMap(judgeOutage),
    ...sessions.flatMap((session) => judgeSession(session, outages, codes.length)),
    ...left,
    ...codes.flatMap((code, node) => (code === 0 ? [] : [`in the end node ${node} ended with ${code ?? 'SIGKILL'}`])),
  ]
}

function judgeOutage(outage: FuzzOutage): readonly string[] {
  const began = Math.round(outage.began)
  if (outage.how === 'nats') {
    return outage.stayedAway.map((node) => `node ${node} did not reconnect to NATS, killed at ${began} ms, in time`)
  }
  if (outage.how !== 'terminate' || outage.code === 0) return []
  return [`node ${outage.node} ended with ${outage.code ?? 'SIGKILL'} after SIGTERM at ${began} ms`]
}

/**
 * Whether the answer to an accepted call is still due in this session.
 *
 * @param nodes the number of nodes
 */
export function mustAnswer(
  session: FuzzSession,
  call: FuzzCall,
  outages: readonly FuzzOutage[],
  nodes: number,
): boolean {
  if (call.kind !== 'queue' || call.status !== 202 || call.isLeft || session.ended !== undefined) return false
  // A saas client was promised no more than one replay on connections that it closed before it had read them; others
  // none.
  const allowed = session.kind === 'saas' ? 1 : 0
  return session.cursorless <= allowed && !homesOf(session, outages, nodes).isLost
}

function judgeSession(session: FuzzSession, outages: readonly FuzzOutage[], nodes: number): readonly string[] {
  const { id, kind, client, node, began, ended, unknown, unknownTo = 'its stream', forgotten, foreign, calls } = session
  const name = `${kind} session ${id.slice(0, 12)} of client ${client}, opened at node ${node} at ${Math.round(began)} ms`
  return [
    ...(unknown !== undefined && unknown < (ended ?? Infinity) && !mayEnd(session, unknown, outages, nodes)
      ? [`${name}, was not known at ${Math.round(unknown)} ms (${unknownTo})`]
      : []),
    ...foreign.map((request) => `${name}, got the answer to ${request}, which it had not sent`),
    ...forgotten
      .filter((each) => !homesOf(session, outages, nodes, each.ended).isLost)
      .map((each) => `${name}, ${wordsOfForgotten(each)}`),
    ...calls.flatMap((call) => judgeCall(session, call, outages, nodes).map((what) => `${name}, ${what}`)),
  ]
}

function wordsOfForgotten({ node, cursor, body, began, ended }: FuzzForgotten): string {
  const times = `from ${Math.round(began)} to ${Math.round(ended)} ms`
  return `was not resumed: its place ${cursor} was not known at node ${node}, ${times}: ${body}`
}

/**
 * A home that shuts down hands over the sessions with accepted calls, and ends the others. A session on NATS ends with
 * the connection of its client or its node, too.
 */
function mayEnd(session: FuzzSession, unknown: number, outages: readonly FuzzOutage[], nodes: number): boolean {
  if (session.kind === 'bus' && isNatsAway({ began: unknown, ended: unknown }, outages)) return true
  const { isLost, isMoved } = homesOf(session, outages, nodes, unknown)
  // A cancelled call ends with 202, too, which promises nothing.
  const awaitsAnswers = session.calls.some(
    ({ kind, status, ended = Infinity }) => kind === 'queue' && status === 202 && ended < unknown,
  )
  return isLost || (isMoved && !awaitsAnswers)
}

function judgeCall(
  session: FuzzSession,
  call: FuzzCall,
  outages: readonly FuzzOutage[],
  nodes: number,
): readonly string[] {
  const { name, kind, answers, began, ended } = call
  const most = session.kind === 'saas' && session.cursorless + session.forgotten.length > 0 ? 2 : 1
  const times = `from ${Math.round(began)} to ${Math.round(ended ?? began)} ms`
  const subject = `${kind} call ${name} at node ${call.node} ${times}`
  const faults = answers.length > most ? [`${answers.length} answers, expected at most ${most}`] : []
  if (answers.length === 0 && mustAnswer(session, call, outages, nodes)) faults.push('accepted and never answered')
  if (isCut(session, call, outages))
    faults.push(`its connection was lost though its node did not go: ${call.failure ?? ''}`)
  for (const at of call.restarts ?? []) {
    if (!outagesIn({ began, ended: at }, outages).some(({ how }) => how !== 'nats'))
      faults.push('its state was not known')
  }
  if (mustRespond(call) && answers.length === 0 && !isForgotten(session, call, outages, nodes))
    faults.push(`its stream ended without an answer ${call.failure ?? ''}`)
  if (call.steps?.some((step, index) => step !== index + 1) === true) faults.push(`its steps are ${call.steps.join()}`)
  for (const answer of answers) {
    const wrong = judgeAnswer(session, call, answer, outages, nodes)
    if (wrong !== undefined) faults.push(wrong)
  }
  faults.push(...judgeStatus(session, call, outages, nodes), ...judgeJob(session, call, outages))
  for (const repeat of call.repeats ?? []) faults.push(...judgeRepeat(session, call, repeat, outages, nodes))
  return faults.map((fault) => `${subject}: ${fault}`)
}

/** Whether a request lost its connection although the node that it was sent to stayed. */
function isCut(session: FuzzSession, call: FuzzCall, outages: readonly FuzzOutage[]): boolean {
  if (call.status !== undefined || call.isLeft || session.ended !== undefined) return false
  const isAway = (node: number): boolean => isNodeAway(node, call, outages)
  if (session.kind === 'socket') return !isAway(session.node)
  if (session.kind === 'bus') return !isAway(session.node) && !isNatsAway(call, outages)
  return !isAway(call.node) && !(session.kind === 'events' && isAway(session.node))
}

/** Whether the stream of a request was lost with a node, or ended with the session, while its client had left it. */
function isForgotten(session: FuzzSession, call: FuzzCall, outages: readonly FuzzOutage[], nodes: number): boolean {
  if (call.steps === undefined) return false
  const { ended: until = Infinity } = call
  if (session.ended !== undefined && session.ended < until) return true
  const homes = homesAt(session, outages, nodes, until)
  return [call.node, ...homes].some((node) => isNodeAway(node, call, outages))
}

/** Whether the answer of a request with a stream is due on that stream. */
function mustRespond({ kind, status, isLeft, job }: FuzzCall): boolean {
  return kind !== 'queue' && status === 200 && !isLeft && job === undefined
}

/** A request may be refused only during an outage, or in a session that is over; and only with a status for that. */
function judgeStatus(
  session: FuzzSession,
  call: FuzzCall,
  outages: readonly FuzzOutage[],
  nodes: number,
): readonly string[] {
  const { status, kind, isLeft, failure = '' } = call
  if (status === undefined || isLeft || status === (kind === 'queue' ? 202 : 200)) return []
  // A node that stood still for longer than a request may take to arrive has not read it: the client may repeat it.
  const stood = outagesIn(call, outages).some((outage) => outage.how === 'pause' && outage.node === call.node)
  if (status === 408 && stood) return []
  if (status !== 404 && status !== 503) return [`answered with the status ${status}: ${failure}`]
  // A client continues to send until it learns that its session is over.
  const isOver = session.ended !== undefined || session.unknown !== undefined
  if ((isOver && status === 404) || outagesIn(call, outages).length > 0) return []
  if (status === 503 && isHomeMissed(session, call, outages, nodes)) return []
  return [`refused with ${status} though nothing was away: ${failure}`]
}

/** A repeat with the same key is the same job. */
function judgeRepeat(
  session: FuzzSession,
  { job: first = '' }: FuzzCall,
  repeat: FuzzRepeat,
  outages: readonly FuzzOutage[],
  nodes: number,
): readonly string[] {
  const { node, began, ended, job, request } = repeat
  const times = `at node ${node} from ${Math.round(began)} to ${Math.round(ended)} ms`
  if (job !== undefined) return job === first ? [] : [`its repeat ${times} is another job, ${job} and not ${first}`]
  const isOver = session.ended !== undefined || session.unknown !== undefined
  const mayFail = outagesIn(repeat, outages).length > 0 || isHomeMissed(session, repeat, outages, nodes)
  return isOver || mayFail ? [] : [`its repeat ${times} is no job (${request})`]
}

/** An accepted job is done in every outage: its tool may run again. Its result is the same for every reader. */
function judgeJob(session: FuzzSession, call: FuzzCall, outages: readonly FuzzOutage[]): readonly string[] {
  const { job, end, isLeft, questions, unread } = call
  if (job === undefined) return []
  const name = `job ${job}`
  if (end === undefined) return [`${name} was not over in the end (${unread ?? 'not read'})`]
  const faults: string[] = []
  const expected = isDone(end.state) ? rightText(call) : 'cancelled'
  if (!isDone(end.state) && !(isLeft && end.state === 'cancelled')) faults.push(`${name} is ${end.state} in the end`)
  if (wordsOf(end.outcome) !== expected) faults.push(`${name}, ${end.state}, came to ${wordsOf(end.outcome)}`)
  for (const question of questions) {
    const { about, node, answer, began, ended, request } = question
    const times = `from ${Math.round(began)} to ${Math.round(ended)} ms`
    const asked = `${name}, asked for its ${about} at node ${node} ${times} (${request})`
    if (answer === undefined || 'outcome' in answer) {
      const outcome = answer?.outcome
      // The result; a job that is over cannot be cancelled.
      if (outcome !== undefined && about === 'result' && wordsOf(outcome) === expected) continue
      if (about === 'end' && outcome?.kind === 'error' && outcome.reason === 'invalid_params') continue
      const isOver = session.ended !== undefined || session.unknown !== undefined
      const mayFail = outagesIn(question, outages).length > 0 && (outcome === undefined || isTurnedAway(outcome))
      if (!isOver && !mayFail)
        faults.push(`${asked}: ${wordsOf(outcome)}; it was over at ${Math.round(end.updated)} ms`)
    } else if (isFinalState(answer.state) && answer.state !== end.state) {
      faults.push(`${asked}: it was ${answer.state}, and is ${end.state} in the end`)
    }
  }
  return faults
}

function isDone(state: string): boolean {
  return state === 'completed' || state === 'succeeded'
}

function wordsOf(outcome: AttemptOutcome | undefined): string {
  if (outcome === undefined) return 'nothing'
  return outcome.kind === 'result' ? outcome.text : labelOf(outcome)
}
