import { expect, test, vi } from 'vitest'
import { freePort } from './free-port.ts'

const { randomInt } = vi.hoisted(() => ({ randomInt: vi.fn<(lowest: number) => number>((lowest) => lowest) }))
vi.mock('node:crypto', () => ({ randomInt }))

/** The highest port that `fetch` refuses (Fetch, section 2.9, "Port blocking"). */
const highestBadPort = 10_080

test('returns no port that fetch refuses', async () => {
  await expect(fetch(`http://127.0.0.1:${highestBadPort}`)).rejects.toMatchObject({ cause: { message: 'bad port' } })
  let tried = 0
  randomInt.mockImplementation((lowest) => Math.max(lowest, highestBadPort) + tried++)
  expect(await freePort()).toBeGreaterThan(highestBadPort)
})
