import type { JsonObject } from '@junctor/jsonrpc'
import { createReceivedLog } from '../received-log.ts'
import type { OfficialClient, Question } from './official-client.ts'

/** The notifications and questions of servers: the part of a client that does not depend on the SDK's version. */
export interface Conversation extends Pick<OfficialClient, 'answer' | 'received' | 'complaints'> {
  readonly receive: (notification: { method: string; params?: unknown }) => Promise<void>
  readonly ask: (question: Question, params: unknown) => JsonObject
  readonly reportError: (error: Error) => void
}

/** Its `ask` throws for a question without an answer, so that a test must expect every question. */
export function createConversation(): Conversation {
  const log = createReceivedLog()
  const answers = new Map<Question, (params: JsonObject) => JsonObject>()
  const complaints: string[] = []
  return {
    complaints,
    reportError: (error) => void complaints.push(error.message),
    receive: ({ method, params }) =>
      Promise.resolve(log.add({ message: { method, params: (params ?? {}) as JsonObject }, stream: 'sdk' })),
    ask(question: Question, params: unknown) {
      const how = answers.get(question)
      if (how === undefined) throw new Error(`No answer is set for ${question}`)
      return how((params ?? {}) as JsonObject)
    },
    answer: (question, how) => void answers.set(question, how),
    async received(method, fits = () => true) {
      const { message } = await log.until(
        (received) => received.message['method'] === method && fits(received.message['params'] as JsonObject),
      )
      return message['params'] as JsonObject
    },
  }
}
