import { hash } from 'node:crypto'

/** Identifies a session in logs and events without revealing its id: the first 12 hex digits of the id's SHA-256. */
export function sessionMark(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 12)
}
