import { expect } from 'vitest'
import { demo } from '../../src/in-gateway.ts'
import { describeFeatures, type Feature } from '../../src/peers/describe-features.ts'
import { sortedNames } from '../../src/peers/sorted-names.ts'

const features: readonly Feature[] = [
  {
    name: 'lists',
    async run(client) {
      expect(await sortedNames(client.tools())).toEqual([
        'demo__add',
        'demo__ask',
        'demo__echo',
        'demo__image',
        'demo__link',
        'demo__log',
        'demo__progress',
        'demo__roots',
        'demo__slow',
        'demo__sound',
        'demo__summarize',
        'demo__tick',
      ])
      expect(await sortedNames(client.prompts())).toEqual(['demo__greeting'])
      expect(await client.resources()).toMatchObject([{ uri: 'demo+demo://counter' }])
      expect(await client.resourceTemplates()).toMatchObject([{ uriTemplate: 'demo+demo://greeting/{name}' }])
      expect(client.instructions).toContain('Begin with echo')
    },
  },
  {
    name: 'ping',
    async run(client) {
      expect(await client.ping()).toEqual({})
    },
  },
  {
    name: 'a tool with text',
    async run(client) {
      const message = 'first\nsecond\u2028"third" \u{1F600}'
      expect(await client.callTool('demo__echo', { message })).toMatchObject({
        content: [{ type: 'text', text: message }],
      })
    },
  },
  {
    name: 'a tool with structured content',
    async run(client) {
      expect(await client.callTool('demo__add', { a: 2, b: 3 })).toMatchObject({ structuredContent: { sum: 5 } })
    },
  },
  {
    name: 'a tool with an image, and one with sound',
    async run(client) {
      expect(await client.callTool('demo__image')).toMatchObject({
        content: [{ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) }],
      })
      expect(await client.callTool('demo__sound')).toMatchObject({
        content: [{ type: 'audio', mimeType: 'audio/wav', data: expect.stringMatching(/^UklGR/) }],
      })
    },
  },
  {
    name: 'invalid input gets a result with an error',
    async run(client) {
      expect(await client.callTool('demo__add', { a: 'two' })).toMatchObject({ isError: true })
    },
  },
  {
    name: 'an unknown tool is an error',
    async run(client) {
      await expect(client.callTool('demo__nothing')).rejects.toMatchObject({ code: -32602 })
    },
  },
  {
    name: 'progress, in order and before the answer',
    async run(client) {
      const seen: unknown[] = []
      const onprogress = (progress: unknown): void => void seen.push(progress)
      const result = await client.callTool('demo__progress', { steps: 3, delayMs: 1 }, { onprogress })
      expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `Step ${progress} of 3` })))
      expect(result).toMatchObject({ content: [{ text: 'Took 3 steps' }] })
    },
  },
  {
    name: 'a cancelled call',
    async run(client) {
      const cancelling = new AbortController()
      const calling = client.callTool('demo__slow', { ms: 600_000 }, { signal: cancelling.signal })
      await client.ping()
      cancelling.abort('No more time')
      await expect(calling).rejects.toThrow('No more time')
      expect(await client.callTool('demo__slow', { ms: 1 })).toMatchObject({
        content: [{ text: 'Did nothing for 1 ms' }],
      })
    },
  },
  {
    name: 'an elicitation, accepted',
    async run(client) {
      const asked: unknown[] = []
      client.answer('elicitation/create', (params) => {
        asked.push(params)
        return { action: 'accept', content: { name: 'Hedy', age: 85 } }
      })
      expect(await client.callTool('demo__ask')).toMatchObject({ content: [{ text: 'Hello Hedy, 85 is a fine age.' }] })
      expect(asked).toMatchObject([{ requestedSchema: { required: ['name', 'age'] } }])
    },
  },
  {
    name: 'an elicitation, declined and cancelled',
    async run(client) {
      client.answer('elicitation/create', () => ({ action: 'decline' }))
      expect(await client.callTool('demo__ask')).toMatchObject({
        content: [{ text: 'You declined, so there is no greeting.' }],
      })
      client.answer('elicitation/create', () => ({ action: 'cancel' }))
      expect(await client.callTool('demo__ask')).toMatchObject({
        content: [{ text: 'You closed the question without an answer.' }],
      })
    },
  },
  {
    name: 'sampling',
    async run(client) {
      const asked: unknown[] = []
      client.answer('sampling/createMessage', (params) => {
        asked.push(params)
        return { role: 'assistant', model: 'none', content: { type: 'text', text: 'Short.' } }
      })
      expect(await client.callTool('demo__summarize', { text: 'A long story', maxTokens: 7 })).toMatchObject({
        content: [{ text: 'Short.' }],
      })
      expect(asked).toMatchObject([
        { maxTokens: 7, messages: [{ role: 'user', content: { text: expect.stringContaining('A long story') } }] },
      ])
    },
  },
  {
    name: 'roots, also after they have changed',
    async run(client, folder) {
      expect(await client.callTool('demo__roots')).toMatchObject({ content: [{ text: `folder: file://${folder}` }] })
      client.answer('roots/list', () => ({ roots: [] }))
      await client.rootsChanged()
      expect(await client.callTool('demo__roots')).toMatchObject({
        content: [{ text: 'Your client allows no folder.' }],
      })
    },
  },
  {
    name: 'log messages at the level that was set and above',
    async run(client) {
      await client.setLevel('critical')
      await client.callTool('demo__log', { text: 'at critical' })
      await client.received('notifications/message', ({ level }) => level === 'emergency')
      await client.setLevel('debug')
      await client.callTool('demo__log', { text: 'at debug' })
      const logged = { logger: expect.stringMatching(/^demo/), data: 'at debug' }
      const lowest = await client.received('notifications/message', ({ level }) => level === 'debug')
      expect(lowest).toMatchObject(logged)
      const firstWarning = await client.received('notifications/message', ({ level }) => level === 'warning')
      expect(firstWarning).toMatchObject(logged)
    },
  },
  {
    name: 'links and embedded resources, which can be read',
    async run(client) {
      expect(await client.callTool('demo__link')).toMatchObject({
        content: [
          { type: 'resource_link', uri: 'demo+demo://counter' },
          { type: 'resource', resource: { uri: 'demo+demo://greeting/you', text: 'Hello, you!' } },
        ],
      })
      expect(await client.readResource('demo+demo://counter')).toMatchObject({
        contents: [{ uri: 'demo+demo://counter', mimeType: 'application/json', text: '{"count":0}' }],
      })
      expect(await client.readResource('demo+demo://greeting/you')).toMatchObject({
        contents: [{ text: 'Hello, you!' }],
      })
    },
  },
  {
    name: 'an unknown resource is an error',
    async run(client) {
      await expect(client.readResource('demo+demo://nothing')).rejects.toThrow('Resource not found')
    },
  },
  {
    name: 'subscriptions',
    async run(client) {
      await client.subscribe('demo+demo://counter')
      expect(await client.callTool('demo__tick')).toMatchObject({ structuredContent: { count: 1 } })
      expect(await client.received('notifications/resources/updated')).toMatchObject({ uri: 'demo+demo://counter' })
      expect(await client.readResource('demo+demo://counter')).toMatchObject({ contents: [{ text: '{"count":1}' }] })
      await client.unsubscribe('demo+demo://counter')
      expect(await client.callTool('demo__tick')).toMatchObject({ structuredContent: { count: 2 } })
    },
  },
  {
    name: 'a prompt with arguments, which are completed',
    async run(client) {
      const ref = { type: 'ref/prompt' as const, name: 'demo__greeting' }
      expect(await client.complete({ ref, argument: { name: 'name', value: 'He' } })).toEqual(['Hedy'])
      expect(await client.complete({ ref, argument: { name: 'style', value: 'te' } })).toEqual(['telegram'])
      expect(await client.getPrompt('demo__greeting', { name: 'Hedy', style: 'telegram' })).toMatchObject({
        messages: [{ role: 'user', content: { text: expect.stringContaining('Greet Hedy in a telegram way') } }],
      })
    },
  },
  {
    name: 'a template, whose variable is completed',
    async run(client) {
      const ref = { type: 'ref/resource' as const, uri: 'demo+demo://greeting/{name}' }
      expect(await client.complete({ ref, argument: { name: 'name', value: 'gr' } })).toEqual(['Grace'])
      expect(await client.readResource('demo+demo://greeting/Grace')).toMatchObject({
        contents: [{ text: 'Hello, Grace!' }],
      })
    },
  },
]

describeFeatures(() => ({ demo: demo() }), features)
