import { expect, it } from 'vitest'
import type { Fabric, Front } from '@junctor/contracts'
import type { Exchange } from '@junctor/exchange'
import { isJsonObject, type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { createTestBackend } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// Clients that wait for the result of the same task.

const elicit = { method: 'elicitation/create', params: payloadOf({ message: 'Sure?', requestedSchema: {} }) }

/** Two nodes, whose tool asks so many questions, and a client at both that has begun a task. */
async function start(questions = 1, through?: (fabric: Fabric) => Fabric) {
  const backends = [createTestBackend(), createTestBackend()]
  for (const { behaviour } of backends) {
    behaviour.call = async (_request, exchange: Exchange) => {
      let answers = 0
      for (let asked = 0; asked < questions; asked += 1) if ('result' in (await exchange.ask(elicit))) answers += 1
      return { kind: 'complete', result: payloadOf({ content: [], answers }) }
    }
  }
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    {},
    through,
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const here = await openClient(one, identityOf('ada'))
  const { result } = await here.request('tools/call', { name: 'one__echo', arguments: {}, task: {} }).answer()
  const { taskId } = (result as { task: { taskId: string } }).task
  return { here, there: await here.at(two), taskId }
}

const isQuestion = ({ method }: { readonly method?: string }): boolean => method === elicit.method

const ids = (waiting: ReturnType<TestClient['request']>): readonly unknown[] =>
  waiting.seen.filter(isQuestion).map(({ id }) => id)

function answer(client: TestClient, id: unknown): void {
  client.respond(id as string, { action: 'accept', content: {} })
}

it('a client that still waits gets the next questions when another that waited has left, and no question twice', async () => {
  const { here, there, taskId } = await start(2)
  const first = here.request('tasks/result', { taskId })
  await first.until(isQuestion)
  const second = there.request('tasks/result', { taskId }, 'second')
  await second.until(isQuestion)
  there.notify('notifications/cancelled', { requestId: 'second' })
  await eventually(() => expect(second.ended).toBe(true))
  answer(here, ids(first)[0])
  await eventually(() => expect(ids(first)).toHaveLength(2))
  answer(here, ids(first)[1])
  expect((await first.answer()).result).toMatchObject({ answers: 2 })
  expect(ids(first)).toHaveLength(2)
})

it('a client that comes while a question is being recorded gets it once', async () => {
  const recording = Promise.withResolvers<void>()
  const recorded = Promise.withResolvers<void>()
  const slow = (fabric: Fabric): Fabric => {
    const storeOf: Fabric['store'] = fabric.store.bind(fabric)
    const store = (name: string, ttlMs: number) => {
      const real = storeOf<JsonValue>(name, ttlMs)
      const put: typeof real.put = async (key, value, revision) => {
        if (isJsonObject(value) && value['emitted'] === true) {
          recording.resolve()
          await recorded.promise
        }
        return real.put(key, value, revision)
      }
      return { ...real, put }
    }
    return Object.assign(fabric, { store })
  }
  const { here, taskId } = await start(1, slow)
  await recording.promise
  const waiting = here.request('tasks/result', { taskId })
  // Answered after the other request is with the task.
  await here.request('tasks/get', { taskId }).answer()
  await new Promise((resolve) => setImmediate(resolve))
  recorded.resolve()
  const { id } = await waiting.until(isQuestion)
  answer(here, id)
  expect((await waiting.answer()).result).toMatchObject({ answers: 1 })
  expect(ids(waiting)).toHaveLength(1)
})
