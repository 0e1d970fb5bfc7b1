import { createHash } from 'node:crypto'

/** A backend's name made of any text. Letters with accents lose them; text with nothing to keep is told by its hash. */
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
