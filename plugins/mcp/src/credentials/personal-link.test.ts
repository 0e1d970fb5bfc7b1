import type { PersonCredentials, PersonTokens } from '@junctor/credentials'
import {
  type Client,
  type JsonObject,
  type Link,
  type NotificationBody,
  type Outcome,
  payloadOf,
  type Request,
  type Scope,
} from '@junctor/plugin-sdk/link'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, it, test } from 'vitest'
import { openPersonalLink } from './personal-link.ts'

const scope = { tenant: 'default', key: 'k', capabilities: {} } as Scope
const answer: Outcome = { kind: 'complete', result: payloadOf({ content: [] }) }

/** A link of a person who agrees after it was opened, to a server that opens when the test says so. */
async function setUp() {
  const opened: PromiseWithResolvers<Link>[] = []
  const signals: AbortSignal[] = []
  const followed: (() => void)[] = []
  const received: string[] = []
  const notified: NotificationBody[] = []
  const grant: { since: number | undefined } = { since: undefined }
  const lacks: { scope: string | undefined } = { scope: undefined }
  /** The tokens of each session: whether they are of a former account, and the calls that were refused for that. */
  const sessions: { isFormer: boolean; readonly refused: WeakSet<object> }[] = []
  const createTokens = (session: { isFormer: boolean; readonly refused: WeakSet<object> }): PersonTokens => ({
    areReplaced: async () => session.isFormer,
    wereReplacedFor: (exchange) => exchange !== undefined && session.refused.has(exchange),
    current: () => 't',
    afterRefusal: async () => undefined,
    missing(exchange) {
      if (exchange !== undefined || lacks.scope === undefined) return undefined
      const told = { ...lacks }
      lacks.scope = undefined
      return told
    },
  })
  const people = {
    tokens() {
      const session = { isFormer: false, refused: new WeakSet<object>() }
      sessions.push(session)
      return createTokens(session)
    },
    watch: (changed: () => void) => {
      followed.push(changed)
      return () => {}
    },
    connectedSince: async () => grant.since,
    offer: async (_person: unknown, _label: string, wanted: string | undefined) => `https://gw.example/${wanted}`,
    offerAll: async () => 'https://gw.example/all',
  } as unknown as PersonCredentials
  const link = await openPersonalLink(
    {
      name: 'mail',
      people,
      log: createTestPluginContext().log,
      person: { tenant: 'default', principal: 'local|test' },
      scope,
      client: { notify: (notification: NotificationBody) => void notified.push(notification) } as unknown as Client,
      open(_tokens, _owner, signal) {
        const next = Promise.withResolvers<Link>()
        opened.push(next)
        signals.push(signal)
        return next.promise
      },
    },
    new AbortController().signal,
  )
  const real = {
    call: async ({ method, params }: Request) => {
      received.push(`${method} ${JSON.stringify(params?.value())}`)
      return answer
    },
    async list() {
      if (lacks.scope !== undefined) throw new Error('refused')
      return []
    },
    notify: () => {},
    close: async () => {},
    closed: new Promise(() => {}),
    server: { capabilities: {}, info: {} },
  } as unknown as Link
  /** Sets something of the session at the server. */
  const set = async (method: string, params: JsonObject): Promise<Outcome> => {
    const request = createRequest(method, params)
    return link.call(request, recordExchange({ request }).exchange)
  }
  /** The person agrees, or ends the access. */
  const change = (since: number | undefined): void => {
    grant.since = since
    for (const changed of followed) changed()
  }
  const call = (): { readonly outcome: Promise<Outcome>; readonly end: () => void } => {
    const request = createRequest('tools/call', { name: 'send' })
    const { exchange } = recordExchange({ request })
    return { outcome: Promise.resolve(link.call(request, exchange)), end: () => exchange.end('cancelled') }
  }
  /** The id of the elicitation with which a client that opens URLs is asked. */
  const asked = async (): Promise<unknown> => {
    const request = createRequest('tools/call', { name: 'send' })
    const { context } = recordExchange().exchange
    const client = { ...context.client, capabilities: { elicitation: { url: {} } } }
    const { exchange } = recordExchange({ request, init: { context: { ...context, client } } })
    const outcome = await link.call(request, exchange)
    const data = outcome.kind === 'error' ? outcome.error.data?.value() : undefined
    return (data as { elicitations: [JsonObject] }).elicitations[0]['elicitationId']
  }
  const told = (): readonly unknown[] =>
    notified.flatMap(({ method, params }) =>
      method === 'notifications/elicitation/complete' && params !== undefined
        ? (params.value() as JsonObject)['elicitationId']
        : [],
    )
  const notifiedOf = (): readonly unknown[] => notified.map(({ method, params }) => [method, params?.value()])
  return { grant, lacks, sessions, opened, signals, real, call, link, set, change, received, asked, told, notifiedOf }
}

