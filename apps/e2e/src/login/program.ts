import { type PersonWithBrowser, redirectUrl } from '@junctor/testkit'
import { createHash, randomBytes } from 'node:crypto'
import type { Site } from './with-login.ts'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Where the steps of a login are, by their names in the metadata of the server (RFC 8414). */
interface Endpoints {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string
}

/** A client without a library. */
export class Program {
  readonly #site: Site
  readonly #endpoints: Endpoints
  readonly verifier: string = randomBytes(32).toString('base64url')
  id = ''
  /** Headers of every request, besides those that it needs. */
  headers: Readonly<Record<string, string>> = {}

  /** @param endpoints those that it was told of. Default: the paths that a gateway has without configuration */
  constructor(site: Site, endpoints?: Endpoints) {
    this.#site = site
    this.#endpoints = endpoints ?? {
      authorization_endpoint: `${site.url}/oauth/authorize`,
      token_endpoint: `${site.url}/oauth/token`,
      registration_endpoint: `${site.url}/oauth/register`,
    }
  }

  async register(more: object = {}): Promise<Answer> {
    const answer = await this.post(this.#endpoints.registration_endpoint, {
      client_name: 'program',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...more,
    })
    this.id = String(answer.body['client_id'])
    return answer
  }

  /** @param more parameters; an empty one is left out */
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
    const page = new URL(this.#endpoints.authorization_endpoint)
    for (const [name, value] of Object.entries(params)) if (value !== '') page.searchParams.set(name, value)
    return page
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
    return this.form(this.#endpoints.token_endpoint, { ...usual, ...more })
  }

  /** @param at a path below the public URL, or a URL */
  form(at: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    return this.#send(at, { body: new URLSearchParams(fields) })
  }

  /** @param at a path below the public URL, or a URL */
  post(at: string, body: unknown): Promise<Answer> {
    return this.#send(at, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  }

  async #send(at: string, init: RequestInit): Promise<Answer> {
    const headers = { ...this.headers, ...(init.headers as Readonly<Record<string, string>> | undefined) }
    const url = at.startsWith('/') ? `${this.#site.url}${at}` : at
    const answer = await fetch(url, { method: 'POST', ...init, headers })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
}
