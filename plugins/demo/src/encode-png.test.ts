import { crc32, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { encodePng } from './encode-png.ts'

/** The chunks of a PNG, by type. Throws when a checksum is wrong. */
function chunksOf(png: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)))
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end))
    at = end + 4
  }
  return chunks
}

it('is a PNG of the size and the dots of the drawing', () => {
  const png = Buffer.from(encodePng(['#o', '.#', 'oo']))
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1A\n')
  const chunks = chunksOf(png)
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND'])
  expect([...(chunks.get('IHDR') ?? [])]).toEqual([0, 0, 0, 2, 0, 0, 0, 3, 8, 4, 0, 0, 0])
  const [black, white, clear] = [
    [0, 255],
    [255, 255],
    [255, 0],
  ] as const
  expect([...inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))]).toEqual(
    [0, ...black, ...white, 0, ...clear, ...black, 0, ...white, ...white].flat(),
  )
})
