/** How a key is derived from a password and a salt. */
export type HashCost =
  | { readonly kind: 'scrypt'; readonly ln: number; readonly r: number; readonly p: number }
  | {
      readonly kind: 'argon2'
      readonly variant: 'argon2id' | 'argon2i' | 'argon2d'
      /** Blocks of 1 KiB. */
      readonly m: number
      readonly t: number
      readonly p: number
    }

/** A password in the configuration. */
export interface PasswordHash {
  readonly cost: HashCost
  readonly salt: Buffer
  readonly key: Buffer
}

/** What a text is. `expected` says what it should be. */
type Read =
  | { readonly kind: 'hash'; readonly hash: PasswordHash }
  | { readonly kind: 'refused'; readonly expected: string }

/** The most memory of one check, in MiB. */
const mostMemory = 256
/** The most memory of one check times how often it goes through it, in MiB. A processor does about one in a millisecond. */
const mostWork = 1024
/** The most of `r` and `p`: buffers and threads that are not part of the memory above. */
const mostBlocks = 64
const saltBytes = { least: 8, most: 64 }
const keyBytes = { least: 16, most: 64 }

const number = '([1-9]\\d{0,9})'
const saltAndKey = '\\$([A-Za-z0-9+/]*)\\$([A-Za-z0-9+/]*)'
const scryptForm = new RegExp(`^\\$scrypt\\$ln=${number},r=${number},p=${number}${saltAndKey}$`)
const argon2Form = new RegExp(`^\\$(argon2(?:id|i|d))\\$v=19\\$m=${number},t=${number},p=${number}${saltAndKey}$`)

const aHash =
  'a hash, as `junctor hash-password` prints it, or one such as $argon2id$v=19$m=65536,t=3,p=4$<salt>$<key> (PHC string format)'

/**
 * Reads a hash in the PHC string format. One that is too weak, or whose check takes more than a gateway can spare, is
 * refused.
 */
export function readPasswordHash(text: string): Read {
  const written = split(text)
  const salt = bytesOf(written?.salt ?? '')
  const key = bytesOf(written?.key ?? '')
  if (written === undefined || salt === undefined || key === undefined) return { kind: 'refused', expected: aHash }
  const { cost } = written
  const expected =
    judgeLength('salt', salt, saltBytes) ?? judgeLength('key', key, keyBytes) ?? judgeForm(cost) ?? judgeDemand(cost)
  return expected === undefined ? { kind: 'hash', hash: { cost, salt, key } } : { kind: 'refused', expected }
}

/** Writes a hash in the PHC string format. */
export function printScryptHash(
  { ln, r, p }: Omit<HashCost & { kind: 'scrypt' }, 'kind'>,
  salt: Buffer,
  key: Buffer,
): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`
}

function split(text: string): { readonly cost: HashCost; readonly salt: string; readonly key: string } | undefined {
  const [isScrypt, ln, r, lanes, salt = '', key = ''] = scryptForm.exec(text) ?? []
  if (isScrypt !== undefined) {
    return { cost: { kind: 'scrypt', ln: Number(ln), r: Number(r), p: Number(lanes) }, salt, key }
  }
  const [, variant, m, t, p, argon2Salt = '', argon2Key = ''] = argon2Form.exec(text) ?? []
  if (variant !== 'argon2id' && variant !== 'argon2i' && variant !== 'argon2d') return undefined
  const cost = { kind: 'argon2', variant, m: Number(m), t: Number(t), p: Number(p) } as const
  return { cost, salt: argon2Salt, key: argon2Key }
}

/** Decodes base64 without padding. `undefined`: no bytes are written like this. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return base64(bytes) === text ? bytes : undefined
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

function judgeLength(what: string, { length }: Buffer, bounds: typeof saltBytes): string | undefined {
  if (length >= bounds.least && length <= bounds.most) return undefined
  return `a hash with a ${what} of ${bounds.least} to ${bounds.most} bytes, not ${length}`
}

/** Combinations that the algorithms do not have. */
function judgeForm(cost: HashCost): string | undefined {
  if (cost.p > mostBlocks) return `a hash with p of at most ${mostBlocks}, not ${cost.p}`
  if (cost.kind === 'argon2') {
    return cost.m < 8 * cost.p
      ? `a hash with m of at least 8 times p, which is ${8 * cost.p}, not ${cost.m}`
      : undefined
  }
  if (cost.r > mostBlocks) return `a hash with r of at most ${mostBlocks}, not ${cost.r}`
  return cost.ln >= 16 * cost.r ? `a hash with ln below 16 times r, which is ${16 * cost.r}, not ${cost.ln}` : undefined
}

function judgeDemand(cost: HashCost): string | undefined {
  const memory = cost.kind === 'scrypt' ? (128 * cost.r * 2 ** cost.ln) / 1024 ** 2 : cost.m / 1024
  const passes = cost.kind === 'scrypt' ? cost.p : cost.t
  if (memory > mostMemory) return `a hash whose check takes at most ${mostMemory} MiB, not ${Math.ceil(memory)} MiB`
  if (memory * passes <= mostWork) return undefined
  return `a hash whose check goes through at most ${mostWork} MiB, not ${Math.ceil(memory * passes)} MiB (${passes} times ${Math.ceil(memory)} MiB)`
}
