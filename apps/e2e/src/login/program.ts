import { type PersonWithBrowser, redirectUrl } from '@junctor/testkit'
import { createHash, randomBytes } from 'node:crypto'
import type { Site } from './with-login.ts'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A client without a library. */
export class Program {
  readonly #site: Site
  readonly verifier: string = randomBytes(32).toString('base64url')
  id = ''

  constructor(site: Site) {
    this.#site = site
  }

  async register(more: object = {}): Promise<Answer> {
    const answer = await this.post('/oauth/register', {
      client_name: 'program',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...more,
    })
    this.id = String(answer.body['client_id'])
    return answer
  }

  page(more: Readonly<Record<string, string>> = {}): URL {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url')
    const params = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: redirectUrl,
      scope: 'mcp offline_access',
      state: 'a state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${this.#site.url}/mcp`,
      ...more,
    }
    return new URL(`${this.#site.url}/oauth/authorize?${new URLSearchParams(params).toString()}`)
  }

  async code(more: Readonly<Record<string, string>>, person: PersonWithBrowser): Promise<string> {
    const { searchParams } = await person.authorize(this.page(more), redirectUrl)
    if (searchParams.get('state') !== 'a state') throw new Error('Expected the state that was sent')
    if (searchParams.get('iss') !== this.#site.url) throw new Error('Expected the issuer in the answer (RFC 9207)')
    return String(searchParams.get('code'))
  }

  redeem(code: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const usual = {
      grant_type: 'authorization_code',
      code,
      client_id: this.id,
      redirect_uri: redirectUrl,
      code_verifier: this.verifier,
    }
    return this.form('/oauth/token', { ...usual, ...more })
  }

  form(path: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    return this.#send(path, { body: new URLSearchParams(fields) })
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.#send(path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const answer = await fetch(`${this.#site.url}${path}`, { method: 'POST', ...init })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
}
