import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect, onTestFinished } from 'vitest'
import { asking, demo, lean } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { answersTo, askingResult, questionsOf } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const everywhere = { revisions: ['2026-07-28'] } as const
const prefix = 'io.modelcontextprotocol/'

const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, arguments: args })

const answers = {
  'elicitation/create': ({ message }: JsonObject) => ({
    action: 'accept',
    content: { answer: `to ${message as string}` },
  }),
  'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' }),
  'roots/list': () => ({ roots: [{ uri: 'file:///root' }] }),
}
const able = { capabilities: { elicitation: {}, sampling: {}, roots: {} } }

verifies('ERA-7', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo(), asking: asking({ prefix: '' }) }, async ({ stateless }) => {
    const one = await stateless(able)
    const asked = askingResult(await one.request('tools/call', call('confirm', { text: 'sure?' })))
    expect(Object.values(questionsOf(asked))).toMatchObject([
      { method: 'elicitation/create', params: { message: 'sure?', requestedSchema: { type: 'object' } } },
    ])
    expect(asked).not.toHaveProperty('ttlMs')
    expect(textOf(await one.complete('tools/call', call('confirm', { text: 'sure?' }), answers))).toBe(
      JSON.stringify({ action: 'accept', content: { answer: 'to sure?' } }),
    )
    const rounds = textOf(await one.complete('tools/call', call('rounds', { count: 4 }), answers))
    expect((JSON.parse(rounds) as { content: unknown }[]).map(({ content }) => content)).toEqual(
      [1, 2, 3, 4].map((round) => ({ answer: `to round ${round}` })),
    )
    const all = JSON.parse(textOf(await one.complete('tools/call', call('all'), answers))) as unknown
    expect(all).toEqual([
      { action: 'accept', content: { answer: 'to all' } },
      answers['sampling/createMessage'](),
      answers['roots/list'](),
    ])
    const prompt = resultOf(await one.complete('prompts/get', { name: 'personal' }, answers))
    expect(JSON.stringify(prompt['messages'])).toContain('to Who are you?')
    const person = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada', age: 36 } }) }
    expect(textOf(await one.complete('tools/call', call('demo__ask'), person))).toContain('Hello Ada')
    // What a client leaves out is asked again.
    let left = askingResult(await one.request('tools/call', call('all')))
    while (Object.values(questionsOf(left)).some(({ method }) => method !== 'roots/list')) {
      const inputResponses = answersTo(left, { ...answers, 'roots/list': () => undefined })
      const { requestState } = left
      left = askingResult(await one.request('tools/call', { ...call('all'), inputResponses, requestState }))
    }
    expect(Object.values(questionsOf(left))).toMatchObject([{ method: 'roots/list' }])
  })
})

verifies('ERA-8', everywhere, async (cell) => {
  await inStateless(cell, { asking: asking({ prefix: '' }) }, async ({ stateless }) => {
    const one = await stateless(able)
    const params = call('confirm', { text: 'once' })
    const asked = askingResult(await one.request('tools/call', params))
    const { requestState } = asked
    const inputResponses = answersTo(asked, answers)
    const refused = async (given: JsonObject): Promise<number> =>
      errorOf(await one.request('tools/call', { ...params, ...given })).code
    expect(await refused({ inputResponses, requestState: 'forged' })).toBe(-32_602)
    expect(await refused({ inputResponses, requestState: `${requestState as string}x` })).toBe(-32_602)
    expect(await refused({ inputResponses, requestState: 7 })).toBe(-32_602)
    expect(await refused({ inputResponses: 'none', requestState: requestState ?? null })).toBe(-32_602)
    expect(await refused({ inputResponses: { x: null }, requestState: requestState ?? null })).toBe(-32_602)
    const other = { inputResponses, requestState, arguments: { text: 'twice' } }
    expect(await refused(other as JsonObject)).toBe(-32_602)

    const retry = { ...params, inputResponses, requestState, extra: undefined }
    const answered = await one.request('tools/call', retry)
    expect(textOf(answered)).toContain('to once')
    expect(resultOf(await one.request('tools/call', retry))).toEqual(resultOf(answered))
    const elsewhere = { ...inputResponses, more: {} }
    expect(await refused({ inputResponses: elsewhere, requestState: requestState ?? null })).toBe(-32_602)
  })
})

