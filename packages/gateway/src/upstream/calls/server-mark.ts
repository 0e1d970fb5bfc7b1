import { hash } from 'node:crypto'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** A backend and the server that it names. */
export type ServerPlace = Pick<BackendEntry, 'backend' | 'address'>

/** A mark of the server behind a backend: a reload may put another server behind the same name. */
export function serverMark({ backend: { name }, address = '' }: ServerPlace): string {
  return hash('sha256', JSON.stringify([name, address]), 'base64url')
}
