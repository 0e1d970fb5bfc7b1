import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The range of ports. No system assigns these to outgoing sockets (Linux begins at 32,768, others at 49,152), so that
 * no connection takes the port before the test listens on it. `fetch` refuses 10,080 and some lower ports as bad ports.
 */
const [lowest, beyond] = [10_081, 32_000]

/**
 * A free port of the loopback interface, for a server that must be restarted on the same port. A server that starts
 * only once should listen on port 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, beyond)
    // oxlint-disable-next-line no-await-in-loop -- until one is free
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
