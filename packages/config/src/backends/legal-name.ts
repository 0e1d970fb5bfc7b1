import { createHash } from 'node:crypto'

/**
 * Makes a legal backend name from any text. Letters lose their accents. A text without usable characters becomes
 * `server-` and a hash.
 */
export function legalName(written: string): string {
  const name = written
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '')
  return name === '' ? `server-${createHash('sha256').update(written).digest('hex').slice(0, 8)}` : name
}
