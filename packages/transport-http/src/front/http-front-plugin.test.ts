import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { createFixtureGateway, type FixtureGateway } from '../../test/gateway-fixture.ts'
import { httpFrontPlugin } from './http-front-plugin.ts'
import { callOf, readAll, send, start } from '../../test/http-fixture.ts'

/** A server of another program, with the endpoint on it. */
async function host(
  prepare: (app: FastifyInstance) => void,
): Promise<{ gateway: FixtureGateway; port: number; app: FastifyInstance }> {
  const gateway = createFixtureGateway()
  const app = fastify({ forceCloseConnections: true })
  prepare(app)
  await app.register(httpFrontPlugin, { front: gateway, log: silentLog, prefix: '/gateway' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return { gateway, app, port: (app.server.address() as AddressInfo).port }
}

describe('on a server of another program', () => {
  test('answers below its prefix, and changes no other route', async () => {
    const { gateway, port } = await host((app) => {
      app.post('/own', (request, reply) => reply.send({ got: request.body }))
      app.setErrorHandler((_error, _request, reply) => reply.code(418).send('own error'))
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('own not found'))
    })
    const session = gateway.open('2025-11-25')
    const call = { session, body: callOf('echo', { a: 1 }) }
    expect(await send(port, { ...call, path: '/gateway/mcp' })).toMatchObject({
      status: 200,
      text: '{"jsonrpc":"2.0","id":1,"result":{"a":1}}',
    })
    expect(await send(port, { path: '/own', body: '{"b":2}' })).toMatchObject({ status: 200, text: '{"got":{"b":2}}' })
    expect(await send(port, { path: '/own', body: '{' })).toMatchObject({ status: 418, text: 'own error' })
    expect(await send(port, { method: 'GET', path: '/elsewhere' })).toMatchObject({
      status: 404,
      text: 'own not found',
    })
  })

  test('obeys hooks that run before it, with the error texts of the catalogue', async () => {
    const { gateway, port } = await host((app) => {
      app.addHook('preHandler', async (request) => {
        const failure = request.headers['x-fail']
        if (failure !== undefined) throw Object.assign(new Error('secret of the host'), { statusCode: Number(failure) })
      })
    })
    for (const status of [429, 401, 403, 503, 500, 418]) {
      const answer = await send(port, {
        path: '/gateway/mcp',
        headers: { 'x-fail': `${status}` },
        body: callOf('echo'),
      })
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } })
      expect(answer.text).not.toContain('secret')
    }
    expect(gateway.received).toEqual([])
  })

  test('ends its streams when the server closes', async () => {
    const { gateway, port, app } = await host(() => {})
    const response = start(port, { path: '/gateway/mcp', method: 'GET', session: gateway.open('2025-11-25') })
    const { sink, ownerCalls } = await gateway.round()
    sink.open()
    const text = readAll(await response)
    await app.close()
    expect(await text).toBe('retry: 1000\n\n')
    expect(ownerCalls).toEqual(['lost'])
  })
})
