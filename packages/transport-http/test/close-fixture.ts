import { silentLog } from '@junctor/contracts'
import { createFixtureGateway } from './gateway-fixture.ts'
import { callOf, readAll, start } from './http-fixture.ts'
import { createHttpFront } from '../src/front/http-front.ts'

// A process that serves a few answers of every kind, closes its front, and must then exit without a call of exit().
const gateway = createFixtureGateway()
const front = createHttpFront({ front: gateway, listen: { host: '127.0.0.1', port: 0 }, log: silentLog })
const { port } = await front.listen()
const session = gateway.open('2025-11-25')

const responses = [
  start(port, { session, body: callOf('echo') }),
  start(port, { method: 'GET', session }),
  start(port, { session, body: callOf('wait') }),
]
const rounds = [await gateway.round(), await gateway.round()]
for (const { sink } of rounds) sink.open()
const opened = await Promise.all(responses)
const texts = Promise.all(opened.map(readAll))
await front.close(20)
await texts

// Emitted when nothing keeps the process alive any more: no socket, no timer.
process.once('beforeExit', () => process.stdout.write(JSON.stringify(opened.map(({ statusCode }) => statusCode))))
