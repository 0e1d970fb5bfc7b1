import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { expect, test } from 'vitest'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { createConsent } from './consent.ts'
import type { Grant } from './grant.ts'

const [former, configured] = ['https://former.example', 'https://as.example']

const grantOf = (issuer: string): Grant => ({
  tokens: { accessToken: 'a', refreshToken: 'r', expires: 0, scope: null },
  issuer,
  resource: 'https://api.example/mcp',
  scope: null,
  client: { clientId: 'gateway', secret: 'former' },
  since: 1,
})

/** Renews a grant of this issuer, with a client of the configuration. Returns what the issuer got as proof of the client. */
async function proofFor(issuer: string): Promise<string | null> {
  let sent: string | null = null
  const http = {
    namedHosts: new Set(),
    document: async (url: string) => {
      const { origin } = new URL(url)
      return Response.json({ issuer: origin, token_endpoint: `${origin}/token` })
    },
    options: {
      [allowInsecureRequests]: true,
      async [customFetch](_url: string, { headers }: { readonly headers: Record<string, string> }) {
        sent = new Headers(headers).get('authorization')
        return Response.json({ access_token: 'b', token_type: 'bearer' })
      },
    },
  } as unknown as OAuthHttp
  const client = { clientId: 'gateway', proof: { kind: 'secret', secret: 's' } } as const
  const consent = createConsent({
    serverUrl: 'https://api.example/mcp',
    issuer: configured,
    scope: undefined,
    redirectUri: 'https://gw.example/callback',
    clients: { configured: client } as never,
    pending: undefined as never,
    http,
    now: () => 0,
  })
  const send = await consent.prepareRefresh(grantOf(issuer))
  await send()
  return sent
}

test('the secret of the configuration goes to the issuer of the configuration alone', async () => {
  expect(await proofFor(configured)).toBe(`Basic ${btoa('gateway:s')}`)
  // A grant of before the configuration has changed.
  expect(await proofFor(former)).toBe(`Basic ${btoa('gateway:former')}`)
})
