import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createBackend } from './create-backend.ts'
import { createTool } from './create-tool.ts'
import { openBackend } from './testing/open-backend.ts'
import type { CallOptions } from './testing/call-options.ts'
import { ToolResponse } from './tool-response.ts'

/** What a tool that fetches the address sees. */
async function seen(url: string, init: RequestInit, options: CallOptions = {}): Promise<unknown> {
  const fetching = createTool({
    metadata: { name: 'fetching', description: 'Fetches', inputSchema: z.object({}) },
    handler: async (_input, { fetch }) => {
      const answer = await fetch(url, init)
      return JSON.stringify([answer.status, await answer.json()])
    },
  })
  const client = await openBackend(createBackend({ name: 'a', tools: [fetching] }))
  const { content = [] } = await client.callTool('fetching', {}, options)
  return JSON.parse((content[0] as { text: string }).text)
}

const post = (body: string): RequestInit => ({ method: 'POST', body })
const weather = 'http://weather-tool.spin.internal/'

describe('fetch in a tool', () => {
  it('calls the tool that the host names, with the body as its arguments', async () => {
    const calls: unknown[] = []
    const onCallTool: CallOptions['onCallTool'] = (name, input) => {
      calls.push([name, input])
      return 'sunny'
    }
    expect(await seen(weather, post('{"location":"Oslo"}'), { onCallTool })).toEqual([
      200,
      { content: [{ type: 'text', text: 'sunny' }] },
    ])
    expect(calls).toEqual([['weather-tool', { location: 'Oslo' }]])
  })

  it('gives a failed tool as a result, and a tool that is not there as 404', async () => {
    const onCallTool = () => ToolResponse.error('no satellite')
    expect(await seen(weather, post(''), { onCallTool })).toMatchObject([200, { isError: true }])
    expect(await seen(weather, post(''))).toMatchObject([
      404,
      { error: { message: expect.stringMatching(/Unknown tool/) } },
    ])
  })

  it.each([
    ['no object', post('[1]'), 400],
    ['no JSON', post('{'), 400],
    ['another method', { method: 'GET' }, 405],
  ])('refuses %s', async (_what, init, status) => {
    expect(await seen(weather, init, { onCallTool: () => 'sunny' })).toMatchObject([status, { error: {} }])
  })

  it('is the fetch of the platform for any other host', async () => {
    const server = createServer((_request, response) => response.end('"from the network"'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await seen(`http://127.0.0.1:${port}/`, {})).toEqual([200, 'from the network'])
  })
})
