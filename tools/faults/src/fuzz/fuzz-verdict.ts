import type { FuzzCall, FuzzLedger, FuzzOutage, FuzzSession } from './fuzz-ledger.ts'

/** A connection that was kept may be found to be broken a little after its node is there again. In milliseconds. */
const slackMs = 2_000

/** What was promised and not kept, in words. Empty: all was kept. */
export function judgeFuzz({ sessions, outages, crashes, left, codes }: FuzzLedger): readonly string[] {
  return [
    ...crashes,
    ...outages.flatMap(({ node, how, code }) =>
      how === 'terminate' && code !== 0 ? [`node ${node} ended with ${code ?? 'SIGKILL'} after SIGTERM`] : [],
    ),
    ...sessions.flatMap((session) => judgeSession(session, outages)),
    ...left,
    ...codes.flatMap((code, node) => (code === 0 ? [] : [`in the end node ${node} ended with ${code ?? 'SIGKILL'}`])),
  ]
}

/** Whether a session may be gone with a node that was killed: where it was opened, or, once nodes were asked to end, any. */
function mayBeKilled(session: FuzzSession, outages: readonly FuzzOutage[]): boolean {
  const during = outages.filter(({ ended }) => ended > session.began)
  const moved = during.find(({ how }) => how === 'terminate')?.began ?? Infinity
  // One that did not end in time was killed as well.
  return during.some(
    ({ how, code, node, began }) => (how === 'kill' || code === null) && (node === session.node || began >= moved),
  )
}

/** Whether an answer that was accepted still has to come in this session. */
export function mustAnswer(session: FuzzSession, call: FuzzCall, outages: readonly FuzzOutage[]): boolean {
  if (call.kind !== 'queue' || call.status !== 202 || call.isLeft || session.ended !== undefined) return false
  // Shown twice to connections that the client left before it had read them is all that was promised to saas; once to others.
  const allowed = session.tenant === 'saas' ? 1 : 0
  return session.cursorless <= allowed && !mayBeKilled(session, outages)
}

function judgeSession(session: FuzzSession, outages: readonly FuzzOutage[]): readonly string[] {
  const { id, tenant, client, node, began, ended, unknown, forgotten, calls } = session
  const name = `${tenant} session ${id.slice(0, 12)} of client ${client}, opened at node ${node} at ${Math.round(began)} ms`
  const isKilled = mayBeKilled(session, outages)
  return [
    ...(unknown !== undefined && unknown < (ended ?? Infinity) && !isKilled && !mayEnd(session, unknown, outages)
      ? [`${name}, was not known at ${Math.round(unknown)} ms`]
      : []),
    ...(forgotten > 0 && !isKilled ? [`${name}, was not resumed ${forgotten} times: its place was not known`] : []),
    ...calls.flatMap((call) => judgeCall(session, call, outages).map((what) => `${name}, ${what}`)),
  ]
}

/** A home that is asked to end hands on the sessions in which it has accepted calls, and ends the others. */
function mayEnd({ began, calls }: FuzzSession, unknown: number, outages: readonly FuzzOutage[]): boolean {
  const isOwed = calls.some(({ status, ended = Infinity }) => status === 202 && ended < unknown)
  return !isOwed && outages.some((outage) => outage.ended > began && outage.began < unknown)
}

function judgeCall(session: FuzzSession, call: FuzzCall, outages: readonly FuzzOutage[]): readonly string[] {
  const { id, kind, answers, status, state, task } = call
  const most = session.tenant === 'saas' && session.cursorless + session.forgotten > 0 ? 2 : 1
  const said = `${kind} call ${id} at node ${call.node}`
  const faults = answers > most ? [`${said}: ${answers} answers, expected at most ${most}`] : []
  if (answers === 0 && mustAnswer(session, call, outages)) faults.push(`${said}: accepted and never answered`)
  if (status === undefined && !call.isLeft && !isDisturbed(call, outages)) {
    faults.push(`${said}: its connection was lost though no node went`)
  }
  if (kind === 'inline' && status === 200 && answers === 0 && mustRespond(session, call, outages)) {
    faults.push(`${said}: its stream ended without an answer`)
  }
  if (task !== undefined && state === undefined) faults.push(`${said}: the task was not over in the end`)
  return faults
}

function mustRespond(session: FuzzSession, call: FuzzCall, outages: readonly FuzzOutage[]): boolean {
  return !call.isLeft && !isDisturbed(call, outages) && session.ended === undefined
}

/** Whether a node went, or was on its way back, while the call was under way. */
function isDisturbed({ began, ended = Infinity }: FuzzCall, outages: readonly FuzzOutage[]): boolean {
  return outages.some((outage) => began < outage.ended + slackMs && ended > outage.began)
}
