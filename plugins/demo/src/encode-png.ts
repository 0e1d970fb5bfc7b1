import { crc32, deflateSync } from 'node:zlib'

/** Grey level and opacity of each character that a drawing may use. */
const inks: Readonly<Record<string, readonly [number, number]>> = { '#': [0, 255], o: [255, 255], '.': [255, 0] }

/**
 * A PNG of a drawing: `#` is black, `o` white, `.` transparent, one character for each pixel, all lines of one length.
 */
export function encodePng(drawing: readonly string[]): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(drawing[0]?.length ?? 0, 0)
  header.writeUInt32BE(drawing.length, 4)
  // Eight bits each of grey and opacity; the only compression and filter methods that PNG has, no interlacing.
  header.set([8, 4, 0, 0, 0], 8)
  // Each line begins with its filter: none.
  const lines = drawing.flatMap((line) => [0, ...Array.from(line).flatMap((dot) => inks[dot] ?? [255, 0])])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12)
  framed.writeUInt32BE(data.length, 0)
  framed.write(type, 4, 'latin1')
  framed.set(data, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8)
  return framed
}
