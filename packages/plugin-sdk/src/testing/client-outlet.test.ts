import { expect, it } from 'vitest'
import * as z from 'zod'
import { createBackend } from '../create-backend.ts'
import { createTool } from '../create-tool.ts'
import { ToolResponse } from '../tool-response.ts'
import { openBackend, type CallOptions } from './index.ts'

function throwFault(): never {
  throw new Error('the test is wrong')
}

it.each<[string, CallOptions]>([
  ['a listener', { onProgress: throwFault, onRoots: () => [] }],
  ['an answer', { onRoots: throwFault }],
])('an error that %s of a test throws fails the call, and the backend does not see it', async (_, options) => {
  let finished = false
  const curious = createTool({
    metadata: { name: 'curious', description: 'x', inputSchema: z.object({}) },
    async handler(_input, context) {
      context.progress(1)
      await context.roots().catch(() => undefined)
      finished = true
      return ''
    },
  })
  const client = await openBackend(createBackend({ name: 'b', tools: [curious] }))
  await expect(client.callTool('curious', {}, options)).rejects.toThrow('the test is wrong')
  expect(finished).toBe(true)
})

it('a client receives the members of progress that its revision has', async () => {
  const steps = createTool({
    metadata: { name: 'steps', description: 'x', inputSchema: z.object({}) },
    handler(_input, context) {
      context.progress(1, 2, 'half')
      return 'done'
    },
  })
  const received: unknown[] = []
  const client = await openBackend(createBackend({ name: 'b', tools: [steps] }), {
    context: { revision: '2024-11-05' },
  })
  const result = await client.callTool('steps', {}, { onProgress: (progress) => received.push(progress) })
  expect(result).toEqual(ToolResponse.text('done'))
  expect(received).toEqual([{ progress: 1, total: 2 }])
})

it('a request that is cancelled before it is sent ends immediately', async () => {
  const echo = createTool({
    metadata: { name: 'echo', description: 'x', inputSchema: z.object({}) },
    handler: (_input, { signal }) => `${signal.aborted}`,
  })
  const client = await openBackend(createBackend({ name: 'b', tools: [echo] }))
  await expect(client.callTool('echo', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'RequestError',
    code: undefined,
  })
})
