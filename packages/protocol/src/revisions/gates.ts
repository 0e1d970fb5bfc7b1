import type { Revision } from '../revision.ts'

/** From which revision on, and up to which, a feature exists. No `last`: it still does. */
interface Span {
  readonly first: Revision
  readonly last?: Revision
}

/** Features of the protocol that some revisions have and others have not. What all have alike is not here. */
export type Feature =
  /** `initialize` opens; without it each request carries `_meta` of its own. */
  | 'handshake'
  /** Arrays of messages must be taken, and may be sent. */
  | 'batches'
  /** `Mcp-Session-Id`, the GET stream and `Last-Event-ID`. */
  | 'sessions'
  /** A stream opens with an empty event that it may be resumed from; `retry`; the server may hang up early. */
  | 'primingEvent'
  /** Every HTTP request after the first names its revision in a header. */
  | 'revisionHeader'
  /** The id of an error for an unreadable request is left out; null is not allowed. */
  | 'unreadableIdOmitted'
  /** `completions` may be declared; `completion/complete` itself is older. */
  | 'completionsCapability'
  | 'toolAnnotations'
  | 'audio'
  /** `message` of a progress notification. */
  | 'progressMessage'
  /** `structuredContent` and `outputSchema`; objects only. */
  | 'structuredContent'
  /** `structuredContent` may be any JSON value. */
  | 'anyStructuredContent'
  | 'resourceLinks'
  | 'titles'
  | 'icons'
  | 'elicitation'
  | 'urlElicitation'
  /** Choices of several values, and of values with titles as `oneOf`, in elicitation forms. */
  | 'elicitationChoices'
  /** `tools`, `toolChoice` and tool content in sampling. */
  | 'samplingTools'
  /** More than one content block in a sampling message. */
  | 'samplingContentArrays'
  /** Tasks in the core: `params.task` and `execution` of tools. */
  | 'tasks'
  /** Arguments that do not match a tool's schema are a result with `isError`, not an error. */
  | 'argumentErrorsAsResults'
  /** Capabilities have `extensions`, and tasks are one of them. */
  | 'extensions'
  /** `ttlMs` and `cacheScope` on results of lists and reads. */
  | 'cacheHints'
  /** Results say what they are, which may be `input_required`. */
  | 'resultType'

const spans: Readonly<Record<Feature, Span>> = {
  handshake: { first: '2024-11-05', last: '2025-11-25' },
  batches: { first: '2025-03-26', last: '2025-03-26' },
  sessions: { first: '2025-03-26', last: '2025-11-25' },
  primingEvent: { first: '2025-11-25', last: '2025-11-25' },
  revisionHeader: { first: '2025-06-18' },
  unreadableIdOmitted: { first: '2025-11-25' },
  completionsCapability: { first: '2025-03-26' },
  toolAnnotations: { first: '2025-03-26' },
  audio: { first: '2025-03-26' },
  progressMessage: { first: '2025-03-26' },
  structuredContent: { first: '2025-06-18' },
  anyStructuredContent: { first: '2026-07-28' },
  resourceLinks: { first: '2025-06-18' },
  titles: { first: '2025-06-18' },
  icons: { first: '2025-11-25' },
  elicitation: { first: '2025-06-18' },
  urlElicitation: { first: '2025-11-25' },
  elicitationChoices: { first: '2025-11-25' },
  samplingTools: { first: '2025-11-25' },
  samplingContentArrays: { first: '2025-11-25' },
  tasks: { first: '2025-11-25', last: '2025-11-25' },
  argumentErrorsAsResults: { first: '2025-11-25' },
  extensions: { first: '2026-07-28' },
  cacheHints: { first: '2026-07-28' },
  resultType: { first: '2026-07-28' },
}

/** Whether a feature is part of a revision. */
export function allows(revision: Revision, feature: Feature): boolean {
  const { first, last } = spans[feature]
  return revision >= first && (last === undefined || revision <= last)
}
