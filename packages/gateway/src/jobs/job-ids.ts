import { randomBytes } from 'node:crypto'

/** Random bytes of one id: 22 characters of base64url. */
const idBytes = 16
/** Random bytes are asked for by so many ids at a time: one by one they cost more than storing the job. */
const batch = 256

/** Makes ids of jobs, which nobody can guess: `j_` and 22 base64url characters. */
export function createJobIds(): () => string {
  let bytes = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at === bytes.length) {
      bytes = randomBytes(idBytes * batch)
      at = 0
    }
    const id = `j_${bytes.toString('base64url', at, at + idBytes)}`
    at += idBytes
    return id
  }
}
