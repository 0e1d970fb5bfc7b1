import { payloadFromText, payloadOf, requestId, type Revision } from '@junctor/plugin-sdk/link'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { StatelessCall } from './stateless-call.ts'

interface Called {
  readonly outcome: unknown
  /** The params of each round. */
  readonly sent: readonly unknown[]
}

/** A call of a server whose first answer is `first` and whose second one is complete; its client answers all questions. */
async function call(first: string, revision: Revision): Promise<Called> {
  const { context } = recordExchange().exchange
  const { exchange, asks } = recordExchange({ init: { context: { ...context, revision } } })
  const id = requestId(1)
  const sent: unknown[] = []
  const answers = [first, '{"resultType":"complete","content":[]}']
  const host = {
    backend: 'shop',
    send(started: StatelessCall, params: { value(): unknown } | undefined) {
      sent.push(params?.value())
      const result = payloadFromText(answers[sent.length - 1] ?? '{}')
      queueMicrotask(() => started.answered({ kind: 'result', dialect: '2.0', id, result }))
      return { id, cancel() {} }
    },
    related() {},
    learns: async () => false,
    lost() {},
    isOutdated: async () => false,
    finished() {},
  }
  const started = new StatelessCall(host, createRequest('tools/call', { name: 'order' }), exchange, undefined)
  started.start()
  await Promise.resolve()
  for (const ask of asks.keys()) exchange.answer(ask, { result: payloadOf({ action: 'decline' }) })
  return { outcome: await started.outcome, sent }
}

const eras = ['2025-11-25', '2026-07-28'] as const

test.each(eras)('a result with a state of null and no questions does not run the tool again (%s)', async (revision) => {
  const { outcome, sent } = await call('{"resultType":"input_required","requestState":null}', revision)
  expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('got neither') } })
  expect(sent).toHaveLength(1)
})

test.each(eras)('a state that is no text is a fault of the server (%s)', async (revision) => {
  const { outcome } = await call('{"resultType":"input_required","requestState":{"step":1}}', revision)
  const message = 'Expected requestState to be a string, got {"step":1}'
  expect(outcome).toMatchObject({ kind: 'error', error: { message } })
})

test('an answer has no state when that of the questions was null', async () => {
  const inputRequests = '{"sure":{"method":"elicitation/create","params":{"message":"Sure?"}}}'
  const first = `{"resultType":"input_required","inputRequests":${inputRequests},"requestState":null}`
  const { outcome, sent } = await call(first, '2025-11-25')
  expect(outcome).toMatchObject({ kind: 'complete' })
  expect(sent).toEqual([{ name: 'order' }, { name: 'order', inputResponses: { sure: { action: 'decline' } } }])
})
