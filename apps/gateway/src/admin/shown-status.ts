import { z } from 'zod'

/**
 * The members of a gateway's status that are shown. The gateway may have another version than this command: members
 * that are not listed here are ignored, and states and roles may be of any name.
 */
export interface ShownStatus {
  readonly node: string
  readonly name: string
  readonly version: string
  readonly release?: string | undefined
  readonly uptimeMs: number
  /** Why clients must use other nodes. Absent: the node is ready, or older than this member. */
  readonly notReady?: string | undefined
  readonly reload: {
    readonly result: string
    readonly at?: string | undefined
    readonly problems: readonly {
      readonly file: string
      readonly line: number
      /** Where in the configuration, such as `backends.files.timeout`; empty for the whole file. */
      readonly path: string
      readonly got: string
      readonly expected: string
    }[]
  }
  readonly sessions: Readonly<Record<string, number>>
  readonly tenants: readonly string[]
  readonly files?:
    | readonly {
        readonly name: string
        readonly file: string
        readonly problem?: string | undefined
        readonly lost: number
      }[]
    | undefined
  readonly backends: readonly {
    readonly name: string
    readonly state: string
    readonly tools: number
    readonly links: number
    readonly inFlight: number
    readonly error?: string | undefined
    readonly warnings: readonly string[]
    readonly nodes: readonly string[]
  }[]
  readonly nodes: readonly {
    readonly node: string
    readonly self: boolean
    readonly role: string
    readonly name: string
    readonly version: string
    readonly release?: string | undefined
    readonly startedAt: string
    readonly clockAheadMs?: number | undefined
    readonly policy?: string | undefined
    readonly backends: readonly { readonly name: string }[]
  }[]
}

const text = z.string()
const count = z.number()

/** The answer to `GET /status`. */
export const shownStatusSchema: z.ZodType<ShownStatus> = z.object({
  node: text,
  name: text,
  version: text,
  release: text.optional(),
  uptimeMs: count,
  notReady: text.optional(),
  reload: z.object({
    result: text,
    at: text.optional(),
    problems: z.array(z.object({ file: text, line: count, path: text, got: text, expected: text })),
  }),
  sessions: z.record(text, count),
  tenants: z.array(text),
  files: z.array(z.object({ name: text, file: text, problem: text.optional(), lost: count })).optional(),
  backends: z.array(
    z.object({
      name: text,
      state: text,
      tools: count,
      links: count,
      inFlight: count,
      error: text.optional(),
      warnings: z.array(text),
      nodes: z.array(text),
    }),
  ),
  nodes: z.array(
    z.object({
      node: text,
      self: z.boolean(),
      role: text,
      name: text,
      version: text,
      release: text.optional(),
      startedAt: text,
      clockAheadMs: count.optional(),
      policy: text.optional(),
      backends: z.array(z.object({ name: text })),
    }),
  ),
})
