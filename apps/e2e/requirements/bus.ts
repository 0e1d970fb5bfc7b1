/** Clients on the NATS of the nodes, and the permissions of NATS users. */
export const busRequirements = {
  'BUS-1': {
    source: 'Junctor, transport-nats',
    behaviour: 'a client on the bus authenticates for the tenant in its subject; without success it gets an error',
  },
  'BUS-2': {
    source: 'Junctor, deploy/nats',
    behaviour:
      'with the permissions from the repository, a client reaches only its own subjects: not those of another tenant, of another client, of nodes or of JetStream',
  },
  'BUS-3': {
    source: 'Junctor, deploy/nats',
    behaviour:
      'with the permissions from the repository, gateways and workers can do their work, and a worker reaches no client',
  },
  'BUS-4': {
    source: 'Junctor, transport-nats',
    behaviour:
      'when the gateway of a client on the bus leaves, its client is notified, other clients are not affected, and another gateway serves it',
  },
} as const
