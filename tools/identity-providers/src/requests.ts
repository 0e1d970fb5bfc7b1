import type { Realm, RegisteredClient } from './keycloak/make-realm.ts'

/** A token for a program of its own, from its service account. */
export async function tokenOfProgram(realm: Realm, { id, secret }: RegisteredClient, scope: string): Promise<string> {
  const answer = await fetch(`${realm.issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  })
  const { access_token: token } = (await answer.json()) as { readonly access_token?: string }
  if (token === undefined) throw new Error(`Expected a token for ${id}, got status ${answer.status}`)
  return token
}

/** Revokes a token (RFC 7009). */
export async function revoke(realm: Realm, { id, secret }: RegisteredClient, token: string): Promise<void> {
  const answer = await fetch(`${realm.issuer}/protocol/openid-connect/revoke`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
  })
  await answer.text()
  if (!answer.ok) throw new Error(`Expected that the token is revoked, got status ${answer.status}`)
}

/** The answer to a ping with a token: its status, and why it was refused. */
export async function pinged(
  endpoint: string,
  token: string | undefined,
): Promise<{ readonly status: number; readonly why: string }> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await answer.text()
  return { status: answer.status, why: answer.headers.get('www-authenticate') ?? '' }
}