it('opens the link to the server for all who wait, also when the first of them is cancelled', async () => {
  const { grant, opened, signals, real, call, link } = await setUp()
  grant.since = 1
  const [first, second] = [call(), call()]
  await expect.poll(() => opened.length).toBe(1)
  first.end()
  expect(signals[0]?.aborted).toBe(false)
  opened[0]?.resolve(real)
  expect(await second.outcome).toBe(answer)
  expect(opened).toHaveLength(1)
  await link.close()
})

it('says that the server cannot be reached, and tries again with the next call', async () => {
  const { grant, opened, real, call, link } = await setUp()
  grant.since = 1
  const failed = call()
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.reject(new Error('connection refused'))
  expect(await failed.outcome).toMatchObject({ kind: 'error', error: { code: -32_000 } })
  const again = call()
  await expect.poll(() => opened.length).toBe(2)
  opened[1]?.resolve(real)
  expect(await again.outcome).toBe(answer)
  await link.close()
})

it('sets at the server what the session had set there, after another grant', async () => {
  const { opened, real, link, set, change, received } = await setUp()
  // Before the first grant: for later.
  expect((await set('logging/setLevel', { level: 'error' })).kind).toBe('complete')
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.resolve(real)
  await expect.poll(() => received).toEqual(['logging/setLevel {"level":"error"}'])
  for (const uri of ['a://1', 'a://2', 'a://3']) await set('resources/subscribe', { uri })
  await set('resources/unsubscribe', { uri: 'a://2' })
  change(undefined)
  await expect.poll(async () => link.server.info['name']).toBe('mail')
  // While nobody has agreed, the server is not asked.
  expect((await set('resources/unsubscribe', { uri: 'a://3' })).kind).toBe('complete')
  received.length = 0
  change(2)
  await expect.poll(() => opened.length).toBe(2)
  opened[1]?.resolve(real)
  await expect
    .poll(() => received)
    .toEqual(['logging/setLevel {"level":"error"}', 'resources/subscribe {"uri":"a://1"}'])
  await link.close()
})

it('tells a client that its lists and subscribed resources may be others, after another grant', async () => {
  const { opened, real, link, set, change, received, notifiedOf } = await setUp()
  // The link before may have had it, and has ended.
  expect((await set('resources/subscribe', { uri: 'a://0' })).kind).toBe('error')
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.resolve(real)
  const lists = ['tools', 'resources', 'prompts'].map((kind) => [`notifications/${kind}/list_changed`, undefined])
  const updated = (uri: string) => ['notifications/resources/updated', { uri }]
  await expect.poll(notifiedOf).toEqual([...lists, updated('a://0')])
  expect(received).toEqual(['resources/subscribe {"uri":"a://0"}'])
  await set('resources/subscribe', { uri: 'a://1' })
  await set('resources/unsubscribe', { uri: 'a://0' })
  change(undefined)
  await expect.poll(() => notifiedOf().slice(4)).toEqual(lists)
  change(2)
  await expect.poll(() => opened.length).toBe(2)
  opened[1]?.resolve(real)
  await expect.poll(() => notifiedOf().slice(7)).toEqual([...lists, updated('a://1')])
  await link.close()
})

it('tells a client about the newest of its questions, however often it asked', async () => {
  const { opened, real, link, change, asked, told } = await setUp()
  const ids: unknown[] = []
  // oxlint-disable-next-line no-await-in-loop -- in order
  for (let count = 0; count < 200; count += 1) ids.push(await asked())
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.resolve(real)
  await expect.poll(told).toEqual(ids.slice(-64))
  await link.close()
})

test.each(['connected', 'listed'])('asks for the scope without which the server cannot be %s', async (what) => {
  const { grant, lacks, opened, real, link, set, change } = await setUp()
  const connect = async () => JSON.stringify(await set('tools/call', { name: 'connect' }))
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  lacks.scope = 'lists'
  if (what === 'connected') opened[0]?.reject(new Error('refused'))
  else opened[0]?.resolve(real)
  await expect.poll(async () => link.server.info['name']).toBe(what === 'connected' ? 'mail' : undefined)
  expect(await link.list('tools', new AbortController().signal)).toHaveLength(1)
  grant.since = undefined
  expect(await connect()).toContain('https://gw.example/lists')
  lacks.scope = undefined
  change(2)
  await expect.poll(() => opened.length).toBe(what === 'connected' ? 2 : 1)
  opened[1]?.resolve(real)
  await expect.poll(connect).toContain('is connected')
  await link.close()
})

test('a call over HTTP+SSE, whose requests do not name it, asks for the scope that it was refused for', async () => {
  const { lacks, opened, real, call, link, change } = await setUp()
  const error: Outcome = { kind: 'error', error: { code: -32_000, message: 'refused' } }
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  const refusal: { scope: string | undefined } = { scope: 'send' }
  opened[0]?.resolve({
    ...real,
    async call() {
      lacks.scope ??= refusal.scope
      return error
    },
  })
  await expect.poll(async () => link.server.info['name']).toBeUndefined()
  expect(JSON.stringify(await call().outcome)).toContain('https://gw.example/send')
  // A message that is of no call was refused before.
  Object.assign(refusal, { scope: undefined })
  lacks.scope = 'earlier'
  expect(await call().outcome).toBe(error)
  await link.close()
})

