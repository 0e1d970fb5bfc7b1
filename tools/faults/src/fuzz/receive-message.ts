import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { idText } from '../storm/clients/results.ts'
import type { FuzzCall } from './fuzz-ledger.ts'
import { rightText } from './judge-answer.ts'
import { isGone, recordMessage, type OpenSession } from './open-session.ts'

/** How long a client tries to answer a question, and the pause between two attempts, in milliseconds. */
const replyMs = 20_000
const pauseMs = 100

/** Records an answer, on every connection of the session, and answers a question. */
export function receiveMessage(at: OpenSession, message: JsonObject): void {
  if (message['method'] === undefined || message['id'] === undefined) recordMessage(at.session, message)
  else void answerQuestion(at, message)
}

/** What a client answers to the question about a call. */
export function replyTo(call: FuzzCall): JsonObject {
  return { role: 'assistant', model: 'fuzz', content: { type: 'text', text: rightText(call) } }
}

/** The call of this session that a question is about. */
export function callAskedAbout({ session }: OpenSession, question: JsonObject): FuzzCall | undefined {
  const text = JSON.stringify(question['params'])
  return session.calls.find(({ name }) => text.includes(`\\n${name}"`))
}

/** Answers at the nodes in turn, until one has the answer. Never rejects. */
async function answerQuestion(at: OpenSession, question: JsonObject): Promise<void> {
  const { session, nodes } = at
  const call = callAskedAbout(at, question)
  if (call?.replyAt === undefined) return void session.foreign.push(`question ${idText(question['id'])}`)
  await after(call.ms)
  const deadline = performance.now() + replyMs
  // A node that leaves takes no more requests of a session, and still takes answers.
  for (
    let node = call.replyAt;
    session.ended === undefined && performance.now() < deadline;
    node = (node + 1) % nodes
  ) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const { status } = await at.send(node, { id: question['id'] ?? null, result: replyTo(call) })
    if (status === undefined ? nodes === 1 && isGone(session) : status < 500) return
    await after(pauseMs)
    // oxlint-enable no-await-in-loop
  }
}
