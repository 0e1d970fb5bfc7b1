import type { Backend, Link, Scope } from '@junctor/contracts'
import type { Client, ExchangeEvent, Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonObject, memberOf, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { recordClient } from './recorded-client.ts'
import { createRequest, recordExchange, type RecordedExchange } from './recorded-exchange.ts'

/** A backend under test, and the cleanup of what it does not own itself. */
export interface BackendUnderTest {
  readonly backend: Backend
  /** Called after each test, when links and backend are closed: nothing must be left then. */
  dispose?(): Promise<void>
}

/** The names of tools with the described behaviour. Leave out what a backend cannot do: it is not tested. */
export interface OfferedTools {
  /** Answers with its argument `text` as a text. */
  readonly echo: string
  /** Reports the progress 1, 2 and 3 in this order, then answers. */
  readonly steps?: string
  /** Never answers, unless it is cancelled. */
  readonly wait?: string
  /** Asks for a form with its argument `text` as the message, and answers with the form's member `name` as a text. */
  readonly ask?: string
  /** Logs its argument `text`, then answers. */
  readonly log?: string
  /** Answers with a member `received`: its params, character for character. */
  readonly mirror?: string
}

/** The contract suite for implementations of `Backend`. Each test has its own backend. */
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

    test('a link has the info of its server', async () => {
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
      expect(textOf(await call(link, tools.echo, { text: 'hello' }).outcome)).toBe('hello')
    })

    test('calls at the same time get their own answers', async () => {
      const link = await open()
      const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
      const outcomes = await Promise.all(texts.map((text) => call(link, tools.echo, { text }).outcome))
      expect(outcomes.map(textOf)).toEqual(texts)
    })

    test('an unknown tool is an error, and affects nothing else', async () => {
      const link = await open()
      const outcome = await call(link, 'no-such-tool', {}).outcome
      expect(isRefusal(outcome)).toBe(true)
      expect(textOf(await call(link, tools.echo, { text: 'still there' }).outcome)).toBe('still there')
    })

    test('an unknown method is an error', async () => {
      const link = await open()
      const { exchange } = recordExchange()
      expect(await link.call(createRequest('no/such/method'), exchange)).toMatchObject({ kind: 'error' })
    })

    test('closing ends a link: `closed` resolves without an error, a second close is ignored, and calls are refused', async () => {
      const link = await open()
      await Promise.all([link.close(), link.close()])
      await expect(link.closed).resolves.toBeUndefined()
      expect(await call(link, tools.echo, { text: 'late' }).outcome).toMatchObject({ kind: 'error' })
    })

    test('two links are independent: closing one does not affect the other', async () => {
      const [one, other] = [await open('s_one'), await open('s_other')]
      await one.close()
      expect(textOf(await call(other, tools.echo, { text: 'here' }).outcome)).toBe('here')
    })

    test('an open whose signal aborts gives no link', async () => {
      const client = recordClient()
      const aborted = AbortSignal.abort(new Error('not wanted'))
      const opening = subject.backend.open(scopeOf('s_test', client), client, aborted)
      // A fast backend may open the link before the signal aborts.
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
  test('a cancelled call is settled immediately, and the link continues', async () => {
    const link = await open()
    const waiting = call(link, wait, {})
    await call(link, echo, { text: 'before' }).outcome
    waiting.exchange.end('cancelled')
    expect(await waiting.outcome).toMatchObject({ kind: 'error' })
    waiting.exchange.end('deadline')
    expect(textOf(await call(link, echo, { text: 'after' }).outcome)).toBe('after')
  })

  test('a call whose exchange has already ended is not run', async () => {
    const link = await open()
    const recorded = recordExchange()
    recorded.exchange.end('cancelled')
    expect(await run(link, recorded, wait, {}).outcome).toMatchObject({ kind: 'error' })
  })

  test('closing a link settles its pending calls', async () => {
    const link = await open()
    const waiting = call(link, wait, {})
    await call(link, echo, { text: 'before' }).outcome
    await link.close()
    expect(await waiting.outcome).toMatchObject({ kind: 'error' })
  })
}

function testSteps(open: Open, steps: string): void {
  test('progress arrives in order and before the result', async () => {
    const link = await open()
    const recorded = recordExchange({ init: { wantsProgress: true } })
    const { outcome } = run(link, recorded, steps, {})
    recorded.exchange.settle(await outcome)
    expect(recorded.events.map(progressOf)).toEqual([1, 2, 3, 'outcome'])
  })

  test('progress is not sent when the caller does not want it', async () => {
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
  test('an ask reaches the client, and its answer is used', async () => {
    const link = await open()
    const calling = call(link, ask, { text: 'Who are you?' })
    await answerAsk(calling, 'Who are you?', 'Ada')
    expect(textOf(await calling.outcome)).toBe('Ada')
  })

  test('closing a link withdraws its open asks', async () => {
    const link = await open()
    const calling = call(link, ask, { text: 'Still there?' })
    await eventually(() => expect(calling.asks.size).toBe(1))
    await link.close()
    await eventually(() => expect(calling.asks.size).toBe(0))
    expect(await calling.outcome).toMatchObject({ kind: 'error' })
  })

  test('asks of two clients are not mixed up', async () => {
    const names = ['one', 'two', 'three', 'four']
    const calls = await Promise.all(
      names.map(async (session) => call(await open(`s_${session}`), ask, { text: `of ${session}` })),
    )
    await Promise.all(calls.map((calling, index) => answerAsk(calling, `of ${names[index]}`, `I am ${names[index]}`)))
    const outcomes = await Promise.all(calls.map(({ outcome }) => outcome))
    expect(outcomes.map(textOf)).toEqual(names.map((session) => `I am ${session}`))
  })
}

function testMirror(open: Open, mirror: string): void {
  test('unknown members, and numbers that a double cannot represent, are preserved', async () => {
    const link = await open()
    const params = `{"name":${JSON.stringify(mirror)},"x-new":[1.0,-0],"arguments":{"n":9007199254740993}}`
    const { exchange } = recordExchange()
    const request = { ...createRequest('tools/call'), params: payloadFromText(params) }
    const outcome = await link.call(request, exchange)
    expect(printPayload(resultOf(outcome))).toContain(`"received":${params}`)
  })
}

/** A call in flight. */
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

/** Answers the only ask of a call, which must be the expected one. */
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

/** The text of a tool's answer; any other outcome unchanged, so that a failed assertion shows it. */
function textOf(outcome: Outcome): unknown {
  const content = memberOf(resultOf(outcome).value(), 'content')
  const text = Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : undefined
  return text ?? outcome
}

function resultOf(outcome: Outcome): ReturnType<typeof payloadOf> {
  return outcome.kind === 'complete' ? outcome.result : payloadOf(null)
}

/** Whether the outcome is an error, or a result with `isError`. */
function isRefusal(outcome: Outcome): boolean {
  const result = resultOf(outcome).value()
  return outcome.kind === 'error' || (isJsonObject(result) && result['isError'] === true)
}

function progressOf(event: ExchangeEvent): unknown {
  return event.kind === 'progress' ? event.progress.progress : event.kind
}

/** The texts of log messages that an exchange or its link's client has received. */
function logged(
  events: readonly ExchangeEvent[],
  client: { readonly notifications: readonly { method: string; params: unknown }[] },
): unknown[] {
  const own = events.flatMap((event) => (event.kind === 'notification' ? [event.notification] : []))
  return [...own, ...client.notifications]
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => ((params as { value(): unknown }).value() as { data: unknown }).data)
}
