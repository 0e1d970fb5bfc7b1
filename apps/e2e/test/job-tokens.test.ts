import { hash } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually, replyIn } from '@junctor/testkit'
import { expect } from 'vitest'
import { inGateway } from '../src/in-gateway.ts'
import { createPuppet } from '../src/json-rpc-3/puppet.ts'
import { createLogRecorder } from '../src/log-recorder.ts'
import { rawRequest } from '../src/raw-request.ts'
import { verifies } from '../src/verifies.ts'

// A caller with `jobQ` and no credentials can only look at that job.

const config = {
  auth: { apiKeys: { ada: { hash: `sha256:${hash('sha256', 'key-of-ada', 'hex')}`, tenants: ['home', 'away'] } } },
  tenants: { home: { backends: ['puppet'] }, away: { backends: ['puppet'] } },
}
const ada = { authorization: 'Bearer key-of-ada' }
const puppetBackend = { puppet: { plugin: 'puppet' } }

interface JobAck {
  readonly jobId: string
  readonly jobQ: { readonly url: string; readonly authToken: string }
}

/** Posts a message, without credentials unless the headers contain some. */
async function post(url: string, message: object, headers: Readonly<Record<string, string>> = {}) {
  const all = { accept: 'application/json, application/x-ndjson', 'content-type': 'application/json', ...headers }
  const answer = await rawRequest(url, { headers: all, body: JSON.stringify({ jsonrpc: '3.0', id: 9, ...message }) })
  const session = String(answer.headers['mcp-session-id'])
  return { status: answer.status, session, message: replyIn(await answer.text()) }
}

const placeOf = (url: string, path: string): string => new URL(path, url).href

verifies(['ACCESS-9', 'C-11.1'], { ways: ['http'] }, async (cell) => {
  const puppet = createPuppet(['play'])
  const { log, records } = createLogRecorder()
  await inGateway(
    cell,
    puppetBackend,
    async ({ gateway }) => {
      const [first = '', second = first] = gateway.urls
      const home = placeOf(first, '/mcp/home')
      const { session } = await post(home, { method: 'rpc.extensions', params: { extensions: ['async'] } }, ada)
      const submit = async (id: number): Promise<JobAck> => {
        const hers = { ...ada, 'mcp-session-id': session }
        const { message } = await post(home, { id, method: 'play', params: {}, options: { async: true } }, hers)
        return message['ack'] as unknown as JobAck
      }
      const { jobId, jobQ } = await submit(1)
      const { authToken, url } = jobQ
      expect(url).toBe('/mcp/home/jobs')
      const [call] = await eventually(() => {
        expect(puppet.calls).toHaveLength(1)
        return puppet.calls
      })
      const other = await submit(2)
      // As params, or as a bearer token. On the node that accepted the job, and on another.
      const bearer = { authorization: `Bearer ${authToken}` }
      const result = { method: 'job.result', params: { authToken } }
      const waiting = [
        post(placeOf(first, url), result),
        post(placeOf(second, url), result),
        post(placeOf(second, url), { method: 'job.result' }, bearer),
      ]
      for (const at of [first, second]) {
        // oxlint-disable-next-line no-await-in-loop
        const { message } = await post(placeOf(at, url), { method: 'job.status', params: { jobId, authToken } })
        expect(message).toMatchObject({ id: 9, result: { jobId, status: 'running' } })
      }
      call?.finish('done for ada')
      for (const { status, message } of await Promise.all(waiting)) {
        expect(status).toBe(200)
        expect(message).toEqual({ jsonrpc: '3.0', id: 1, result: 'done for ada' })
      }

      const unknown = { jsonrpc: '3.0', id: 9, error: expect.objectContaining({ code: -32004 }) }
      const never = await post(placeOf(second, url), {
        method: 'job.result',
        params: { authToken: `${'a'.repeat(22)}.${'b'.repeat(32)}.j_${'c'.repeat(22)}` },
      })
      expect(never).toMatchObject({ status: 200, message: unknown })
      // For every mistake, the answer is the same as for a job that never existed.
      const [owner = '', secret = '', id = ''] = authToken.split('.')
      const wrong: readonly (readonly [string, object])[] = [
        [url, { authToken: `${authToken}x` }],
        [url, { authToken: `${owner}.${secret.slice(1)}.${id}` }],
        [url, { authToken: `${owner}.${'b'.repeat(32)}.${id}` }],
        [url, { authToken: `${owner}.${secret}` }],
        [url, { authToken: `${owner}.${secret}.${other.jobId}` }],
        [url, { authToken, jobId: other.jobId }],
        [url, { authToken: '' }],
        [url, { authToken, jobId: null }],
        [url.replace('home', 'away'), { authToken }],
        [url.replace('home', 'nowhere'), { authToken }],
      ]
      for (const method of ['job.status', 'job.result']) {
        for (const [path, params] of wrong) {
          // oxlint-disable-next-line no-await-in-loop
          expect([params, await post(placeOf(second, path), { method, params })]).toEqual([params, never])
        }
      }
      // The token gives access to nothing else: no other method, no session, no stream, and no other endpoint.
      const refused: readonly (readonly [string, JsonObject])[] = [
        [url, { method: 'job.cancel', params: { authToken } }],
        [url, { method: 'play', params: { authToken } }],
        [url, { method: 'rpc.extensions', params: { authToken, extensions: [] } }],
        [url, { jsonrpc: '2.0', method: 'job.result', params: { authToken } }],
        ['/mcp/home', { method: 'job.result', params: { authToken } }],
        [url, { method: 'job.result', params: { jobId } }],
      ]
      for (const [path, message] of refused) {
        for (const headers of [{}, bearer]) {
          // In the header it is valid for `job.result` and `job.status`, regardless of the params.
          if (
            path === url &&
            message['method'] === 'job.result' &&
            message['jsonrpc'] !== '2.0' &&
            'authorization' in headers
          ) {
            continue
          }
          // oxlint-disable-next-line no-await-in-loop
          expect([message, (await post(placeOf(first, path), message, headers)).status]).toEqual([message, 401])
        }
      }
      await eventually(() => expect(puppet.calls).toHaveLength(2))
      puppet.calls[1]?.finish('done')
      // A caller with credentials needs no token, and an additional token does not matter.
      const own = await post(placeOf(second, url), { method: 'job.result', params: { jobId } }, ada)
      expect(own.message).toMatchObject({ id: 1, result: 'done for ada' })
      expect(JSON.stringify(records)).not.toContain(secret)
    },
    { config, plugins: [puppet.plugin], log },
  )
})
