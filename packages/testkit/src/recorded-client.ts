import type { CallContext, Client, NotificationBody } from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'

/** A link's client that is a test: it records messages outside requests, and refuses asks unless `answer` is given. */
export interface RecordedClient extends Client {
  readonly notifications: readonly NotificationBody[]
  readonly asked: readonly ClientRequest[]
}

/** The context of the client, and its answers to questions. Default: it refuses each. */
export interface RecordedClientOptions {
  /** Default: the session `s_test` of a client at 2025-11-25 with all capabilities. */
  readonly context?: Partial<CallContext>
  readonly answer?: (request: ClientRequest) => Answer | Promise<Answer>
}

const refused: Answer = { error: { code: -32601, message: 'This client answers nothing' } }

/** Creates a client that records the notifications and the questions that it receives. */
export function recordClient({ context, answer = () => refused }: RecordedClientOptions = {}): RecordedClient {
  const notifications: NotificationBody[] = []
  const asked: ClientRequest[] = []
  return {
    notifications,
    asked,
    context: {
      tenant: 'default',
      principal: { issuer: 'local', subject: 'test', key: 'local|test' },
      session: 's_test',
      revision: '2025-11-25',
      client: { info: { name: 'test', version: '1' }, capabilities: { elicitation: {}, sampling: {}, roots: {} } },
      trace: undefined,
      ...context,
    },
    notify: (notification) => void notifications.push(notification),
    async ask(request) {
      asked.push(request)
      return await answer(request)
    },
  }
}
