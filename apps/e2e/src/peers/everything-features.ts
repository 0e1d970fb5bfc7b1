import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { Feature } from './describe-features.ts'
import { sortedNames } from './sorted-names.ts'

/**
 * The features of `@modelcontextprotocol/server-everything` as the backend `every`, except those that need tasks or the
 * network.
 */
export const everythingFeatures: readonly Feature[] = [
  {
    name: 'lists',
    async run(client) {
      expect(await sortedNames(client.tools())).toEqual([
        'every__echo',
        'every__get-annotated-message',
        'every__get-env',
        'every__get-resource-links',
        'every__get-resource-reference',
        'every__get-roots-list',
        'every__get-structured-content',
        'every__get-sum',
        'every__get-tiny-image',
        'every__gzip-file-as-resource',
        'every__simulate-research-query',
        'every__toggle-simulated-logging',
        'every__toggle-subscriber-updates',
        'every__trigger-elicitation-request',
        'every__trigger-long-running-operation',
        'every__trigger-sampling-request',
        'every__trigger-url-elicitation',
      ])
      expect(await sortedNames(client.prompts())).toEqual([
        'every__args-prompt',
        'every__completable-prompt',
        'every__resource-prompt',
        'every__simple-prompt',
      ])
      expect(await sortedNames(client.resources())).toContain('architecture.md')
      expect((await client.resourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
        'every+demo://resource/dynamic/text/{resourceId}',
        'every+demo://resource/dynamic/blob/{resourceId}',
      ])
      // The instructions of a single backend are unchanged.
      expect(client.instructions).toMatch(/^# Everything Server/)
    },
  },
  {
    name: 'echo and get-sum',
    async run(client) {
      expect(await client.callTool('every__echo', { message: 'hello' })).toMatchObject({
        content: [{ type: 'text', text: 'Echo: hello' }],
      })
      expect(await client.callTool('every__get-sum', { a: 2, b: 3 })).toMatchObject({
        content: [{ text: 'The sum of 2 and 3 is 5.' }],
      })
    },
  },
  {
    name: 'invalid input gets a result with an error',
    async run(client) {
      expect(await client.callTool('every__get-sum', { a: 'two' })).toMatchObject({ isError: true })
    },
  },
  {
    name: 'get-annotated-message',
    async run(client) {
      const input = { messageType: 'error', includeImage: true }
      expect(await client.callTool('every__get-annotated-message', input)).toMatchObject({
        content: [
          { type: 'text', annotations: { priority: 1, audience: ['user', 'assistant'] } },
          { type: 'image', mimeType: 'image/png', annotations: { priority: 0.5, audience: ['user'] } },
        ],
      })
    },
  },
  {
    name: 'get-env',
    async run(client) {
      expect(await client.callTool('every__get-env')).toMatchObject({
        content: [{ text: expect.stringContaining('"FOR_THE_CHILD": "1"') }],
      })
    },
  },
  {
    name: 'get-resource-links, which can be read',
    async run(client) {
      const result = await client.callTool('every__get-resource-links', { count: 2 })
      expect(result).toMatchObject({
        content: [
          { type: 'text' },
          { type: 'resource_link', uri: 'every+demo://resource/dynamic/blob/1' },
          { type: 'resource_link', uri: 'every+demo://resource/dynamic/text/2' },
        ],
      })
      expect(await client.readResource('every+demo://resource/dynamic/text/2')).toMatchObject({
        contents: [
          { uri: 'every+demo://resource/dynamic/text/2', text: expect.stringMatching(/^Resource 2: .*plaintext/) },
        ],
      })
      expect(await client.readResource('every+demo://resource/dynamic/blob/1')).toMatchObject({
        contents: [{ uri: 'every+demo://resource/dynamic/blob/1', blob: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) }],
      })
    },
  },
  {
    name: 'get-resource-reference',
    async run(client) {
      const input = { resourceType: 'Text', resourceId: 7 }
      expect(await client.callTool('every__get-resource-reference', input)).toMatchObject({
        content: [
          { type: 'text' },
          { type: 'resource', resource: { uri: 'every+demo://resource/dynamic/text/7', mimeType: 'text/plain' } },
          { type: 'text' },
        ],
      })
    },
  },
  {
    name: 'get-structured-content',
    async run(client) {
      expect(await client.callTool('every__get-structured-content', { location: 'Chicago' })).toMatchObject({
        structuredContent: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
      })
    },
  },
  {
    name: 'get-tiny-image',
    async run(client) {
      expect(await client.callTool('every__get-tiny-image')).toMatchObject({
        content: [{ type: 'text' }, { type: 'image', data: expect.stringMatching(/^iVBORw0KGgo/) }, { type: 'text' }],
      })
    },
  },
  {
    name: 'gzip-file-as-resource, whose resource is then listed and can be read',
    async run(client) {
      const uri = 'every+demo://resource/session/note.gz'
      const input = { name: 'note.gz', data: 'data:text/plain,small', outputType: 'resourceLink' }
      expect(await client.callTool('every__gzip-file-as-resource', input)).toMatchObject({
        content: [{ type: 'resource_link', uri, mimeType: 'application/gzip' }],
      })
      await client.received('notifications/resources/list_changed')
      expect((await client.resources()).map((resource) => resource.uri)).toContain(uri)
      const { contents } = await client.readResource(uri)
      expect(contents).toMatchObject([{ uri, mimeType: 'application/gzip', blob: expect.any(String) }])
      const { blob } = contents[0] as { readonly blob: string }
      expect(gunzipSync(Buffer.from(blob, 'base64')).toString()).toBe('small')
    },
  },
  {
    name: 'toggle-simulated-logging, at the level that was set',
    async run(client) {
      await client.setLevel('debug')
      await client.callTool('every__toggle-simulated-logging')
      const logged = await client.received('notifications/message', ({ data }) =>
        /level.message/i.test(JSON.stringify(data)),
      )
      expect(logged).toMatchObject({ logger: 'every' })
      expect(await client.callTool('every__toggle-simulated-logging')).toMatchObject({
        content: [{ text: expect.stringContaining('Stopped') }],
      })
    },
  },
  {
    name: 'toggle-subscriber-updates, for a resource that was subscribed to',
    async run(client) {
      const uri = 'every+demo://resource/dynamic/text/3'
      await client.subscribe(uri)
      await client.callTool('every__toggle-subscriber-updates')
      expect(await client.received('notifications/resources/updated')).toMatchObject({ uri })
      expect(await client.callTool('every__toggle-subscriber-updates')).toMatchObject({
        content: [{ text: expect.stringContaining('Stopped') }],
      })
      await client.unsubscribe(uri)
    },
  },
  {
    name: 'trigger-long-running-operation, with progress in order and before the answer',
    async run(client) {
      const seen: unknown[] = []
      const onprogress = (progress: unknown): void => void seen.push(progress)
      const input = { duration: 0.03, steps: 3 }
      const result = await client.callTool('every__trigger-long-running-operation', input, { onprogress })
      expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
      expect(result).toMatchObject({ content: [{ text: expect.stringContaining('completed') }] })
    },
  },
  {
    name: 'trigger-elicitation-request, accepted and declined',
    async run(client) {
      const asked: unknown[] = []
      client.answer('elicitation/create', (params) => {
        asked.push(params)
        return { action: 'accept', content: { name: 'Grace', check: true, integer: 7 } }
      })
      expect(await client.callTool('every__trigger-elicitation-request')).toMatchObject({
        content: [{}, { text: expect.stringContaining('- Name: Grace\n- Agreed to terms: true') }, {}],
      })
      expect(asked).toMatchObject([
        { requestedSchema: { required: ['name'], properties: { integer: { default: 42 } } } },
      ])
      client.answer('elicitation/create', () => ({ action: 'decline' }))
      expect(await client.callTool('every__trigger-elicitation-request')).toMatchObject({
        content: [{ text: expect.stringContaining('User declined') }, {}],
      })
    },
  },
  {
    name: 'trigger-url-elicitation, asked for and required',
    async run(client) {
      const asked: unknown[] = []
      client.answer('elicitation/create', (params) => {
        asked.push(params)
        return { action: 'accept' }
      })
      const input = { url: 'http://127.0.0.1/sign-in', elicitationId: 'first' }
      expect(await client.callTool('every__trigger-url-elicitation', input)).toMatchObject({
        content: [{ text: expect.stringContaining('User completed') }, {}],
      })
      expect(asked).toMatchObject([{ mode: 'url', url: 'http://127.0.0.1/sign-in', elicitationId: 'first' }])
      await expect(
        client.callTool('every__trigger-url-elicitation', { ...input, errorPath: true }),
      ).rejects.toMatchObject({
        code: -32042,
      })
    },
  },
  {
    name: 'trigger-sampling-request',
    async run(client) {
      const asked: unknown[] = []
      client.answer('sampling/createMessage', (params) => {
        asked.push(params)
        return { role: 'assistant', model: 'none', stopReason: 'endTurn', content: { type: 'text', text: 'Sampled.' } }
      })
      expect(
        await client.callTool('every__trigger-sampling-request', { prompt: 'Say it', maxTokens: 9 }),
      ).toMatchObject({
        content: [{ text: expect.stringContaining('"text": "Sampled."') }],
      })
      expect(asked).toMatchObject([
        { maxTokens: 9, temperature: 0.7, messages: [{ content: { text: expect.stringContaining('Say it') } }] },
      ])
    },
  },
  {
    name: 'get-roots-list',
    async run(client, folder) {
      expect(await client.callTool('every__get-roots-list')).toMatchObject({
        content: [{ text: expect.stringContaining(`URI: file://${folder}`) }],
      })
    },
  },
  {
    name: 'prompts',
    async run(client) {
      expect(await client.getPrompt('every__simple-prompt')).toMatchObject({
        messages: [{ content: { text: 'This is a simple prompt without arguments.' } }],
      })
      expect(await client.getPrompt('every__args-prompt', { city: 'Kiel' })).toMatchObject({
        messages: [{ content: { text: "What's weather in Kiel?" } }],
      })
      expect(await client.getPrompt('every__resource-prompt', { resourceType: 'Text', resourceId: '5' })).toMatchObject(
        {
          messages: [
            { content: { type: 'text' } },
            { content: { type: 'resource', resource: { uri: 'every+demo://resource/dynamic/text/5' } } },
          ],
        },
      )
      await expect(client.getPrompt('every__args-prompt')).rejects.toMatchObject({ code: -32602 })
    },
  },
  {
    name: 'completion of prompts, one argument by another, and of templates',
    async run(client) {
      const prompt = { type: 'ref/prompt' as const, name: 'every__completable-prompt' }
      expect(await client.complete({ ref: prompt, argument: { name: 'department', value: 'S' } })).toEqual([
        'Sales',
        'Support',
      ])
      expect(
        await client.complete({
          ref: prompt,
          argument: { name: 'name', value: '' },
          context: { arguments: { department: 'Support' } },
        }),
      ).toEqual(['John', 'Kim', 'Lee'])
      const template = { type: 'ref/resource' as const, uri: 'every+demo://resource/dynamic/text/{resourceId}' }
      expect(await client.complete({ ref: template, argument: { name: 'resourceId', value: '12' } })).toEqual(['12'])
    },
  },
  {
    name: 'static resources',
    async run(client) {
      const uri = 'every+demo://resource/static/document/features.md'
      expect(await client.readResource(uri)).toMatchObject({
        contents: [{ uri, mimeType: 'text/markdown', text: expect.stringContaining('# Everything Server') }],
      })
    },
  },
]
