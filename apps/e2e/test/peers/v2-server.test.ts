import { randomUUID } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createV2Server } from '../../fixtures/v2-server.ts'
import { describeFeatures, type Feature } from '../../src/peers/describe-features.ts'
import { type Host, hostSessions } from '../../src/peers/host-sessions.ts'
import { sortedNames } from '../../src/peers/sorted-names.ts'
import { eventually } from '@junctor/testkit'

let host: Host
beforeAll(async () => {
  host = await hostSessions(async (events) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      ...events,
    })
    await createV2Server().connect(transport)
    return transport
  })
})
afterAll(() => host.close())

const features: readonly Feature[] = [
  {
    name: 'lists',
    async run(client) {
      expect(await sortedNames(client.tools())).toEqual([
        'book__add',
        'book__ask',
        'book__cancelled',
        'book__link',
        'book__log',
        'book__roots',
        'book__sample',
        'book__steps',
        'book__turn',
        'book__wait',
      ])
      expect(await sortedNames(client.prompts())).toEqual(['book__review'])
      expect(await client.resources()).toMatchObject([{ uri: 'book+book://cover' }])
      expect(await client.resourceTemplates()).toMatchObject([{ uriTemplate: 'book+book://pages/{page}' }])
      expect(client.instructions).toContain('Turn the page.')
    },
  },
  {
    name: 'structured content, and bad input',
    async run(client) {
      expect(await client.callTool('book__add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } })
      expect(await client.callTool('book__add', { a: 'two' })).toMatchObject({ isError: true })
    },
  },
  {
    name: 'progress, in order and before the answer',
    async run(client) {
      const seen: unknown[] = []
      const onprogress = (progress: unknown): void => void seen.push(progress)
      expect(await client.callTool('book__steps', {}, { onprogress })).toMatchObject({ content: [{ text: 'done' }] })
      expect(seen).toEqual([
        { progress: 1, total: 2 },
        { progress: 2, total: 2 },
      ])
    },
  },
  {
    name: 'a cancelled call, with a notification to the server',
    async run(client) {
      const cancelling = new AbortController()
      // A cancel may overtake a request that is still on its way, so it waits until the server has begun.
      const onprogress = (): void => cancelling.abort('No more time')
      const calling = client.callTool('book__wait', {}, { signal: cancelling.signal, onprogress })
      await expect(calling).rejects.toThrow('No more time')
      await eventually(async () =>
        expect(await client.callTool('book__cancelled')).toMatchObject({ content: [{ text: '1 cancelled' }] }),
      )
    },
  },
  {
    name: 'log messages',
    async run(client) {
      await client.setLevel('warning')
      await client.callTool('book__log', { text: 'Torn' })
      expect(await client.received('notifications/message')).toEqual({
        level: 'warning',
        logger: 'book/pages',
        data: 'Torn',
      })
    },
  },
  {
    name: 'an elicitation, accepted and cancelled',
    async run(client) {
      client.answer('elicitation/create', () => ({ action: 'accept', content: { page: 'beta' } }))
      expect(await client.callTool('book__ask')).toMatchObject({ content: [{ text: 'accept beta' }] })
      client.answer('elicitation/create', () => ({ action: 'cancel' }))
      expect(await client.callTool('book__ask')).toMatchObject({ content: [{ text: 'cancel undefined' }] })
    },
  },
  {
    name: 'sampling',
    async run(client) {
      const content = { type: 'text', text: 'And so on' }
      client.answer('sampling/createMessage', () => ({ role: 'assistant', model: 'none', content }))
      expect(await client.callTool('book__sample')).toMatchObject({ content: [{ text: JSON.stringify(content) }] })
    },
  },
  {
    name: 'roots',
    async run(client, folder) {
      expect(await client.callTool('book__roots')).toMatchObject({ content: [{ text: `file://${folder}` }] })
    },
  },
  {
    name: 'resources, linked and by template',
    async run(client) {
      const uri = 'book+book://pages/alpha'
      expect(await client.callTool('book__link')).toMatchObject({ content: [{ type: 'resource_link', uri }] })
      expect(await client.readResource(uri)).toEqual({ contents: [{ uri, text: 'This is page alpha' }] })
      expect(await client.readResource('book+book://cover')).toMatchObject({ contents: [{ blob: 'AQID' }] })
    },
  },
  {
    name: 'subscriptions',
    async run(client) {
      const uri = 'book+book://cover'
      await client.subscribe(uri)
      expect(await client.callTool('book__turn')).toMatchObject({ content: [{ text: 'notified of 1' }] })
      expect(await client.received('notifications/resources/updated')).toEqual({ uri })
      await client.unsubscribe(uri)
      expect(await client.callTool('book__turn')).toMatchObject({ content: [{ text: 'notified of 0' }] })
    },
  },
  {
    name: 'a prompt, and completion of its argument and of a template',
    async run(client) {
      const prompt = { type: 'ref/prompt' as const, name: 'book__review' }
      const template = { type: 'ref/resource' as const, uri: 'book+book://pages/{page}' }
      expect(await client.complete({ ref: prompt, argument: { name: 'page', value: 'b' } })).toEqual(['beta'])
      expect(await client.complete({ ref: template, argument: { name: 'page', value: 'g' } })).toEqual(['gamma'])
      expect(await client.getPrompt('book__review', { page: 'beta' })).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'Review beta' } }],
      })
    },
  },
]

describeFeatures(() => ({ book: { url: host.url } }), features)

test('every session was ended', () => {
  expect(host.sessions()).toBe(0)
})
