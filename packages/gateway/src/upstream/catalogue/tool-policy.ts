import { hasOrderedLiterals } from '../../shared/ordered-literals.ts'
import type { ToolPolicy } from '../../shared/tenant-entry.ts'

/** Whether the policy lets a tenant see and call `tool` of `backend`. */
export function permitsTool(policy: ToolPolicy, backend: string, tool: string): boolean {
  const name = `${backend}:${tool}`
  if (isDenied(policy, name)) return false
  return policy.allow === undefined || policy.allow.some((pattern) => matchesPattern(pattern, name))
}

/**
 * Whether the policy lets a tenant call `method` of `backend`, which is not an MCP method. Only `deny` applies: the
 * tools that a tenant may use do not limit its methods.
 */
export function permitsMethod(policy: ToolPolicy, backend: string, method: string): boolean {
  return !isDenied(policy, `${backend}:${method}`)
}

function isDenied({ deny }: ToolPolicy, name: string): boolean {
  return deny.some((pattern) => matchesPattern(pattern, name))
}

/** Whether `text` matches a pattern in which `*` matches any characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  return hasOrderedLiterals(pattern.split('*'), text)
}
