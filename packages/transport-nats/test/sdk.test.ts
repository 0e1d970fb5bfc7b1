import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { eventually, startNatsServer } from '@junctor/testkit'
import { connect } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSdkClientTransport, type SdkClientTransportOptions } from '../src/index.ts'
import { busFixture } from './bus-fixture.ts'
import { serve } from './front-fixture.ts'

const bus = busFixture()

const me = { name: 'test', version: '1' }

function transport(options: Partial<SdkClientTransportOptions> = {}): ReturnType<typeof createSdkClientTransport> {
  const headers = { authorization: 'Bearer good' }
  return createSdkClientTransport({
    connection: bus.connection,
    cluster: 'test',
    client: 'a client.*',
    headers,
    ...options,
  })
}

interface Watched {
  readonly one: ReturnType<typeof createSdkClientTransport>
  readonly received: unknown[]
  readonly errors: string[]
  /** How often the transport has called `onclose`. */
  readonly closed: () => number
}

function watched(options?: Partial<SdkClientTransportOptions>): Watched {
  const [received, errors]: [unknown[], string[]] = [[], []]
  let closed = 0
  const one = Object.assign(transport(options), {
    onmessage: (message: unknown) => void received.push(message),
    onerror: ({ message }: Error) => void errors.push(message),
    onclose: () => void (closed += 1),
  })
  return { one, received, errors, closed: () => closed }
}

describe('a transport for clients of the official SDKs', () => {
  test('asks for a channel, sends and receives', async () => {
    const { front } = await serve(bus.nats)
    const { one, received } = watched()
    await one.start()
    await one.send({ jsonrpc: '2.0', id: 0, method: 'initialize' })
    await eventually(() => expect(received).toHaveLength(2))
    await one.send({ jsonrpc: '2.0', id: 1, method: 'large' })
    await eventually(() => expect(received).toHaveLength(3))
    expect(front.heads).toMatchObject([{ tenant: 'default' }])
    await one.close()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    await expect(one.send({})).rejects.toThrow('none')
  })

  test.each([
    ['with no credentials that are good', { headers: { authorization: 'Bearer bad' } }, '401'],
    ['at an unknown tenant', { tenant: 'nobody' }, '404'],
  ])('is refused %s', async (_, options, status) => {
    await serve(bus.nats)
    await expect(new Client(me).connect(transport(options))).rejects.toThrow(status)
    await expect(new ClientV2(me).connect(transport(options))).rejects.toThrow(status)
  })

  test('reports that there is no gateway', async () => {
    await serve(bus.nats)
    await expect(new Client(me).connect(transport({ cluster: 'other' }))).rejects.toMatchObject({
      code: 'BACKEND_UNREACHABLE',
    })
  })

  test('closes when the gateway closes the channel', async () => {
    const { server } = await serve(bus.nats)
    const { one, errors, closed } = watched()
    await one.start()
    // The server knows that the client receives.
    await bus.connection.flush()
    await server.close(0)
    await eventually(() => expect(closed()).toBe(1))
    expect(errors).toEqual(['The channel on NATS has ended: going_away'])
  })

  test('closes when the gateway has vanished', async () => {
    const { connection: theirs } = await serve(bus.nats)
    const { one, closed } = watched({ limits: { streamKeepAliveMs: 300 } })
    await one.start()
    await theirs.close()
    await eventually(() => expect(closed()).toBe(1))
  })

  test('closes when the connection to NATS is lost', async () => {
    const other = await startNatsServer({ jetStream: false })
    onTestFinished(() => other.stop())
    await serve(other)
    const mine = await connect({ servers: other.url })
    onTestFinished(() => mine.close())
    const { one, closed } = watched({ connection: mine })
    await one.start()
    await other.restart()
    await eventually(() => expect(closed()).toBe(1))
  })

  test('that is started while NATS is restarted has a channel when the gateway is back', async () => {
    const other = await startNatsServer({ jetStream: false })
    onTestFinished(() => other.stop())
    await serve(other)
    const mine = await connect({ servers: other.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 })
    onTestFinished(() => mine.close())
    const { one, received } = watched({ connection: mine })
    await other.kill()
    const starting = one.start()
    await other.restart()
    await starting
    await one.send({ jsonrpc: '2.0', id: 0, method: 'echo' })
    await eventually(() => expect(received).toHaveLength(1))
    await one.close()
  })

  test('rejects when its connection to NATS is closed meanwhile', async () => {
    const other = await startNatsServer({ jetStream: false })
    onTestFinished(() => other.stop())
    const mine = await connect({ servers: other.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 })
    const { one } = watched({ connection: mine })
    await other.kill()
    const starting = one.start()
    await mine.close()
    await expect(starting).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
  })

  test('is started once', async () => {
    await serve(bus.nats)
    const one = transport()
    await one.start()
    await expect(one.start()).rejects.toThrow('not started')
    await one.close()
  })

  test('that was closed before it had a channel opens none', async () => {
    const { front } = await serve(bus.nats, { streamKeepAliveMs: 300 })
    const one = transport()
    const starting = one.start()
    await one.close()
    await expect(starting).rejects.toThrow('closed')
    expect(front.heads).toHaveLength(1)
  })
})
