import type { IncomingMessage, ServerResponse } from 'node:http'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test } from 'vitest'
import { fetchAnywhere } from './fetch-anywhere.ts'

/** A gateway that answers from a script, and counts its requests. */
async function startGateway(
  ...doings: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]
): Promise<{ anywhere: { urls: () => string[]; nats: string[] }; asked: () => number }> {
  let asked = 0
  const { origin, close } = await startHttpServer((request, response) => {
    doings[Math.min(asked, doings.length - 1)]?.(request, response)
    asked += 1
  })
  onTestFinished(close)
  return { anywhere: { urls: () => [origin], nats: [] }, asked: () => asked }
}

const isKilled = (request: IncomingMessage): void => void request.socket.resetAndDestroy()
const answers =
  (status: number) =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status).end()

const posted = (message: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ jsonrpc: '2.0', ...message }),
})

test('an answer to the gateway is sent again until it was accepted', async () => {
  const { anywhere, asked } = await startGateway(isKilled, answers(503), answers(202))
  expect((await fetchAnywhere(anywhere, posted({ id: 'q', result: {} }))).status).toBe(202)
  expect(asked()).toBe(3)
})

test('an answer in a session that is gone is not sent again', async () => {
  const { anywhere, asked } = await startGateway(answers(404))
  await expect(fetchAnywhere(anywhere, posted({ id: 'q', result: {} }))).rejects.toThrow('404')
  expect(asked()).toBe(1)
})

test('a request is sent once, because it may have run', async () => {
  const { anywhere, asked } = await startGateway(isKilled, answers(202))
  await expect(fetchAnywhere(anywhere, posted({ id: 1, method: 'tools/call' }))).rejects.toThrow('lost')
  expect(asked()).toBe(1)
})
