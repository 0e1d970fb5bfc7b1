import type { Backend, Link, Scope } from '@junctor/contracts'
import type { Client, ExchangeEvent, Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonObject, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { recordClient } from './recorded-client.ts'
import { createRequest, recordExchange, type RecordedExchange } from './recorded-exchange.ts'

/** A backend under test, and how to clear up what it does not own itself. */
export interface BackendUnderTest {
  readonly backend: Backend
  /** Called after each test, when links and backend are closed: nothing may be left then. */
  dispose?(): Promise<void>
}

/** The names of tools that behave as described. What a backend cannot do is left out, and not tested. */
export interface OfferedTools {
  /** Answers with its argument `text` as a text. */
  readonly echo: string
  /** Tells of the progress 1, 2 and 3 in this order, then answers. */
  readonly steps?: string
  /** Answers when it is cancelled, or never. */
  readonly wait?: string
  /** Asks for a form with its argument `text` as the message, and answers with the member `name` of it as a text. */
  readonly ask?: string
  /** Logs its argument `text`, then answers. */
  readonly log?: string
  /** Answers with a member `received`: its params, letter by letter. */
  readonly mirror?: string
}

/** What every implementation of `Backend` does. Each test has a backend of its own. */
export function describeBackend(
  name: string,
  tools: OfferedTools,
  create: () => BackendUnderTest | Promise<BackendUnderTest>,
): void {
  describe(`${name} is a backend`, () => {
    let subject: BackendUnderTest
    const opened: Link[] = []

    beforeEach(async () => {
      subject = await create()
    })

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((link) => link.close()))
      await subject.backend.close()
      await subject.dispose?.()
    })

    const open: Open = async (session = 's_test', client = recordClient()) => {
      const link = await subject.backend.open(scopeOf(session, client), client, new AbortController().signal)
      opened.push(link)
      return link
    }

    test('a link knows its server', async () => {
      const { server } = await open()
      expect(server.revision).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(server.capabilities).toHaveProperty('tools')
      expect(typeof server.info).toBe('object')
    })

    test('every kind of list is complete or empty, and never fails', async () => {
      const link = await open()
      const { signal } = new AbortController()
      const listed = await Promise.all(
        (['tools', 'resources', 'resourceTemplates', 'prompts'] as const).map((kind) => link.list(kind, signal)),
      )
      const names = listed[0]?.map((tool) => (tool.value() as { name: string }).name)
      expect(names).toEqual(expect.arrayContaining(Object.values(tools)))
    })

    test('a call is answered', async () => {
      const link = await open()
      expect(said(await call(link, tools.echo, { text: 'hello' }).outcome)).toBe('hello')
    })

    test('calls at the same time get their own answers', async () => {
      const link = await open()
      const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
      const outcomes = await Promise.all(texts.map((text) => call(link, tools.echo, { text }).outcome))
      expect(outcomes.map(said)).toEqual(texts)
    })

    test('an unknown tool is an error, and harms nothing', async () => {
      const link = await open()
      const outcome = await call(link, 'no-such-tool', {}).outcome
      expect(isRefusal(outcome)).toBe(true)
      expect(said(await call(link, tools.echo, { text: 'still there' }).outcome)).toBe('still there')
    })

    test('an unknown method is an error', async () => {
      const link = await open()
      const { exchange } = recordExchange()
      expect(await link.call(createRequest('no/such/method'), exchange)).toMatchObject({ kind: 'error' })
    })

    test('closing ends a link: it resolves `closed` without an error, twice is once, and calls are refused', async () => {
      const link = await open()
      await Promise.all([link.close(), link.close()])
      await expect(link.closed).resolves.toBeUndefined()
      expect(await call(link, tools.echo, { text: 'late' }).outcome).toMatchObject({ kind: 'error' })
    })

    test('two links are two: closing one leaves the other', async () => {
      const [one, other] = [await open('s_one'), await open('s_other')]
      await one.close()
      expect(said(await call(other, tools.echo, { text: 'here' }).outcome)).toBe('here')
    })

    test('an open that is not wanted any more is no link', async () => {
      const client = recordClient()
      const aborted = AbortSignal.abort(new Error('not wanted'))
      const opening = subject.backend.open(scopeOf('s_test', client), client, aborted)
      // A backend that needs no time may be faster than the signal.
      const link = await opening.catch((error: unknown) => error)
      await (link as Partial<Link>).close?.()
      expect(link).toBeDefined()
    })

    if (tools.wait !== undefined) testWaiting(open, tools.echo, tools.wait)
    if (tools.steps !== undefined) testSteps(open, tools.steps)
    if (tools.log !== undefined) testLog(open, tools.echo, tools.log)
    if (tools.ask !== undefined) testAsk(open, tools.ask)
    if (tools.mirror !== undefined) testMirror(open, tools.mirror)
  })
}

type Open = (session?: string, client?: Client) => Promise<Link>

function testWaiting(open: Open, echo: string, wait: string): void {
  test('a cancelled call is settled at once, and the link goes on', async () => {
    const link = await open()
    const waiting = call(link, wait, {})
    await call(link, echo, { text: 'before' }).outcome
    waiting.exchange.end('cancelled')
    expect(await waiting.outcome).toMatchObject({ kind: 'error' })
    waiting.exchange.end('deadline')
    expect(said(await call(link, echo, { text: 'after' }).outcome)).toBe('after')
  })

  test('a call whose exchange has ended before it is not run', async () => {
    const link = await open()
    const recorded = recordExchange()
    recorded.exchange.end('cancelled')
    expect(await run(link, recorded, wait, {}).outcome).toMatchObject({ kind: 'error' })
  })

  test('closing a link settles what is pending on it', async () => {
    const link = await open()
    const waiting = call(link, wait, {})
    await call(link, echo, { text: 'before' }).outcome
    await link.close()
    expect(await waiting.outcome).toMatchObject({ kind: 'error' })
  })
}