it('opens another session, with the settings of the former, after the person has agreed as somebody else', async () => {
  const { sessions, opened, real, link, set, change, received } = await setUp()
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  const closed = Promise.withResolvers<void>()
  opened[0]?.resolve({ ...real, close: async () => closed.resolve() })
  await expect.poll(async () => link.server.info['name']).toBeUndefined()
  await set('resources/subscribe', { uri: 'a://1' })
  // To more scopes as the same person.
  change(2)
  await set('logging/setLevel', { level: 'error' })
  expect(opened).toHaveLength(1)
  Object.assign(sessions.at(-1) ?? {}, { isFormer: true })
  received.length = 0
  change(3)
  await closed.promise
  await expect.poll(() => opened.length).toBe(2)
  opened[1]?.resolve(real)
  await expect
    .poll(() => received)
    .toEqual(['logging/setLevel {"level":"error"}', 'resources/subscribe {"uri":"a://1"}'])
  await link.close()
})

test.each([
  ['sent again', undefined, 2],
  ['sent again', 'unsent', 2],
  ['lost', 'cut', 1],
] as const)('a call for which there are tokens of another account only is %s: %s', async (what, loss, sessionCount) => {
  const { grant, sessions, opened, real, call, link } = await setUp()
  const lost: Outcome = { kind: 'error', error: { code: -32_000, message: 'lost' }, ...(loss && { loss }) }
  grant.since = 1
  const called = call()
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.resolve({
    ...real,
    async call(_request, exchange) {
      sessions.at(-1)?.refused.add(exchange)
      return lost
    },
  })
  await expect.poll(() => opened.length).toBe(sessionCount)
  opened[1]?.resolve(real)
  expect(await called.outcome).toBe(what === 'sent again' ? answer : lost)
  await link.close()
})

const lost: Outcome = { kind: 'error', error: { code: -32_000, message: 'lost' }, loss: 'cut' }

/** A link with a call under way in a session whose account is the former one, perhaps, since the person has agreed again. */
async function setUpFormer() {
  const parts = await setUp()
  const { sessions, opened, real, call, link, change } = parts
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  const [began, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<Outcome>()]
  const closed: string[] = []
  opened[0]?.resolve({
    ...real,
    async close() {
      closed.push('former')
      ending.resolve(lost)
    },
    call() {
      began.resolve()
      return ending.promise
    },
  })
  await expect.poll(async () => link.server.info['name']).toBeUndefined()
  const called = call()
  await began.promise
  Object.assign(sessions.at(-1) ?? {}, { isFormer: true })
  change(2)
  await expect.poll(() => opened.length).toBe(2)
  return { ...parts, called, ending, closed }
}

it.each([
  ['answered', answer],
  // It does not ask for what is granted.
  ['lost', lost],
])('a call under way is %s in the session of a former account, which then is closed', async (_, outcome) => {
  const { opened, real, call, link, called, ending, closed } = await setUpFormer()
  opened[1]?.resolve(real)
  expect(await call().outcome).toBe(answer)
  expect(closed).toEqual([])
  ending.resolve(outcome)
  expect(await called.outcome).toBe(outcome)
  expect(closed).toEqual(['former'])
  await link.close()
})

it.each(['the access ends', 'the link is closed'])(
  'ends a call in the session of a former account when %s',
  async (how) => {
    const { opened, real, link, change, called, closed } = await setUpFormer()
    opened[1]?.resolve(real)
    await expect.poll(async () => link.server.info['name']).toBeUndefined()
    if (how === 'the access ends') change(undefined)
    else await link.close()
    await expect.poll(() => closed).toEqual(['former'])
    await called.outcome
    await link.close()
  },
)

it('sets in the new session what was set in that of a former account while it was replaced', async () => {
  const { opened, real, link, set, change, sessions, received } = await setUp()
  change(1)
  await expect.poll(() => opened.length).toBe(1)
  const [began, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<Outcome>()]
  opened[0]?.resolve({ ...real, call: () => (began.resolve(), ending.promise) })
  await expect.poll(async () => link.server.info['name']).toBeUndefined()
  const subscribed = set('resources/subscribe', { uri: 'a://1' })
  await began.promise
  Object.assign(sessions.at(-1) ?? {}, { isFormer: true })
  change(2)
  await expect.poll(() => opened.length).toBe(2)
  opened[1]?.resolve(real)
  ending.resolve(answer)
  expect(await subscribed).toBe(answer)
  expect(received).toEqual(['resources/subscribe {"uri":"a://1"}'])
  await link.close()
})
