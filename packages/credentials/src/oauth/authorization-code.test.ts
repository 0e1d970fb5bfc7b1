import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { refreshTokens } from './authorization-code.ts'
import { createOAuthHttp } from './oauth-http.ts'

/** Renews a token at a server that gives this answer. */
async function refreshAt(status: number, body: string) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createOAuthHttp([issuer])
  onTestFinished(async () => {
    await http.close()
    server.close()
  })
  const authorizationServer = { issuer, token_endpoint: `${issuer}/token` }
  return refreshTokens(
    {
      server: { resource: `${issuer}/mcp`, scope: undefined, issuer, authorizationServer },
      client: { clientId: 'c', proof: { kind: 'none' } },
      refreshToken: 'r0',
    },
    { http, now: () => 0 },
  )
}

test.each([
  [400, { error: 'invalid_grant' }, 'invalid_grant'],
  [200, { error: 'invalid_grant' }, 'invalid_grant'],
  // GitHub.
  [200, { error: 'bad_refresh_token', error_description: 'It is incorrect or expired' }, 'invalid_grant'],
  // Slack.
  [200, { ok: false, error: 'invalid_refresh_token' }, 'invalid_grant'],
  [200, { error: 'temporarily_unavailable' }, 'temporarily_unavailable'],
  [200, { error: 1 }, undefined],
  [200, { message: '"error"' }, undefined],
])('a refusal with the status %d and %j has the cause %s', async (status, body, cause) => {
  const refusal: unknown = await refreshAt(status, JSON.stringify(body)).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'BACKEND_REFUSED', cause })
})

test.each(['', '<html>"error"</html>', '["error"]', '"error"'])(
  'the answer %j has neither a token nor the error of a refusal',
  async (body) => {
    const failure: unknown = await refreshAt(200, body).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'BACKEND_REFUSED', cause: undefined })
  },
)

test('an answer with a token is not a refusal, whatever else it has', async () => {
  const answer = { access_token: 'a1', token_type: 'bearer', error: '' }
  expect(await refreshAt(200, JSON.stringify(answer))).toMatchObject({ accessToken: 'a1', refreshToken: 'r0' })
})