verifies('ERA-11', everywhere, async (cell) => {
  await inStateless(cell, { demo: demo(), asking: asking() }, async ({ stateless }) => {
    const one = await stateless()
    for (const name of ['demo__summarize', 'asking__complain']) {
      const response = await one.request('tools/call', call(name, { text: 'x' }))
      const message = expect.stringMatching(/: sampling$/)
      const data = { requiredCapabilities: { sampling: {} } }
      expect(errorOf(response)).toMatchObject({ code: -32_021, message, data })
      expect(one.status() ?? 400).toBe(400)
    }
    const other = await stateless({ capabilities: { sampling: {} } })
    expect(textOf(await other.complete('tools/call', call('asking__complain'), answers))).toContain('sampled')
  })
})

verifies('ERA-12', everywhere, async (cell) => {
  await inStateless(cell, { asking: asking() }, async ({ stateless }) => {
    const texts = Array.from({ length: 4 }, (_, index) => `secret ${index}`)
    const clients = await Promise.all(texts.map(() => stateless({ ...able, meta: { [`${prefix}logLevel`]: 'debug' } })))
    await Promise.all(
      clients.map(async (one, index) => {
        const text = texts[index] as string
        const [confirmed] = await Promise.all([
          one.complete('tools/call', call('asking__confirm', { text }), answers),
          one.request('tools/call', call('asking__log', { text })),
          one.complete('tools/call', call('asking__rounds', { count: 3 }), answers),
        ])
        expect(textOf(confirmed)).toContain(`to [asking] ${text}"`)
        const seen = JSON.stringify(one.wire.received)
        for (const other of texts.filter((each) => each !== text)) expect(seen).not.toContain(`${other}"`)
      }),
    )
  })
})

verifies('ERA-27', { ...everywhere, nodes: [1] }, async (cell) => {
  await inStateless(cell, { asking: asking() }, async ({ stateless }) => {
    const one = await stateless(able)
    const count = async () => textOf(await one.request('tools/call', call('asking__count')))
    const confirm = call('asking__confirm', { text: 'sure?' })
    const ask = async () => askingResult(await one.request('tools/call', confirm))
    expect(await count()).toBe('1')
    for (const asked of [await ask(), await ask()]) {
      const inputResponses = answersTo(asked, answers)
      const { requestState } = asked
      expect(textOf(await one.request('tools/call', { ...confirm, inputResponses, requestState }))).toContain('accept')
    }
    expect(await count()).toBe('2')
    expect(await count()).toBe('3')
  })
})

verifies('ERA-22', everywhere, async (cell) => {
  await inStateless(cell, { older: lean() }, async ({ stateless }) => {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-links-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const done = join(folder, 'done')
    const links = call('older__links', { done })
    const one = await stateless({ capabilities: { elicitation: { url: {} } } })
    const asked = askingResult(await one.request('tools/call', links))
    expect(asked).not.toHaveProperty('requestState')
    expect(Object.values(questionsOf(asked))).toEqual([
      { method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/consent', message: 'Consent' } },
    ])
    const declined = answersTo(asked, { 'elicitation/create': () => ({ action: 'decline' }) })
    expect(errorOf(await one.request('tools/call', { ...links, inputResponses: declined })).code).toBe(403)
    const opened = () => {
      writeFileSync(done, '')
      return { action: 'accept' }
    }
    expect(textOf(await one.complete('tools/call', links, { 'elicitation/create': opened }))).toBe('done')
    rmSync(done)
    // Without URL mode the client gets the error, with its links.
    for (const capabilities of [{}, { elicitation: {} }]) {
      const other = await stateless({ capabilities })
      expect(errorOf(await other.request('tools/call', links))).toMatchObject({
        code: -32_021,
        data: {
          elicitations: [{ url: 'https://example.com/consent' }],
          requiredCapabilities: { elicitation: { url: {} } },
        },
      })
    }
  })
})
