import * as z from 'zod'
import type { FabricConfig } from '../config.ts'
import { name, text, wholeNumber } from './values.ts'

const secret = text.optional()

const clusterKey = z
  .string('a key of the cluster')
  .min(32, 'at least 32 characters, as `openssl rand -base64 32` prints them')

const tls = z
  .strictObject({
    ca: text.optional().meta({ description: 'The authorities in PEM', example: '${file:/run/secrets/nats-ca.pem}' }),
    cert: text.optional().meta({ description: 'The certificate in PEM', example: '${file:/run/secrets/nats.crt}' }),
    key: text.optional().meta({ description: 'Its key in PEM', example: '${file:/run/secrets/nats.key}' }),
  })
  .transform(({ ca, cert, key }) => ({ ca, cert, key }))

const nats = z
  .strictObject({
    servers: z
      .array(z.string().regex(/^(?:nats|tls):\/\/[^\s@/]+$/, 'an address such as nats://nats:4222 or tls://nats:4222'))
      .min(1, 'at least one address')
      .meta({ example: ['nats://nats:4222'] }),
    cluster: name.default('junctor').meta({ example: 'junctor' }),
    key: z
      .union([clusterKey, z.array(clusterKey).min(1, 'at least one key')], 'a key of the cluster, or a list of them')
      .transform((written) => (typeof written === 'string' ? [written] : written))
      .meta({ example: '${env:JUNCTOR_CLUSTER_KEY}' }),
    replicas: wholeNumber(1, 5).default(1).meta({ example: 3 }),
    user: secret.meta({ example: 'junctor' }),
    password: secret.meta({ example: '${env:NATS_PASSWORD}' }),
    token: secret.meta({ example: '${env:NATS_TOKEN}' }),
    nkey: secret.meta({ description: 'The seed of an nkey', example: '${env:NATS_NKEY}' }),
    credentials: secret.meta({ description: 'A credentials file', example: '${file:/run/secrets/nats.creds}' }),
    tls: tls.optional(),
  })
  .transform(({ servers, cluster, key, replicas, user, password, token, nkey, credentials, tls: own }) => {
    return { servers, cluster, key, replicas, user, password, token, nkey, credentials, tls: own }
  })

/** The schema of the nodes' shared state: the memory of a single node, or NATS. */
export const fabricSchema: z.ZodType<FabricConfig> = z
  .union([z.literal('memory'), z.strictObject({ nats })], 'memory, or { nats: { servers, key } }')
  .default('memory')
  .meta({ example: 'memory' })
