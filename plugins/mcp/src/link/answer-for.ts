import { type Answer, downgradeAnswer, type Request, type Revision } from '@junctor/plugin-sdk/link'

/** A client's answer to a request of a server, in the form that the server's revision has. */
export function answerFor({ method }: Request, answer: Answer, revision: Revision): Answer {
  return 'result' in answer ? { result: downgradeAnswer(method, answer.result, revision) } : answer
}
