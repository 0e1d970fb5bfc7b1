import { isWithin, type Revision, type Span } from '../revision.ts'

/** Features of the protocol that only some revisions have. */
export type Feature =
  /** Arrays of messages must be accepted, and may be sent. */
  | 'batches'
  /** A stream starts with an empty event that it may be resumed from; `retry`; the server may close it early. */
  | 'primingEvent'
  /** Every HTTP request after the first names its revision in a header. */
  | 'revisionHeader'
  /** An error for an unreadable request has no id; null is not allowed. */
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
  /** Tasks are an extension. */
  | 'taskExtension'
  /** `ttlMs` and `cacheScope` on results of lists and reads. */
  | 'cacheHints'

const spans: Readonly<Record<Feature, Span>> = {
  batches: { first: '2025-03-26', last: '2025-03-26' },
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
  taskExtension: { first: '2026-07-28' },
  cacheHints: { first: '2026-07-28' },
}

/** Whether a feature is part of a revision. */
export function allows(revision: Revision, feature: Feature): boolean {
  return isWithin(revision, spans[feature])
}
