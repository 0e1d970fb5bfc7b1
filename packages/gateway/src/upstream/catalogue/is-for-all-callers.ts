import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { NamePolicy } from '../../shared/tenant-entry.ts'
import { hidesNames } from '../../shared/name-policy.ts'

/**
 * Whether an answer of a backend may be public to caches, if the backend says so. It is for its caller alone when a policy
 * decides who may have it, and when the backend answers each person with that person's account.
 */
export function isForAllCallers(policy: NamePolicy | undefined, { backend }: Pick<BackendEntry, 'backend'>): boolean {
  return !hidesNames(policy) && backend.isPersonal !== true
}
