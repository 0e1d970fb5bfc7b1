import { hash } from 'node:crypto'
import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { demo, inGateway } from '../src/in-gateway.ts'
import { createPuppet, type Puppet, type PuppetCall } from '../src/json-rpc-3/puppet.ts'
import { verifies } from '../src/verifies.ts'
import { openWire } from '../src/wire-client.ts'

// Requests of JSON-RPC 3.0 whose results are collected elsewhere, and the isolation of callers.

const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })
const config = { auth: { apiKeys: { ada: keyOf('key-of-ada'), eve: keyOf('key-of-eve') } } }
const ada = { authorization: 'Bearer key-of-ada' }
const eve = { authorization: 'Bearer key-of-eve' }

interface JobAck {
  readonly jobId: string
  readonly jobQ: { readonly url: string; readonly authToken: string; readonly ttl: string }
}

/** Posts a message of 3.0. Returns the messages of the response, and the session. */
async function post(url: string, text: string, headers: Readonly<Record<string, string>>): Promise<Posted> {
  const accept = 'application/json, application/x-ndjson'
  const all = { accept, 'content-type': 'application/json', ...headers }
  const response = await fetch(url, { method: 'POST', headers: all, body: text })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  const session = response.headers.get('mcp-session-id') ?? ''
  return { status: response.status, session, messages: lines.map((line) => JSON.parse(line) as JsonObject) }
}

interface Posted {
  readonly status: number
  readonly session: string
  readonly messages: readonly JsonObject[]
}

const agree = (extensions: readonly string[]): string => request('agree', 'rpc.extensions', { extensions })

function request(id: number | string, method: string, params: object, options?: object): string {
  return JSON.stringify({ jsonrpc: '3.0', method, params, id, ...(options && { options }) })
}

function jobOf(message: JsonObject | undefined): JobAck {
  return (message ?? {})['ack'] as unknown as JobAck
}

function untilCall({ calls }: Puppet, index: number): Promise<PuppetCall> {
  return eventually(() => {
    const call = calls[index]
    if (call === undefined) throw new Error('Expected the call to reach the backend')
    return call
  })
}

verifies(['C-5.3', 'C-11.1'], { ways: ['http'] }, async (cell) => {
  // Section 11.1.3, with the option that requests it.
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const [first = '', second = first] = gateway.urls
      const { session } = await post(first, agree(['async']), ada)
      const add = '{"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1, "options": {"async": true}}'
      const [message] = (await post(first, add, { ...ada, 'mcp-session-id': session })).messages
      expect(message).toEqual({
        jsonrpc: '3.0',
        ack: {
          jobId: expect.stringMatching(/^j_[\w-]{22}$/),
          jobQ: { url: 'https://q.example/mcp/default/jobs', authToken: expect.any(String), ttl: '36h' },
        },
        id: 1,
      })
      const { jobId, jobQ } = jobOf(message)
      // The same caller on another node, and a client that was given the token.
      const own = await post(second, request('q', 'job.result', { jobId }), ada)
      expect(own.messages).toEqual([{ jsonrpc: '3.0', result: 3, id: 1 }])
      const given = { jobId, authToken: jobQ.authToken }
      expect((await post(second, request('q', 'job.result', given), eve)).messages).toEqual(own.messages)
      // `jobQ` contains everything that is needed: the URL and the token.
      const { authToken } = jobQ
      const there = new URL(new URL(jobQ.url).pathname, second).href
      for (const headers of [eve, {}]) {
        // oxlint-disable-next-line no-await-in-loop
        expect((await post(there, request('q', 'job.result', { authToken }), headers)).messages).toEqual(own.messages)
      }
    },
    { config: { ...config, publicUrl: 'https://q.example' } },
  )
})