function testSteps(open: Open, steps: string): void {
  test('progress comes in order and before the result', async () => {
    const link = await open()
    const recorded = recordExchange({ init: { wantsProgress: true } })
    const { outcome } = run(link, recorded, steps, {})
    recorded.exchange.settle(await outcome)
    expect(recorded.events.map(told)).toEqual([1, 2, 3, 'outcome'])
  })

  test('progress that nobody wants is not told', async () => {
    const link = await open()
    const calling = call(link, steps, {})
    await calling.outcome
    expect(calling.events).toEqual([])
  })
}

function testLog(open: Open, echo: string, log: string): void {
  test('a log message reaches its own client', async () => {
    const [one, other] = [recordClient(), recordClient()]
    const links = [await open('s_one', one), await open('s_other', other)] as const
    const calling = call(links[0], log, { text: 'for one' })
    await calling.outcome
    await call(links[1], echo, { text: 'done' }).outcome
    await eventually(() => expect(logged(calling.events, one)).toEqual(['for one']))
    expect(logged([], other)).toEqual([])
  })
}

function testAsk(open: Open, ask: string): void {
  test('a question is asked and its answer used', async () => {
    const link = await open()
    const calling = call(link, ask, { text: 'Who are you?' })
    await answerAsk(calling, 'Who are you?', 'Ada')
    expect(said(await calling.outcome)).toBe('Ada')
  })

  test('closing a link takes its open questions back', async () => {
    const link = await open()
    const calling = call(link, ask, { text: 'Still there?' })
    await eventually(() => expect(calling.asks.size).toBe(1))
    await link.close()
    await eventually(() => expect(calling.asks.size).toBe(0))
    expect(await calling.outcome).toMatchObject({ kind: 'error' })
  })

  test('questions of two clients do not meet', async () => {
    const names = ['one', 'two', 'three', 'four']
    const calls = await Promise.all(
      names.map(async (session) => call(await open(`s_${session}`), ask, { text: `of ${session}` })),
    )
    await Promise.all(calls.map((calling, index) => answerAsk(calling, `of ${names[index]}`, `I am ${names[index]}`)))
    const outcomes = await Promise.all(calls.map(({ outcome }) => outcome))
    expect(outcomes.map(said)).toEqual(names.map((session) => `I am ${session}`))
  })
}

function testMirror(open: Open, mirror: string): void {
  test('members that nobody knows and numbers that no double can hold come through', async () => {
    const link = await open()
    const params = `{"name":${JSON.stringify(mirror)},"x-new":[1.0,-0],"arguments":{"n":9007199254740993}}`
    const { exchange } = recordExchange()
    const request = { ...createRequest('tools/call'), params: payloadFromText(params) }
    const outcome = await link.call(request, exchange)
    expect(printPayload(resultOf(outcome))).toContain(`"received":${params}`)
  })
}

/** A call under way. */
interface Calling extends RecordedExchange {
  readonly outcome: Promise<Outcome>
}

function call(link: Link, tool: string, args: JsonObject): Calling {
  return run(link, recordExchange(), tool, args)
}

function run(link: Link, recorded: RecordedExchange, tool: string, args: JsonObject): Calling {
  const request = createRequest('tools/call', { name: tool, arguments: args })
  return { ...recorded, outcome: Promise.resolve(link.call(request, recorded.exchange)) }
}

function scopeOf(session: string, client: Client): Scope {
  const { tenant, principal, client: about } = client.context
  return { tenant, principal: principal.key, session, capabilities: about.capabilities, key: `session ${session}` }
}

/** Answers the one question of a call, which must be the expected one. */
async function answerAsk({ events, exchange }: Calling, message: string, name: string): Promise<void> {
  const asked = await eventually(() => {
    const [event] = events.filter(({ kind }) => kind === 'ask')
    expect(event).toBeDefined()
    return event as Extract<ExchangeEvent, { kind: 'ask' }>
  })
  expect(asked.request.method).toBe('elicitation/create')
  expect(asked.request.params?.value()).toMatchObject({ message })
  exchange.answer(asked.id, { result: payloadOf({ action: 'accept', content: { name } }) })
}

/** The text of a tool's answer; any other outcome as it is, to be seen in a failure. */
function said(outcome: Outcome): unknown {
  const result = resultOf(outcome).value()
  const content = isJsonObject(result) ? result['content'] : undefined
  const text = Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : undefined
  return text ?? outcome
}

function resultOf(outcome: Outcome): ReturnType<typeof payloadOf> {
  return outcome.kind === 'complete' ? outcome.result : payloadOf(null)
}

/** An error, or a result that says that it is one. */
function isRefusal(outcome: Outcome): boolean {
  const result = resultOf(outcome).value()
  return outcome.kind === 'error' || (isJsonObject(result) && result['isError'] === true)
}

function told(event: ExchangeEvent): unknown {
  return event.kind === 'progress' ? event.progress.progress : event.kind
}

/** The texts of log messages that an exchange or its link's client has seen. */
function logged(
  events: readonly ExchangeEvent[],
  client: { readonly notifications: readonly { method: string; params: unknown }[] },
): unknown[] {
  const own = events.flatMap((event) => (event.kind === 'notification' ? [event.notification] : []))
  return [...own, ...client.notifications]
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => ((params as { value(): unknown }).value() as { data: unknown }).data)
}
