import { processClientCredentialsResponse } from 'oauth4webapi'
import { expect, test } from 'vitest'
import { askedPauseOf, guardToken, oauthErrorOf } from './token-failure.ts'

/** The error for this answer of a token endpoint. */
async function failureFor(status: number, body: string, headers: Record<string, string> = {}): Promise<unknown> {
  const type = body.startsWith('{') ? 'application/json' : 'text/html'
  const answer = new Response(body, { status, headers: { 'content-type': type, ...headers } })
  return guardToken(() =>
    processClientCredentialsResponse({ issuer: 'https://id.example.com' }, { client_id: 'gw' }, answer),
  ).catch((error: unknown) => error)
}

const json = (error: string): string => JSON.stringify({ error, error_description: 'a secret' })

test.each([
  ['a page', 429, '<p>a secret</p>'],
  ['an error', 429, json('slow_down')],
  ['a page', 503, '<p>a secret</p>'],
  ['an error', 503, json('temporarily_unavailable')],
])('a server that is busy has refused nothing: %s with %i', async (_what, status, body) => {
  const error = await failureFor(status, body, { 'retry-after': '7' })
  expect(error).toMatchObject({
    code: 'BACKEND_UNREACHABLE',
    problem: `The authorization server issues no token now (HTTP ${status})`,
  })
  expect([oauthErrorOf(error), askedPauseOf(error)]).toEqual([undefined, 7_000])
  expect(askedPauseOf(await failureFor(status, body))).toBeUndefined()
})

test.each([
  [400, 'invalid_grant'],
  [401, 'invalid_client'],
])('a refusal is one, whatever else the answer says: %i %s', async (status, code) => {
  const error = await failureFor(status, json(code), { 'retry-after': '7' })
  expect(error).toMatchObject({ code: 'BACKEND_REFUSED', problem: `The authorization server issues no token: ${code}` })
  expect([oauthErrorOf(error), askedPauseOf(error)]).toEqual([code, undefined])
})
