import { isMember, type Members } from '@junctor/plugin-sdk/link'

type Claims = Readonly<Record<string, unknown>>

/** The options of a provider that decide about people and their claims. */
export interface ClaimRules {
  readonly claims: Claims
  readonly copyClaims: readonly string[]
  readonly members?: Members | undefined
}

/** Whether a person of a provider may log in, and the claims of the person's tokens. */
export type PersonVerdict = { readonly kind: 'member'; readonly claims: Claims } | { readonly kind: 'not_a_member' }

/**
 * Joins the claims of the ID token and of the userinfo endpoint. A claim of the ID token has priority, because it is
 * signed. An address that the provider has not verified is left out, because it may belong to somebody else.
 */
export function joinClaims(idToken: Claims, userInfo: Claims): Claims {
  const { email: _, ...providerClaims } = { ...userInfo, ...idToken }
  const { email, email_verified: isVerified } = Object.hasOwn(idToken, 'email') ? idToken : userInfo
  return typeof email === 'string' && isVerified === true ? { ...providerClaims, email } : providerClaims
}

/** Whether a claim that the rules name is missing. */
export function lacksClaims(providerClaims: Claims, rules: ClaimRules): boolean {
  return [...rules.copyClaims, ...(rules.members === undefined ? [] : [rules.members.claim])].some(
    (name) => !Object.keys(providerClaims).some((known) => isNamed(known, name)),
  )
}

/** The claims that the rules need. Only these are stored. */
export function neededClaims(providerClaims: Claims, { copyClaims, members }: ClaimRules): Claims {
  const needed = Object.entries(providerClaims).filter(
    ([known]) => copyClaims.includes(known) || (members !== undefined && isNamed(known, members.claim)),
  )
  return Object.fromEntries(needed)
}

/** Judges a person by the stored claims. The operator's `claims` have priority over those of the provider. */
export function judgePerson(kept: Claims, { claims, copyClaims, members }: ClaimRules): PersonVerdict {
  if (members !== undefined && !isMember(kept, members)) return { kind: 'not_a_member' }
  const copied = Object.entries(kept).filter(([name]) => copyClaims.includes(name))
  return { kind: 'member', claims: { ...Object.fromEntries(copied), ...claims } }
}

/** Whether a rule names this claim, or a member of it. */
function isNamed(known: string, rule: string): boolean {
  return rule === known || rule.startsWith(`${known}.`)
}
