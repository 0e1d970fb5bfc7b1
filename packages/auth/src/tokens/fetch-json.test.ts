import { afterEach, beforeEach, expect, test } from 'vitest'
import { endless, json, startTestIssuer, type TestIssuer, text } from '../../test/support/test-issuer.ts'
import { fetchJson } from './fetch-json.ts'

let server: TestIssuer
beforeEach(async () => {
  server = await startTestIssuer()
})
afterEach(() => server.close())

const read = (path = '/x', withinMs = 10_000): Promise<unknown> =>
  fetchJson(new URL(path, server.issuer), AbortSignal.timeout(withinMs))

test('reads a document of any content type', async () => {
  server.answers.set('/x', text('{"a":[1]}', 200, { 'content-type': 'text/plain' }))
  expect(await read()).toEqual({ a: [1] })
})

test('a redirect is not followed', async () => {
  server.answers.set('/x', text('', 302, { location: `${server.issuer}/elsewhere` }))
  server.answers.set('/elsewhere', json({ keys: [] }))
  await expect(read()).rejects.toThrow(/expected 200 of .*, got 302/)
  expect(server.asked).toEqual(['/x'])
})

test.each([
  ['an error', text('{}', 500), /got 500/],
  ['nothing', text('', 204), /got 204/],
  ['no body', text(''), /expected JSON/],
  ['a page', text('<html>secret</html>'), /expected JSON of [^<]*, got something else$/],
  ['half of it', text('{"keys":['), /expected JSON/],
  ['10 MB', text('x'.repeat(10_000_000)), /expected at most 1048576 bytes/],
  ['no end', endless('x'.repeat(100_000), 1), /expected at most 1048576 bytes/],
])('%s is refused', async (_name, answer, message) => {
  server.answers.set('/x', answer)
  await expect(read()).rejects.toThrow(message)
})

test.each([
  ['never answers', (): void => {}],
  ['answers a byte at a time', endless(' ', 5)],
])('a server that %s is not waited for', async (_name, answer) => {
  server.answers.set('/x', answer)
  await expect(read('/x', 60)).rejects.toThrow(/timeout/)
})

test('a server that is not there is reported immediately', async () => {
  await server.close()
  await expect(read()).rejects.toThrow('fetch failed')
})
