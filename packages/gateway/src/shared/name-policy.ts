import { matchesPattern } from './matches-pattern.ts'
import type { ListKind } from '@junctor/contracts'
import type { NamePolicy, TenantEntry } from './tenant-entry.ts'

/** The policies of a tenant. */
export type Policies = Pick<TenantEntry, 'tools' | 'prompts' | 'resources'>

/** The policy for the items of a list. */
export function policyOf(policies: Policies, kind: ListKind): NamePolicy | undefined {
  return policies[kind === 'resourceTemplates' ? 'resources' : kind]
}

/**
 * Whether the policy lets a tenant see and use a tool, prompt or resource of `backend`. The name, or URI, is the backend's
 * own. Without a policy, it may.
 */
export function permitsName(policy: NamePolicy | undefined, backend: string, own: string): boolean {
  if (policy === undefined) return true
  const name = `${backend}:${own}`
  if (isDenied(policy, name)) return false
  return policy.allow === undefined || policy.allow.some((pattern) => matchesPattern(pattern, name))
}

/**
 * Whether the policy lets a tenant call `method` of `backend`, which is not an MCP method. Only `deny` applies: the
 * tools that a tenant may use do not limit its methods. Without a policy, it may.
 */
export function permitsMethod(policy: NamePolicy | undefined, backend: string, method: string): boolean {
  return policy === undefined || !isDenied(policy, `${backend}:${method}`)
}

function isDenied({ deny }: NamePolicy, name: string): boolean {
  return deny.some((pattern) => matchesPattern(pattern, name))
}

/**
 * The same for a resource, by its own URI. Each form of the URI must be permitted: the backend may read `a/../b` as `b`, and
 * `%62` as `b`.
 */
export function permitsUri(policy: NamePolicy | undefined, backend: string, uri: string): boolean {
  if (!hidesNames(policy)) return true
  const { href = uri } = URL.parse(uri) ?? {}
  return [uri, href, decoded(uri), decoded(href)].every((form) => permitsName(policy, backend, form))
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** Whether the policy hides anything. */
export function hidesNames(policy: NamePolicy | undefined): boolean {
  return policy !== undefined && (policy.allow !== undefined || policy.deny.length > 0)
}
