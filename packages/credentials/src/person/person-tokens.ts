import type { Exchange } from '@junctor/plugin-sdk/link'
import type { AccessTokens, TokenRefusal } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { readChallenge } from '../oauth/challenge.ts'
import { isWithin } from '../oauth/is-within.ts'
import { unitedScopes } from '../oauth/scopes.ts'
import { oauthErrorOf } from '../oauth/token-failure.ts'
import { isFresh, isStillGood } from '../oauth/tokens.ts'
import { type Grant, isSameAccount } from './grant.ts'
import type { Grants } from './grants.ts'
import type { Person } from '@junctor/plugin-sdk'

/** The tokens of one person for one session at a server, which are all of one account: that of the first of them. */
export interface PersonTokens extends AccessTokens {
  /**
   * Returns what the person has to agree to, after a request has failed. Scopes are returned once.
   *
   * @param exchange as in {@link AccessTokens.current}
   */
  missing(exchange?: Exchange): MissingGrant | undefined
  /** Whether the person has agreed since then, and maybe as somebody else: the session must not be used any more. */
  areReplaced(): Promise<boolean>
  /** Whether that is why a request of this call, or one of the link itself, was not sent or was refused. */
  wereReplacedFor(exchange?: Exchange): boolean
}

/** What a person has to agree to. */
export interface MissingGrant {
  /** The scopes that the request needs, separated by spaces. Undefined: the person has to agree first, or again. */
  readonly scope: string | undefined
}

/** A grant that the person has ended, at another node too, is used for so long at most, in milliseconds. */
const rememberMs = 3_000

/** When a token that replaced a refused one is refused within this time, in milliseconds, the person has to agree again. */
const newMs = 10_000

/**
 * @param now epoch milliseconds
 */
export function createPersonTokens(person: Person, grants: Grants, now: () => number): PersonTokens {
  return new GrantedTokens(person, grants, now)
}

class GrantedTokens implements PersonTokens {
  readonly #person: Person
  readonly #grants: Grants
  readonly #now: () => number
  #first: Grant | undefined
  #grant: Grant | undefined
  #readAt = Number.NEGATIVE_INFINITY
  /** Whether the person has to agree first, or again. */
  #isOver = false
  /** Whether the person has agreed since the first grant, and maybe as somebody else. */
  #isReplaced = false
  /** The scopes that refused calls need. Of requests of the link itself: those of the latest. */
  readonly #scopes = new WeakMap<object, string>()
  /** The calls for which there was a token of another account only. */
  readonly #replacedFor = new WeakSet<object>()
  #replacing: Promise<string | undefined> | undefined

  constructor(person: Person, grants: Grants, now: () => number) {
    this.#person = person
    this.#grants = grants
    this.#now = now
  }

  missing(exchange?: Exchange): MissingGrant | undefined {
    const scope = this.#scopes.get(exchange ?? this)
    this.#scopes.delete(exchange ?? this)
    return this.#isOver || scope !== undefined ? { scope } : undefined
  }

  async areReplaced(): Promise<boolean> {
    return this.#isOther(await this.#grants.read(this.#person))
  }

  wereReplacedFor(exchange?: Exchange): boolean {
    return this.#replacedFor.has(exchange ?? this)
  }

  current(exchange?: Exchange): string | Promise<string> {
    const now = this.#now()
    const isRemembered =
      this.#grant !== undefined && isWithin(rememberMs, this.#readAt, now) && isFresh(this.#grant.tokens, now)
    return isRemembered && this.#grant !== undefined ? this.#grant.tokens.accessToken : this.#read(exchange)
  }

  async afterRefusal(refusal: TokenRefusal): Promise<string | undefined> {
    const another = await (refusal.status === 403 ? this.#widen(refusal) : this.#replaceOnce(refusal.token))
    if (another === undefined) this.#noteReplaced(refusal.exchange)
    return another
  }

  async #widen({ token, challenge, exchange }: TokenRefusal): Promise<string | undefined> {
    const grant = await this.#grants.read(this.#person)
    const granted = unitedScopes(grant?.tokens.scope, grant?.scope)
    const scope = unitedScopes(granted, readChallenge(challenge).scope)
    // The person has agreed to all of them a moment ago, or as somebody else.
    const isAgreed = this.#isOther(grant) || scope === granted
    if (grant !== undefined && grant.tokens.accessToken !== token && isAgreed) return this.#use(grant)
    if (scope !== undefined) this.#scopes.set(exchange ?? this, scope)
    return undefined
  }

  #replaceOnce(token: string | undefined): Promise<string | undefined> {
    this.#replacing ??= this.#replace(token).finally(() => {
      this.#replacing = undefined
    })
    return this.#replacing
  }

  async #replace(token: string | undefined): Promise<string | undefined> {
    const grant = await this.#grants.read(this.#person)
    const current = grant?.tokens.accessToken
    if (current !== undefined && current !== token) return this.#use(grant)
    const isNew = grant?.renewed !== undefined && isWithin(newMs, grant.renewed, this.#now())
    return current === undefined || isNew ? this.#use(undefined) : this.#renew(current)
  }

  async #read(exchange: Exchange | undefined): Promise<string> {
    const grant = await this.#grants.read(this.#person)
    const isOld = grant !== undefined && !isFresh(grant.tokens, this.#now()) && !this.#isOther(grant)
    const token = isOld ? await this.#renewEarly(grant) : this.#use(grant)
    if (token !== undefined) return token
    this.#noteReplaced(exchange)
    throw new JunctorError('BACKEND_REFUSED', 'The person has not agreed to this session')
  }

  async #renewEarly(grant: Grant): Promise<string | undefined> {
    try {
      return await this.#renew(grant.tokens.accessToken)
    } catch (error) {
      if (isStillGood(grant.tokens, error, this.#now())) return this.#use(grant)
      throw error
    }
  }

  async #renew(token: string): Promise<string | undefined> {
    try {
      return this.#use(await this.#grants.renew(this.#person, token))
    } catch (error) {
      // The issuer has moved: the grant stays, because it may be back, but the person can agree elsewhere.
      if (oauthErrorOf(error) === 'invalid_grant') this.#isOver = true
      throw error
    }
  }

  /** Returns the token of a grant. Undefined: there is none, or it is not for this session. */
  #use(grant: Grant | undefined): string | undefined {
    this.#readAt = this.#now()
    this.#isOver = grant === undefined
    this.#isReplaced ||= this.#isOther(grant)
    this.#grant = this.#isReplaced ? undefined : grant
    this.#first ??= this.#grant
    return this.#grant?.tokens.accessToken
  }

  #isOther(grant: Grant | undefined): boolean {
    return grant !== undefined && this.#first !== undefined && !isSameAccount(this.#first, grant)
  }

  #noteReplaced(exchange: Exchange | undefined): void {
    if (this.#isReplaced) this.#replacedFor.add(exchange ?? this)
  }
}
