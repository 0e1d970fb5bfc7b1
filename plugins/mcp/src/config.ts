import * as z from 'zod'
import type { EraChoice } from './era-memory.ts'

/** A program that speaks MCP on its standard input and output. */
export interface CommandConfig {
  /** Found on PATH unless it is a path; a relative path starts at the configuration file. */
  readonly command: string
  readonly args: readonly string[]
  /** Its whole environment, beside PATH, HOME, language and temporary folder. */
  readonly env: Readonly<Record<string, string>>
  /** Where it runs; a relative path starts at the configuration file. Default: the folder of that file. */
  readonly cwd?: string | undefined
  /** Whether it speaks 2026-07-28 (`stateless`) or opens with a handshake. Default: it is asked. */
  readonly era?: EraChoice | undefined
}

/** A server that speaks MCP over HTTP or WebSockets. */
export interface UrlConfig {
  /** `http:` and `https:` are Streamable HTTP or HTTP+SSE, `ws:` and `wss:` WebSockets. */
  readonly url: string
  /** Sent with every request, or when a WebSocket is opened. */
  readonly headers: Readonly<Record<string, string>>
  /** How Junctor proves itself to the server. */
  readonly auth?: { readonly bearer: string } | undefined
  /** Whether it speaks 2026-07-28 (`stateless`) or opens with a handshake. Default: it is asked. */
  readonly era?: EraChoice | undefined
}

/**
 * Environment variables in the form that other programs accept in such a file: numbers and booleans become text, and a
 * variable with the value null is not set.
 */
const variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()], 'text, a number, true, false or null'))
  .transform((env) =>
    Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))),
  )

const era = z.enum(['auto', 'stateless', 'handshake']).optional()

const command = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: variables.prefault({}),
  cwd: z.string().min(1).optional(),
  era,
})

const url = z.strictObject({
  url: z.url({ protocol: /^(?:https?|wss?)$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  auth: z.strictObject({ bearer: z.string().min(1) }).optional(),
  era,
})

/** One or the other: `command` starts a program, `url` calls a server. */
export const config: z.ZodType<CommandConfig | UrlConfig> = z.union([command, url])
