import type { RequirementId } from '../requirements.ts'

/** What a user gets of one feature in the four cells of client and backend. */
export interface BridgedFeature {
  readonly feature: string
  /** The requirements whose tests hold the promise. */
  readonly requirements: readonly RequirementId[]
  /** A client up to 2025-11-25, and a backend up to 2025-11-25. */
  readonly oldClientOldBackend: string
  /** A client up to 2025-11-25, and a backend of 2026-07-28. */
  readonly oldClientNewBackend: string
  /** A client of 2026-07-28, and a backend up to 2025-11-25. */
  readonly newClientOldBackend: string
  readonly newClientNewBackend: string
}

/** The features of MCP over both eras. `docs/eras.md` is made from this table. */
export const bridgedFeatures: readonly BridgedFeature[] = [
  {
    feature: 'Tools, prompts, resources, completion',
    requirements: ['ERA-4', 'ERA-5', 'ERA-13', 'ERA-19', 'ERA-23'],
    oldClientOldBackend: 'each side speaks its own revision; what the client cannot read is converted or left out',
    oldClientNewBackend: 'the same; no session at the backend; `resultType` and cache hints are removed',
    newClientOldBackend:
      'the same; every result counts as complete, whatever its `resultType`; `resultType` and cache hints are added (private, not to be cached)',
    newClientNewBackend: 'the same; lists may be cached for the shortest time that one of their backends allows',
  },
  {
    feature: 'Headers that repeat names and arguments',
    requirements: ['ERA-3', 'ERA-13', 'TASK-3'],
    oldClientOldBackend: 'none',
    oldClientNewBackend: 'made from the body; a tool that declares them wrongly is left out',
    newClientOldBackend: 'checked against the body',
    newClientNewBackend: 'checked, then made again',
  },
  {
    feature: 'Questions: elicitation, sampling, roots',
    requirements: ['ERA-7', 'ERA-8', 'ERA-11', 'ERA-14', 'ERA-17', 'ERA-20', 'ERA-22', 'ERA-25', 'MCP-8.1', 'MCP-8.4'],
    oldClientOldBackend: "the backend's request goes to the client that caused it",
    oldClientNewBackend: 'questions in results become requests to the client; the call is sent again with the answers',
    newClientOldBackend:
      "the backend's request becomes a question in a result; the retry, at any node, continues the same call",
    newClientNewBackend:
      'questions in results, in both directions; the state of the backend travels sealed, and nothing waits',
  },
  {
    feature: 'Progress, log messages',
    requirements: ['ERA-6', 'ERA-12', 'ERA-13'],
    oldClientOldBackend: 'relayed; the level of the session',
    oldClientNewBackend: 'relayed; each request asks for the level of the session',
    newClientOldBackend: 'relayed; only what the request asks for',
    newClientNewBackend: 'relayed; only what the request asks for',
  },
  {
    feature: 'Cancellation',
    requirements: ['ERA-9', 'ERA-16'],
    oldClientOldBackend: '`notifications/cancelled`',
    oldClientNewBackend: 'the stream of the request is closed, or a notification on a pipe',
    newClientOldBackend: 'a closed stream becomes `notifications/cancelled`',
    newClientNewBackend: 'a closed stream closes the stream',
  },
  {
    feature: 'Changes of lists and resources',
    requirements: ['ERA-10', 'ERA-15'],
    oldClientOldBackend: 'notifications, `resources/subscribe`',
    oldClientNewBackend: 'the same; the gateway listens at the backend, and listens again after a loss',
    newClientOldBackend: '`subscriptions/listen`, merged over all backends',
    newClientNewBackend: '`subscriptions/listen` on both sides',
  },
  {
    feature: 'Tasks',
    requirements: ['MCP-9.1', 'MCP-9.2', 'TASK-1', 'TASK-2', 'TASK-3', 'TASK-4'],
    oldClientOldBackend: 'tasks of 2025-11-25 for any tool, on the jobs of the gateway',
    oldClientNewBackend: 'the same; a task of the backend is waited for, and its questions reach the client',
    newClientOldBackend: 'a tool that runs only as a task gives one; other calls give results',
    newClientNewBackend: 'a task of the backend becomes one of the gateway, with questions, updates and notifications',
  },
  {
    feature: 'Views (MCP Apps)',
    requirements: ['APP-1', 'APP-2', 'APP-3', 'APP-4', 'APP-5'],
    oldClientOldBackend: '`ui://` URIs behind a prefix, bare names of tools for views, declared in `initialize`',
    oldClientNewBackend: 'the same; declared to the backend with each request',
    newClientOldBackend: 'the same; declared in `server/discover`',
    newClientNewBackend: 'the same',
  },
  {
    feature: 'Skills',
    requirements: ['SKILL-1', 'SKILL-2', 'SKILL-3'],
    oldClientOldBackend: 'one list of all backends, with the digests of the backends',
    oldClientNewBackend: 'the same, without cache hints',
    newClientOldBackend: 'the same, with cache hints',
    newClientNewBackend: 'the same',
  },
  {
    feature: 'Unknown extensions',
    requirements: ['EXT-1', 'EXT-2', 'EXT-3', 'EXT-4'],
    oldClientOldBackend:
      "at a backend's own endpoint they pass; elsewhere they are declared only where the operator names them, and never routed",
    oldClientNewBackend: 'the same',
    newClientOldBackend: 'the same',
    newClientNewBackend: 'the same, also with results of a type and subscriptions of their own',
  },
]
