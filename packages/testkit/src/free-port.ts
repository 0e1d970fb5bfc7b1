import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * From and below: no system gives these to sockets by itself (Linux begins at 32,768, others at 49,152), so that nobody
 * connects from the port before it is listened on.
 */
const [lowest, beyond] = [10_000, 32_000]

/**
 * A port of the loopback interface on which nobody listens: for what must be started again under its port. Whoever needs
 * one for once listens on port 0.
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
