import type { Profile } from '../profile.ts'
import { allows } from '../revisions/gates.ts'

/** The default profile: exactly the specification. */
export const mcpProfile: Profile = {
  name: 'mcp',
  revisions: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
  versions: {},
  stateless: ['2026-07-28'],
  // The specification and most clients reject ":" in a tool's name.
  separator: '__',
  prefixed: true,
  sessionless: false,
  earlyPing: true,
  sessionIds: 's_',
  delivery: 'inline',
  errors: 'mcp',
  // From 2025-11-25 on the schema has an optional id that must not be null; JSON-RPC 2.0 and older schemas require
  // null.
  nullId: (revision) => revision === undefined || !allows(revision, 'unreadableIdOmitted'),
  aliases: {},
  gatewayTools: false,
  announcesLists: true,
  describesBackends: true,
  relaysLogs: true,
  customContent: false,
  plainAnswers: false,
  failsAsError: false,
  unaskedProgress: false,
  methods: {},
  items: {},
  results: {},
  passedError: (error) => error,
}
