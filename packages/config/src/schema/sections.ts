import type { JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import type {
  AuditConfig,
  AuthConfig,
  DiscoveryConfig,
  EventsConfig,
  FabricConfig,
  ListenConfig,
  PinsConfig,
  SecretsConfig,
  ServerConfig,
} from '../config.ts'
import { authSchema, secretsSchema } from './auth-schema.ts'
import { discoverySchema } from './discovery-schema.ts'
import { extensionIds } from './extension-ids.ts'
import { fabricSchema } from './fabric-schema.ts'
import { type LimitsSection, limitsSchema } from './limits-schema.ts'
import { listenSchema } from './listen-schema.ts'
import { type Naming, namingSchema, profileName } from './naming-schema.ts'
import { pinsMode } from './pins-mode.ts'
import { auditSchema, eventsSchema } from './record-schema.ts'
import { mapping, positiveDuration, text } from './values.ts'

/** The top-level words of a file, with the type of each. */
export interface Sections {
  readonly listen: ListenConfig
  readonly fabric: FabricConfig
  readonly naming: Naming
  readonly relayExtensions: readonly string[] | undefined
  /** What is left out has the default of the profile. */
  readonly server: { readonly [Member in keyof ServerConfig]?: ServerConfig[Member] | undefined }
  readonly profile: string
  readonly publicUrl: string | undefined
  readonly timeout: number
  readonly gatewayTools: boolean | undefined
  readonly pins: PinsConfig['mode']
  readonly backends: JsonObject
  readonly mcpServers: JsonObject | undefined
  readonly tenants: JsonObject | undefined
  readonly discovery: DiscoveryConfig
  readonly auth: AuthConfig
  readonly events: EventsConfig
  readonly audit: AuditConfig
  readonly limits: LimitsSection
  readonly secrets: SecretsConfig
}

const server = z.strictObject({
  name: text.optional().meta({ example: 'my-gateway' }),
  version: text.optional().meta({ example: '1.0.0' }),
})

/** In the form in which clients and browsers write it, because what is made of it is compared as a text. */
const publicUrl = z
  .url({ protocol: /^https?$/, error: 'a URL that begins with https:// or http://' })
  // Paths are added at its end, and clients read it.
  .refine((url) => !/^https?:(?:.*[?#]|\/\/[^/]*@)/i.test(url), 'a URL without credentials, query and fragment')
  .transform((url) => new URL(url).href.replace(/\/+$/, ''))

/** Each section has its own schema, so that a problem in one does not prevent checking the others. */
export const sections: { readonly [Word in keyof Sections]: z.ZodType<Sections[Word]> } = {
  listen: listenSchema.prefault({}),
  fabric: fabricSchema,
  naming: namingSchema,
  relayExtensions: extensionIds,
  server: server.prefault({}),
  profile: profileName.default('mcp'),
  publicUrl: publicUrl.optional().meta({ example: 'https://gw.example.com' }),
  timeout: positiveDuration.prefault('30s').meta({ example: '30s' }),
  gatewayTools: z.boolean().optional().meta({ example: true }),
  pins: pinsMode.default('off').meta({ example: 'block' }),
  backends: mapping.default({}),
  mcpServers: mapping.optional(),
  tenants: mapping.optional(),
  discovery: discoverySchema.prefault({}),
  auth: authSchema.prefault({}),
  events: eventsSchema.prefault({}),
  audit: auditSchema.prefault({}),
  limits: limitsSchema.prefault({}),
  secrets: secretsSchema.prefault({}),
}
