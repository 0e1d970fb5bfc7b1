import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'

/** What one person has granted, at its issuer. */
export interface IssuedGrant {
  readonly person: string
  /** The only refresh token that is good. Undefined: the grant has ended. */
  refresh: string | undefined
  /** All refresh tokens that it has had. */
  readonly known: Set<string>
}

/** The members of a form. */
export type Form = Readonly<Record<string, string>>

/** Tokens live so long that each is renewed after about a second. */
const tokenSeconds = 31

const secret = (): string => randomBytes(16).toString('hex')

/** Issues tokens. Refresh tokens rotate; one that comes again ends its grant, and so does the end of any of its tokens. */
export class GrantAuthority {
  readonly grants: IssuedGrant[] = []
  /** How often a refresh token of a good grant came that was used before. */
  reuses = 0
  readonly #codes = new Map<string, string>()
  readonly #access = new Map<string, IssuedGrant>()

  /** The code for a person who has agreed. */
  codeFor(person: string): string {
    const code = secret()
    this.#codes.set(code, person)
    return code
  }

  /** The grant of an access token. Undefined: it is not good. */
  grantOf(token: string): IssuedGrant | undefined {
    const grant = this.#access.get(token)
    return grant?.refresh === undefined ? undefined : grant
  }

  /** Answers a request for tokens. Undefined: it is refused. */
  token({ grant_type: type, code = '', refresh_token: sent = '' }: Form): JsonObject | undefined {
    return type === 'authorization_code' ? this.#first(code) : this.#next(sent)
  }

  /** Ends the grant of a refresh token. */
  revoke({ token = '' }: Form): void {
    const grant = this.#knowing(token)
    if (grant !== undefined) grant.refresh = undefined
  }

  #first(code: string): JsonObject | undefined {
    const person = this.#codes.get(code)
    this.#codes.delete(code)
    if (person === undefined) return undefined
    const grant: IssuedGrant = { person, refresh: undefined, known: new Set() }
    this.grants.push(grant)
    return this.#issue(grant)
  }

  #next(sent: string): JsonObject | undefined {
    const grant = this.#knowing(sent)
    if (grant?.refresh === undefined) return undefined
    if (grant.refresh === sent) return this.#issue(grant)
    this.reuses += 1
    grant.refresh = undefined
    return undefined
  }

  #issue(grant: IssuedGrant): JsonObject {
    const [token, refresh] = [secret(), secret()]
    grant.refresh = refresh
    grant.known.add(refresh)
    this.#access.set(token, grant)
    return { access_token: token, refresh_token: refresh, token_type: 'Bearer', expires_in: tokenSeconds }
  }

  #knowing(refresh: string): IssuedGrant | undefined {
    return this.grants.find(({ known }) => known.has(refresh))
  }
}
