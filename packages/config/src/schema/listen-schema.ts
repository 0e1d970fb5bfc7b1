import { type AdmissionOptions, createAdmission, createTrustedProxies } from '@junctor/connection'
import * as z from 'zod'
import type { ListenConfig } from '../config.ts'
import { text, wholeNumber } from './values.ts'

const tls = z
  .strictObject({
    cert: text.meta({ description: 'A file in PEM, or its content', example: './gateway.crt' }),
    key: text.meta({ description: 'A file in PEM, or its content', example: './gateway.key' }),
  })
  .optional()
  // In the type of what is parsed, the member is required then: it may be undefined, but is not left out.
  .transform((value) => value)

const allowedHosts = z
  .array(z.string().refine((host) => isAdmissible({ allowedHosts: [host] }), 'a host name, with or without a port'))
  .default([])
  .meta({ example: ['gw.example.com'] })

const http = z.strictObject({
  host: text.default('127.0.0.1').meta({ example: '127.0.0.1' }),
  port: wholeNumber(0, 65_535).default(3000).meta({ example: 3000 }),
  allowedHosts,
  allowedOrigins: z
    .array(
      z
        .string()
        .refine((origin) => isAdmissible({ allowedOrigins: [origin] }), 'an origin: scheme, host and port, no more'),
    )
    .default([])
    .meta({ example: ['https://app.example.com'] }),
  trustedProxies: z
    .array(z.string().refine(isNetwork, 'an address or a network, such as 10.0.0.0/8, but not all addresses'))
    .default([])
    .meta({ example: ['10.0.0.0/8'] }),
  tls,
})

const admin = z
  .strictObject({
    host: text.default('127.0.0.1').meta({ example: '127.0.0.1' }),
    port: wholeNumber(0, 65_535).default(3001).meta({ example: 3001 }),
    // Shorter tokens are often words and can be guessed. The characters are those that an Authorization header can
    // carry (RFC 6750, section 2.1).
    token: z
      .string()
      .regex(
        /^(?=.{16})[\w.~+/-]+=*$/,
        'a token of at least 16 letters, digits and - . _ ~ + /, as `openssl rand -hex 32` prints one',
      )
      .optional()
      .meta({ example: '${env:JUNCTOR_ADMIN_TOKEN}' }),
    allowedHosts,
  })
  .transform(({ host, port, token, allowedHosts: hosts }) => ({ host, port, token, allowedHosts: hosts }))

/** The schema of the listeners, for clients and for the operator. */
export const listenSchema: z.ZodType<ListenConfig> = z
  .strictObject({
    http: http.prefault({}),
    admin: admin.optional(),
    nats: z.boolean().default(false).meta({ example: true }),
  })
  .transform((listen) => ({ http: listen.http, admin: listen.admin, nats: listen.nats }))

/** Validates entries with the rules that will be used at run time. */
function isAdmissible(options: AdmissionOptions): boolean {
  return succeeds(() => createAdmission(options))
}

function isNetwork(entry: string): boolean {
  return succeeds(() => createTrustedProxies([entry]))
}

function succeeds(create: () => unknown): boolean {
  try {
    create()
    return true
  } catch {
    return false
  }
}
