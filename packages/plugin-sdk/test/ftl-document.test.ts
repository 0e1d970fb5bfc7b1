import { createBackend, createTool, ToolResponse } from '@junctor/plugin-sdk'
import { openBackend } from '@junctor/plugin-sdk/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'

// The TypeScript examples of the tool component document, unchanged except for the import (and the data that the
// document omits).

const InputSchema = z.object({
  message: z.string(),
})

const tool = createTool({
  metadata: {
    name: 'example',
    description: 'An example tool',
    inputSchema: InputSchema,
  },
  handler: async (input) => {
    return ToolResponse.text(`You said: ${input.message}`)
  },
})

const chartData = [1, 2, 3]

const chart = createTool({
  metadata: { name: 'chart', description: 'Custom content', inputSchema: z.object({}) },
  handler: async () => {
    return {
      content: [
        {
          type: 'custom/chart',
          data: chartData,
          metadata: { chartType: 'bar' },
        },
      ],
    }
  },
})

const streaming = createTool({
  metadata: { name: 'streaming', description: 'A streamed answer', inputSchema: z.object({}) },
  handler: async () => {
    return ToolResponse.stream(async function* () {
      yield ToolResponse.text('Processing...')
      yield ToolResponse.text('Still working...')
      yield ToolResponse.text('Complete!')
    })
  },
})

const backend = createBackend({ name: 'ftl', tools: [tool, chart, streaming] })

it('the example tool answers as the document says', async () => {
  const client = await openBackend(backend)
  expect(await client.callTool('example', { message: 'Hello' })).toEqual({
    content: [{ type: 'text', text: 'You said: Hello' }],
  })
})

it('custom content types pass as they are', async () => {
  const client = await openBackend(backend)
  expect(await client.callTool('chart')).toEqual({
    content: [{ type: 'custom/chart', data: [1, 2, 3], metadata: { chartType: 'bar' } }],
  })
})

it('a streamed answer arrives piece by piece, and is collected for clients without streams', async () => {
  const client = await openBackend(backend)
  const pieces: unknown[] = []
  const result = await client.callTool('streaming', {}, { onChunk: (data) => pieces.push(data) })
  expect(pieces).toEqual([
    { type: 'text', text: 'Processing...' },
    { type: 'text', text: 'Still working...' },
    { type: 'text', text: 'Complete!' },
  ])
  expect(result.content).toEqual([
    { type: 'text', text: 'Processing...' },
    { type: 'text', text: 'Still working...' },
    { type: 'text', text: 'Complete!' },
  ])
})
