import type { JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'

/** A value that the publisher of a server fixes, or that its user gives (`Input` of the schema). */
export interface DocumentInput {
  readonly description?: string | undefined
  readonly isRequired?: boolean | undefined
  readonly isSecret?: boolean | undefined
  readonly format?: string | undefined
  readonly default?: string | undefined
  readonly placeholder?: string | undefined
  /** The only possible values. */
  readonly choices?: readonly string[] | undefined
  /** Fixed by the publisher, with `{names}` of variables. */
  readonly value?: string | undefined
  readonly variables?: Readonly<Record<string, DocumentInput>> | undefined
}

/** An environment variable or a header. */
export interface NamedInput extends DocumentInput {
  readonly name: string
}

/** An argument of a command. */
export interface DocumentArgument extends DocumentInput {
  readonly type: 'positional' | 'named'
  /** Of a named argument, with its dashes. */
  readonly name?: string | undefined
  /** Of a positional argument: what it is. */
  readonly valueHint?: string | undefined
  readonly isRepeated?: boolean | undefined
}

/** A server that runs elsewhere. */
export interface DocumentRemote {
  readonly type: string
  /** With `{names}` of variables. */
  readonly url: string
  readonly headers?: readonly NamedInput[] | undefined
  readonly variables?: Readonly<Record<string, DocumentInput>> | undefined
}

/** A program that runs here. */
export interface DocumentPackage {
  readonly registryType: string
  readonly registryBaseUrl?: string | undefined
  readonly identifier: string
  readonly version?: string | undefined
  /** Lower case, hexadecimal. */
  readonly fileSha256?: string | undefined
  readonly runtimeHint?: string | undefined
  readonly runtimeArguments?: readonly DocumentArgument[] | undefined
  readonly packageArguments?: readonly DocumentArgument[] | undefined
  readonly environmentVariables?: readonly NamedInput[] | undefined
  readonly transport: { readonly type: string; readonly url?: string | undefined }
}

/** The part of a `server.json` that is needed to run the server. */
export interface ServerDocument {
  readonly name: string
  readonly version: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly packages?: readonly DocumentPackage[] | undefined
  readonly remotes?: readonly DocumentRemote[] | undefined
}

/** A document of a server, or what is wrong with it. */
export type ReadServerDocument =
  | { readonly kind: 'document'; readonly document: ServerDocument }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Exactly one slash, and both parts begin with a letter or digit: `io.github.acme/weather`. */
const serverName = /^[a-zA-Z0-9][a-zA-Z0-9.-]*\/[a-zA-Z0-9][a-zA-Z0-9._-]*$/

/** Whether a text has the form of a server's name in a registry. */
export function isServerName(text: string): boolean {
  return text.length >= 3 && text.length <= 200 && serverName.test(text)
}

/** Text that becomes part of a command, a URL or a header: none of them can hold control characters. */
const line = z
  .string()
  .max(8192)
  .refine((text) => !/\p{Cc}/u.test(text), 'text without control characters')
const prose = z.string()

/** One level of variables: the schema has no variables of variables. */
const plainInput = {
  description: prose.optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.string().optional(),
  default: line.optional(),
  placeholder: prose.optional(),
  choices: z.array(line).max(1000).optional(),
  value: line.optional(),
}
const variables = z.record(line, z.object(plainInput)).optional()
const named = z
  .array(z.object({ ...plainInput, variables, name: line.min(1) }))
  .max(200)
  .optional()
const argument = z.discriminatedUnion('type', [
  z.object({
    ...plainInput,
    variables,
    type: z.literal('positional'),
    valueHint: line.optional(),
    isRepeated: z.boolean().optional(),
  }),
  z.object({
    ...plainInput,
    variables,
    type: z.literal('named'),
    name: line.min(1),
    isRepeated: z.boolean().optional(),
  }),
])
const args = z.array(argument).max(200).optional()

const schema = z.object({
  name: z.string().refine(isServerName, 'a name such as io.github.acme/weather'),
  version: line.min(1),
  title: prose.optional(),
  description: prose.optional(),
  packages: z
    .array(
      z.object({
        registryType: line.min(1),
        registryBaseUrl: line.optional(),
        identifier: line.min(1),
        version: line.optional(),
        fileSha256: z
          .string()
          .regex(/^[a-f0-9]{64}$/, 'a SHA-256 of 64 hexadecimal digits')
          .optional(),
        runtimeHint: line.optional(),
        runtimeArguments: args,
        packageArguments: args,
        environmentVariables: named,
        transport: z.object({ type: line, url: line.optional() }),
      }),
    )
    .max(100)
    .nullish()
    .transform((list) => list ?? undefined),
  remotes: z
    .array(z.object({ type: line, url: line, headers: named, variables }))
    .max(100)
    .nullish()
    .transform((list) => list ?? undefined),
})

/** Reads a `server.json` (schemas 2025-09-16 to 2025-12-11). Unknown members are ignored. */
export function readServerDocument(value: JsonObject): ReadServerDocument {
  const read = schema.safeParse(value)
  if (read.success) return { kind: 'document', document: read.data }
  const [issue] = read.error.issues
  const place = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('') ?? ''
  return { kind: 'unreadable', why: `${place.slice(1) || 'the document'}: ${issue?.message ?? 'cannot be read'}` }
}
