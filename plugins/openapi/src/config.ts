import { sentHeaders } from '@junctor/plugin-sdk/link'
import * as z from 'zod'

/** Which operations are meant. Texts are compared whole; `*` stands for any text. */
export interface OperationPatterns {
  readonly tags?: readonly string[] | undefined
  /** In any case: `get`, `GET`. */
  readonly methods?: readonly string[] | undefined
  /** Templates as in the document: `/repos/*`. */
  readonly paths?: readonly string[] | undefined
  /** The `operationId` of each. */
  readonly operations?: readonly string[] | undefined
}

/** How Junctor proves itself for one security scheme of the document: the token or key, or the name and password. */
export type SchemeSecret = string | { readonly username: string; readonly password: string }

/** An API that an OpenAPI document describes. */
export interface OpenApiConfig {
  /** The document: a URL, or a path that starts at the configuration file. JSON or YAML, OpenAPI 3.0 or 3.1. */
  readonly openapi: string
  /** Where the API is. Default: the `servers` of the document. */
  readonly baseUrl?: string | undefined
  /** Values for the variables in the URLs of `servers`. Default: those of the document. */
  readonly variables: Readonly<Record<string, string>>
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Secrets for security schemes, by their names in the document. */
  readonly auth: Readonly<Record<string, SchemeSecret>>
  /** Only operations that every one of these lists has. Default: all. */
  readonly include: OperationPatterns
  /** Except operations that any of these lists has. */
  readonly exclude: OperationPatterns
  /** The most tools that are made. Default: 200, because models choose badly among more. */
  readonly maxTools: number
  /** The largest body of an answer, in bytes. Default: 4 MiB. */
  readonly maxBytes: number
  /** How often a document at a URL is read again, in seconds. Default: 300. Files are read again when they change. */
  readonly refreshSeconds: number
}

const texts = z.array(z.string().min(1)).optional()

const patterns = z.strictObject({
  tags: texts.meta({ example: ['invoices'] }),
  methods: texts.meta({ example: ['GET'] }),
  paths: texts.meta({ example: ['/invoices/*'] }),
  operations: texts.meta({ example: ['listInvoices'] }),
})

/** Requests have no credentials in their URLs: logs, results and messages show these. */
const hasNoCredentials = (text: string): boolean => !/^https?:\/\/[^/?#]*@/i.test(text)
const withoutCredentials = 'a URL without a name and password: "auth" or "headers" send them'

const httpUrl = z.url({ protocol: /^https?$/ }).refine(hasNoCredentials, withoutCredentials)

/** The longest delay of a timer, in seconds: with a longer one it fires at once, again and again. */
const longestSeconds = 2_147_483

/** The options of a backend with `openapi`. */
export const config: z.ZodType<OpenApiConfig> = z.strictObject({
  openapi: z.string().min(1).refine(hasNoCredentials, withoutCredentials).meta({ example: './billing.openapi.json' }),
  baseUrl: httpUrl.optional().meta({ example: 'https://billing.internal' }),
  variables: z.record(z.string(), z.string()).default({}),
  headers: sentHeaders.default({}),
  auth: z
    .record(
      z.string(),
      z.union([z.string().min(1), z.strictObject({ username: z.string(), password: z.string() })], {
        error: 'the token or key, or { username, password }',
      }),
    )
    .default({}),
  include: patterns.prefault({}),
  exclude: patterns.prefault({}),
  maxTools: z.number().int().min(1).default(200),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .default(4 * 1024 * 1024),
  refreshSeconds: z.number().int().min(1).max(longestSeconds, `at most ${longestSeconds} seconds`).default(300),
})
