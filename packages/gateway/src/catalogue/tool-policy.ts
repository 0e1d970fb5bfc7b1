import { hasOrderedLiterals } from '../ordered-literals.ts'
import type { ToolPolicy } from '../tenant-entry.ts'

/** Whether the policy lets a tenant see and call `tool` of `backend`. */
export function permitsTool(policy: ToolPolicy, backend: string, tool: string): boolean {
  const name = `${backend}:${tool}`
  if (policy.deny.some((pattern) => matchesPattern(pattern, name))) return false
  return policy.allow === undefined || policy.allow.some((pattern) => matchesPattern(pattern, name))
}

/** Whether `text` matches a pattern in which `*` stands for any run of characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  return hasOrderedLiterals(pattern.split('*'), text)
}
