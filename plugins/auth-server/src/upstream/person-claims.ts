import { isMember, type Members } from '@junctor/plugin-sdk/link'

type Claims = Readonly<Record<string, unknown>>

/** What a provider says about people, as far as it is configured. */
export interface ClaimRules {
  readonly claims: Claims
  readonly copyClaims: readonly string[]
  readonly members?: Members | undefined
}

/** Someone whom a provider knows: the claims of their tokens, or that they may not log in. */
export type PersonVerdict = { readonly kind: 'member'; readonly claims: Claims } | { readonly kind: 'stranger' }

/**
 * What a provider says about a person, from the ID token and the answer of its userinfo endpoint. The ID token counts more,
 * because it is signed. An address that the provider has not verified may be that of anybody, so it is left out.
 */
export function saidClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email: _, ...said } = { ...userInfo, ...idToken }
  const { email, email_verified: isVerified } = Object.hasOwn(idToken, 'email') ? idToken : userInfo
  return typeof email === 'string' && isVerified === true ? { ...said, email } : said
}

/** Whether a claim that the rules name is missing. */
export function lacksClaims(said: Claims, rules: ClaimRules): boolean {
  return [...rules.copyClaims, ...(rules.members === undefined ? [] : [rules.members.claim])].some(
    (name) => !Object.keys(said).some((known) => isNamed(known, name)),
  )
}

/** The claims that the rules need, and no others: what is kept of a person. */
export function neededClaims(said: Claims, { copyClaims, members }: ClaimRules): Claims {
  const needed = Object.entries(said).filter(
    ([known]) => copyClaims.includes(known) || (members !== undefined && isNamed(known, members.claim)),
  )
  return Object.fromEntries(needed)
}

/** Judges a person by what was kept. What the operator has written counts more than what the provider says. */
export function judgePerson(kept: Claims, { claims, copyClaims, members }: ClaimRules): PersonVerdict {
  if (members !== undefined && !isMember(kept, members)) return { kind: 'stranger' }
  const copied = Object.entries(kept).filter(([name]) => copyClaims.includes(name))
  return { kind: 'member', claims: { ...Object.fromEntries(copied), ...claims } }
}

/** Whether a rule means this claim, or something inside of it. */
function isNamed(known: string, rule: string): boolean {
  return rule === known || rule.startsWith(`${known}.`)
}
