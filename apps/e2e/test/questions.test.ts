import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { asking, demo, inGateway, lean } from '../src/in-gateway.ts'
import { textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const sampled = { model: 'm', role: 'assistant', content: { type: 'text', text: 'short' }, stopReason: 'endTurn' }

verifies(['MCP-8.1', 'MCP-8.2', 'MCP-4.10'], {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const answers = { 'sampling/createMessage': () => sampled }
    const one = await client({ capabilities: { sampling: {} }, answers })
    const other = await client({ capabilities: { sampling: {} }, answers })
    const text = 'a long text'
    const response = await one.request('tools/call', { name: 'demo__summarize', arguments: { text } }, 'asking')
    expect(textOf(response)).toBe('short')
    const asked = one.received.filter(({ message: { method } }) => method === 'sampling/createMessage')
    const answer = one.received.find(({ message: { id } }) => id === 'asking')
    expect(asked.map(({ stream }) => stream)).toEqual([answer?.stream])
    expect(other.messagesOf('sampling/createMessage')).toEqual([])
  })
})

verifies('MCP-8.3', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client({ capabilities: { roots: {} } })
    for (const [name, args] of Object.entries({ ask: {}, summarize: { text: 'x' } })) {
      const response = await one.request('tools/call', { name: `demo__${name}`, arguments: args as JsonObject })
      expect(response['result']).toMatchObject({ isError: true })
    }
    expect(
      one.received.filter(({ message }) => message['id'] !== undefined && message['method'] !== undefined),
    ).toEqual([])
  })
})

verifies('MCP-8.3', { ways: ['http'], revisions: ['2024-11-05', '2025-06-18'], nodes: [1] }, async (cell) => {
  await inGateway(cell, { asking: asking() }, async ({ client }) => {
    // Some libraries declare the newest features with an older revision, which has no such questions.
    const one = await client({
      capabilities: { roots: {}, sampling: { tools: {} }, elicitation: { form: {}, url: {} } },
    })
    const told = JSON.parse(textOf(await one.request('tools/call', { name: 'asking__client', arguments: {} }))) as {
      readonly capabilities: object
    }
    const askable = { roots: {}, sampling: {}, ...(cell.revision === '2025-06-18' && { elicitation: {} }) }
    expect(told.capabilities).toEqual(askable)
  })
})

verifies('MCP-8.4', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    // To answer one question, this client needs the answer to another.
    let depth = 0
    const one = await client({
      capabilities: { sampling: {} },
      answers: {
        'sampling/createMessage': async () => {
          depth += 1
          const inner =
            depth > 3
              ? undefined
              : await one.request('tools/call', { name: 'demo__summarize', arguments: { text: 'x' } })
          return { ...sampled, content: { type: 'text', text: inner === undefined ? 'end' : `in ${textOf(inner)}` } }
        },
      },
    })
    const response = await one.request('tools/call', { name: 'demo__summarize', arguments: { text: 'x' } })
    expect(textOf(response)).toBe('in in in end')
  })
})

verifies('MCP-8.5', {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const one = await client({ capabilities: { roots: { listChanged: true } } })
    const log = async () => textOf(await one.request('tools/call', { name: 'lean__received', arguments: {} }))
    await log()
    await one.notify('notifications/roots/list_changed')
    await expect.poll(log).toContain('notifications/roots/list_changed')
  })
})

verifies('MCP-8.6', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client({ capabilities: { sampling: {} }, answers: { 'sampling/createMessage': () => sampled } })
    await one.request('tools/call', { name: 'demo__summarize', arguments: { text: 'the text' } })
    const [question] = one.messagesOf('sampling/createMessage')
    expect(question?.['params']).toMatchObject({ maxTokens: expect.any(Number), messages: [{ role: 'user' }] })
    expect(JSON.stringify(question)).toContain('the text')
  })
})

verifies('MCP-8.7', {}, async (cell) => {
  await inGateway(cell, { demo: demo(), bare: demo({ prefix: '' }) }, async ({ client }) => {
    const declined = { 'elicitation/create': () => ({ action: 'decline' }) }
    const one = await client({ capabilities: { elicitation: {} }, answers: declined })
    await one.request('tools/call', { name: 'demo__ask', arguments: {} })
    await one.request('tools/call', { name: 'ask', arguments: {} })
    const messages = one
      .messagesOf('elicitation/create')
      .map(({ params }) => (params as JsonObject)['message'] as string)
    expect(messages[0]).toMatch(/^\[demo\] /)
    expect(messages[1]).not.toMatch(/^\[/)
  })
})

verifies('MCP-8.8', {}, async (cell) => {
  await inGateway(cell, { asking: asking() }, async ({ client }) => {
    const call = (name: string, more: JsonObject = {}) => one.request('tools/call', { name, arguments: {}, ...more })
    const one = await client({
      capabilities: { elicitation: {} },
      answers: {
        'elicitation/create': async (params) => {
          if (params['message'] === '[asking] round 1') {
            await call('asking__hang', { task: { ttl: 60_000 } })
            await expect.poll(async () => textOf(await call('asking__hanging'))).toBe('1')
          }
          return { action: 'accept', content: { answer: 'yes' } }
        },
      },
    })
    const response = await call('asking__rounds', { arguments: { count: 2 } })
    expect(JSON.parse(textOf(response))).toMatchObject([{ action: 'accept' }, { action: 'accept' }])
  })
})
