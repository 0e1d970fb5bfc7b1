import type { Backend } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { type Payload, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import type { OfferedTools } from '@junctor/testkit'
import { createTestBackend } from './test-backend.ts'

/** The tools of the contract's backend, for `describeBackend`. */
export const contractTools: OfferedTools = {
  echo: 'echo',
  steps: 'steps',
  wait: 'wait',
  ask: 'ask',
  log: 'log',
  mirror: 'mirror',
}

type Answer = (text: string, exchange: Exchange, params: Payload) => Outcome | Promise<Outcome>

/** A backend in memory that passes `describeBackend`. Links that close end their calls. */
export function createContractBackend(): Backend {
  const { entry, behaviour } = createTestBackend()
  const gone = { kind: 'error', error: { code: -32000, message: 'gone' } } as const
  let close = Promise.withResolvers<void>()
  const answers: Readonly<Record<string, Answer>> = {
    echo: (text) => textOutcome(text),
    steps(_text, exchange) {
      for (const progress of [1, 2, 3]) if (exchange.wantsProgress) exchange.progress({ progress, total: 3 })
      return textOutcome('done')
    },
    wait: (_text, exchange) =>
      new Promise((resolve) => {
        exchange.onEnd({ ended: () => resolve(gone) })
        void close.promise.then(() => resolve(gone))
      }),
    log(text, exchange) {
      const params = payloadOf({ level: 'error', data: text })
      exchange.notify({ method: 'notifications/message', params })
      return textOutcome('logged')
    },
    async ask(text, exchange) {
      const params = payloadOf({ message: text, requestedSchema: { type: 'object', properties: {} } })
      const closed = new AbortController()
      void close.promise.then(() => closed.abort())
      const answer = await exchange.ask({ method: 'elicitation/create', params }, { signal: closed.signal })
      if ('error' in answer) return gone
      const { content } = answer.result.value() as { content: { name: string } }
      return textOutcome(content.name)
    },
    mirror: (_text, _exchange, params) => ({
      kind: 'complete',
      result: payloadFromText(`{"received":${printPayload(params)}}`),
    }),
  }
  behaviour.list = async (kind) => (kind === 'tools' ? Object.keys(answers).map((name) => payloadOf({ name })) : [])
  behaviour.closing = async () => {
    close.resolve()
    close = Promise.withResolvers()
  }
  behaviour.call = ({ method, params = payloadOf({}) }, exchange) => {
    const { name, arguments: args } = params.value() as { name: string; arguments?: { text?: string } }
    const answer = method === 'tools/call' ? answers[name] : undefined
    if (answer === undefined) return { kind: 'error', error: { code: -32601, message: 'no such thing' } }
    return answer(args?.text ?? '', exchange, params)
  }
  return entry.backend
}

function textOutcome(text: string): Outcome {
  return { kind: 'complete', result: payloadOf({ content: [{ type: 'text', text }] }) }
}