verifies('C-5.3', {}, async (cell) => {
  // On every transport, with an option.
  await inGateway(cell, { demo: demo() }, async ({ gateway }) => {
    const wire = await openWire(gateway, cell)
    await wire.send(JSON.parse(agree(['async'])) as JsonObject)
    await wire.until(({ message: { id } }) => id === 'agree')
    await wire.send(JSON.parse(request(1, 'add', [1, 2], { async: true })) as JsonObject)
    const { message } = await wire.until(({ message: { ack } }) => ack !== undefined)
    const { jobId } = jobOf(message)
    await wire.send(JSON.parse(request(2, 'job.result', { jobId })) as JsonObject)
    const collected = await wire.until(({ message: { result } }) => result === 3)
    expect(collected.message).toEqual({ jsonrpc: '3.0', result: 3, id: 1 })
    await wire.send(JSON.parse(request(3, 'job.status', { jobId })) as JsonObject)
    const status = await wire.until(({ message: { id } }) => id === 3)
    expect(status.message).toMatchObject({ result: { jobId, status: 'succeeded' } })
    await wire.close()
  })
})

verifies('C-10', { ways: ['http'] }, async (cell) => {
  const puppet = createPuppet(['play'])
  await inGateway(
    cell,
    { puppet: { plugin: 'puppet' } },
    async ({ gateway }) => {
      const [first = '', second = first] = gateway.urls
      const stranger = await post(first, agree([]), {})
      expect(stranger.status).toBe(401)
      expect(stranger.messages).toMatchObject([{ jsonrpc: '3.0', id: 'agree', error: { title: expect.any(String) } }])
      const extensions = ['async', 'abort']
      const hers = { ...ada, 'mcp-session-id': (await post(first, agree(extensions), ada)).session }
      const own = { ...eve, 'mcp-session-id': (await post(first, agree(extensions), eve)).session }
      // Streams of two callers with the same id.
      const play = request(1, 'play', {}, { stream: true })
      const listening = post(first, play, hers)
      const her = await untilCall(puppet, 0)
      const other = post(second, play, own)
      const eves = await untilCall(puppet, 1)
      await her.exchange.chunk('for ada')
      await eves.exchange.chunk('for eve')
      // Neither the session of another caller nor an id from another session gives access to a stream.
      const foreign = { ...eve, 'mcp-session-id': hers['mcp-session-id'] }
      const cancel = JSON.stringify({ jsonrpc: '3.0', method: 'request.cancel', params: { stream: true, id: 1 } })
      const abort = JSON.stringify({ jsonrpc: '3.0', options: { stream: 1, abort: true } })
      for (const url of [first, second]) {
        for (const text of [cancel, abort]) {
          // oxlint-disable-next-line no-await-in-loop
          expect((await post(url, text, foreign)).status).toBe(404)
        }
      }
      await post(second, cancel, own)
      expect((await other).messages.at(-1)).toMatchObject({ stream: { id: 1 }, error: { code: -32800 } })
      expect(her.exchange.ended).toBeUndefined()
      her.finish('ended well')
      const received = await listening
      expect(received.messages.at(-1)).toEqual({ jsonrpc: '3.0', stream: { id: 1 }, result: 'ended well' })
      expect(JSON.stringify(received)).not.toContain('for eve')
      expect(JSON.stringify(await other)).not.toContain('for ada')
      // Nor is another caller's job accessible without its token.
      const [message] = (await post(first, request(2, 'play', {}, { async: true }), hers)).messages
      const { jobId } = jobOf(message)
      ;(await untilCall(puppet, 2)).finish('secret of ada')
      for (const method of ['job.status', 'job.result', 'job.cancel']) {
        for (const params of [{ jobId }, { jobId, authToken: 'guessed' }]) {
          // oxlint-disable-next-line no-await-in-loop
          const { messages } = await post(second, request(3, method, params), eve)
          expect(messages).toMatchObject([{ id: 3, error: { code: -32004 } }])
          expect(JSON.stringify(messages)).not.toContain('secret')
        }
      }
      const { messages } = await post(second, request(4, 'job.result', { jobId }), ada)
      expect(messages).toEqual([{ jsonrpc: '3.0', id: 2, result: 'secret of ada' }])
    },
    { config, plugins: [puppet.plugin] },
  )
})
