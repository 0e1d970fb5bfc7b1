import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

/** The highest port that `fetch` refuses (Fetch, section 2.9, "Port blocking"). */
const highestBadPort = 10_080

test('returns no port that fetch refuses', async () => {
  await expect(fetch(`http://127.0.0.1:${highestBadPort}`)).rejects.toMatchObject({ cause: { message: 'bad port' } })
  // A third of all lower ports would be below: so many attempts would find one.
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()))
  for (const port of ports) expect(port).toBeGreaterThan(highestBadPort)
})
