/** Clients that live on the NATS of the nodes, and what that NATS lets whom do. */
export const busRequirements = {
  'BUS-1': {
    source: 'Junctor, transport-nats',
    behaviour:
      'a client on the bus proves who it is, at the tenant in its subject; any other is answered with an error',
  },
  'BUS-2': {
    source: 'Junctor, deploy/nats',
    behaviour:
      'with the permissions that are shipped a client reaches its own subjects: not those of another tenant, of another client, of nodes or of JetStream',
  },
  'BUS-3': {
    source: 'Junctor, deploy/nats',
    behaviour:
      'with the permissions that are shipped gateways and workers do all that they are for, and a worker reaches no client',
  },
  'BUS-4': {
    source: 'Junctor, transport-nats',
    behaviour:
      'when the gateway of a client on the bus leaves, its client is told, no other notices, and another gateway serves it',
  },
} as const
