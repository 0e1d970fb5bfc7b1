import { expect, onTestFinished, test } from 'vitest'
import { startHttpServer } from './start-http-server.ts'
import { webAnswer } from './web-answer.ts'

async function serve(fetch: Parameters<typeof webAnswer>[0]): Promise<string> {
  const { origin, close } = await startHttpServer(webAnswer(fetch))
  onTestFinished(close)
  return origin
}

test('requests and answers pass whole', async () => {
  const origin = await serve(async (received) => {
    const { pathname, search } = new URL(received.url)
    const words = [received.method, pathname, search, received.headers.get('x-sent'), await received.text()]
    return new Response(JSON.stringify(words), { status: 201, headers: { 'x-given': 'yes' } })
  })
  const answer = await fetch(`${origin}/a?b=c`, { method: 'POST', headers: { 'x-sent': 'one' }, body: 'grüße' })
  expect([answer.status, answer.headers.get('x-given')]).toEqual([201, 'yes'])
  expect(await answer.json()).toEqual(['POST', '/a', '?b=c', 'one', 'grüße'])
})

test('an answer may have no body', async () => {
  const origin = await serve(async () => new Response(null, { status: 202 }))
  const answer = await fetch(origin)
  expect([answer.status, await answer.text()]).toEqual([202, ''])
})

test('a client that leaves aborts its request', async () => {
  const received = Promise.withResolvers<AbortSignal>()
  const origin = await serve(({ signal }) => {
    received.resolve(signal)
    return new Promise(() => {})
  })
  const leaving = new AbortController()
  const asked = fetch(origin, { signal: leaving.signal })
  const signal = await received.promise
  expect(signal.aborted).toBe(false)
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  await expect.poll(() => signal.aborted).toBe(true)
})
