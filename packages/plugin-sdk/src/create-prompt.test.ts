import { describe, expect, expectTypeOf, it } from 'vitest'
import { createBackend } from './create-backend.ts'
import { createPrompt, type Prompt } from './create-prompt.ts'
import { openBackend, type TestClient } from './testing/index.ts'

async function open(...prompts: readonly Prompt[]): Promise<TestClient> {
  return openBackend(createBackend({ name: 'prompts', prompts }))
}

const styles = ['formal', 'friendly', 'poetic']

const greeting = createPrompt({
  name: 'greeting',
  title: 'Greeting',
  description: 'Greets',
  arguments: {
    name: { description: 'Who', required: true },
    style: {
      complete(value, chosen, context) {
        expectTypeOf(chosen).toEqualTypeOf<Readonly<Record<string, string>>>()
        return context.client.info['name'] === 'test' && chosen['name'] !== 'Mum'
          ? styles.filter((style) => style.startsWith(value))
          : ['friendly']
      },
    },
  },
  handler(input) {
    expectTypeOf(input).toEqualTypeOf<{ readonly name: string; readonly style: string | undefined }>()
    return `Greet ${input.name}, ${input.style ?? 'somehow'}`
  },
})

it('is listed with its arguments in order, without functions', async () => {
  const client = await open(greeting, createPrompt({ name: 'plain', description: 'x', handler: () => 'x' }))
  expect(await client.listPrompts()).toEqual([
    {
      name: 'greeting',
      title: 'Greeting',
      description: 'Greets',
      arguments: [{ name: 'name', description: 'Who', required: true }, { name: 'style' }],
    },
    { name: 'plain', description: 'x', arguments: [] },
  ])
})

describe('getting', () => {
  it('text becomes a message of the user', async () => {
    const client = await open(greeting)
    expect(await client.getPrompt('greeting', { name: 'Ada', style: 'poetic' })).toEqual({
      description: 'Greets',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada, poetic' } }],
    })
  })

  it('returns a conversation unchanged', async () => {
    const messages = [
      { role: 'user', content: { type: 'resource', resource: { uri: 'x://a', text: 'a' } } },
      { role: 'assistant', content: { type: 'image', data: 'AAEC', mimeType: 'image/png' } },
    ] as const
    const client = await open(createPrompt({ name: 'talk', description: 'x', handler: async () => messages }))
    expect((await client.getPrompt('talk')).messages).toEqual(messages)
  })

  it.each([
    [{}, 'Prompt greeting: expected arguments "name"'],
    [{ name: 7 }, 'Prompt greeting: expected text for argument "name", got 7'],
    [[], 'Expected arguments to be an object'],
  ])('with the arguments %j is refused with the reason', async (given, message) => {
    const client = await open(greeting)
    const call = client.request('prompts/get', { name: 'greeting', arguments: given })
    await expect(call).rejects.toMatchObject({ code: -32602, message })
  })

  it('an unknown prompt is an error', async () => {
    const client = await open(greeting)
    await expect(client.getPrompt('gone')).rejects.toMatchObject({ code: -32602, data: { reason: 'unknown_prompt' } })
    await expect(client.request('prompts/get', {})).rejects.toMatchObject({ code: -32602 })
  })
})

describe('completing arguments', () => {
  const ref = { type: 'ref/prompt', name: 'greeting' } as const

  it('proposes values for the typed text and the arguments chosen before', async () => {
    const client = await open(greeting)
    expect(await client.complete(ref, { name: 'style', value: 'f' })).toEqual(['formal', 'friendly'])
    expect(await client.complete(ref, { name: 'style', value: 'f' }, { name: 'Mum' })).toEqual(['friendly'])
  })

  it.each(['name', 'none', 'constructor'])('proposes nothing for an argument without proposals: %s', async (name) => {
    const client = await open(greeting)
    expect(await client.complete(ref, { name, value: '' })).toEqual([])
  })

  it.each([
    { ref: { type: 'ref/prompt', name: 'gone' }, argument: { name: 'a', value: '' } },
    { ref: { type: 'ref/odd', name: 'greeting' }, argument: { name: 'a', value: '' } },
    { ref: 'greeting', argument: { name: 'a', value: '' } },
    { ref, argument: { name: 'style' } },
    { ref, argument: 'style' },
    { ref },
  ])('is refused when the reference is invalid: %j', async (params) => {
    const client = await open(greeting)
    await expect(client.request('completion/complete', params)).rejects.toMatchObject({ code: -32602 })
  })

  it('ignores chosen values that are not text', async () => {
    const client = await open(greeting)
    const params = { ref, argument: { name: 'style', value: 'p' }, context: { arguments: { name: 7 } } }
    expect(await client.request('completion/complete', params)).toEqual({
      completion: { values: ['poetic'], total: 1, hasMore: false },
    })
  })
})
