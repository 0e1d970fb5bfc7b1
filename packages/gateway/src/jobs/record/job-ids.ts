import { randomBytes } from 'node:crypto'

/** Random bytes of one id: 22 characters of base64url. */
const idBytes = 16
/**
 * Random bytes are generated for this many ids in one step: for each id alone they would cost more than storing the job.
 */
const batch = 256

/** The prefix of the ids of jobs that cannot be polled. */
const unpollable = 'q_'

/**
 * Creates ids of jobs that cannot be guessed: `j_`, or `q_` for jobs that cannot be polled, and 22 base64url
 * characters.
 */
export function createJobIds(): (isPollable: boolean) => string {
  let bytes = Buffer.alloc(0)
  let at = 0
  return (isPollable) => {
    if (at === bytes.length) {
      bytes = randomBytes(idBytes * batch)
      at = 0
    }
    const id = `${isPollable ? 'j_' : unpollable}${bytes.toString('base64url', at, at + idBytes)}`
    at += idBytes
    return id
  }
}

/** Whether the key of a record, `<owner>.<id>`, belongs to a job that cannot be polled. */
export function isUnpollableKey(key: string): boolean {
  return key.startsWith(unpollable, key.indexOf('.') + 1)
}
