import { claimAt, type Claims } from './claim-at.ts'

/** Those whose claim is one of the values, or a list that contains one of them. */
export interface Members {
  /** The name of the claim. A name with dots is first read as a name, then as a path. */
  readonly claim: string
  readonly values: readonly string[]
}

/** Whether someone with these claims is one of the members. */
export function isMember(claims: Claims, { claim, values }: Members): boolean {
  const claimed = claimAt(claims, claim)
  const list: readonly unknown[] = Array.isArray(claimed) ? claimed : [claimed]
  return values.some((value) => list.includes(value))
}
