import { resolve } from 'node:path'
import { type NatsServer, startNatsServer } from './start-nats-server.ts'

/**
 * The users of a server with the permissions that we ship. `billing` is a client on the bus, of the tenant `default`.
 */
export type GuardedUser = 'gateway' | 'worker' | 'billing'

/** A nats-server that gives each user only the permissions that it needs. */
export interface GuardedNatsServer extends NatsServer {
  /** The credentials for a connection. */
  credentials(user: GuardedUser): { readonly user: string; readonly password: string }
}

const configuration = resolve(import.meta.dirname, '../../../deploy/nats/junctor.conf')

/** Starts a nats-server with the configuration in `deploy/nats`, of the cluster `junctor`. */
export async function startGuardedNatsServer(): Promise<GuardedNatsServer> {
  const server = await startNatsServer({
    args: ['-c', configuration],
    env: {
      GATEWAY_PASSWORD: passwordOf('gateway'),
      WORKER_PASSWORD: passwordOf('worker'),
      BILLING_PASSWORD: passwordOf('billing'),
    },
  })
  return Object.assign(server, {
    credentials: (user: GuardedUser) => ({ user, password: passwordOf(user) }),
  })
}

function passwordOf(user: GuardedUser): string {
  return `the-password-of-the-${user}`
}
