import type { EndReason } from '../src/index.ts'

/** Every reason for which an exchange can end. */
export const endReasons: readonly EndReason[] = [
  'cancelled',
  'disconnected',
  'deadline',
  'session_ended',
  'lease_lost',
  'shutdown',
]
