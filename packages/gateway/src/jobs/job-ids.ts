import { randomBytes } from 'node:crypto'

/** Random bytes of one id: 22 characters of base64url. */
const idBytes = 16
/** Random bytes are asked for by so many ids at a time: one by one they cost more than storing the job. */
const batch = 256

/** What the ids of jobs begin with that nobody can ask for when they are over. */
const passing = 'q_'

/** Makes ids of jobs, which nobody can guess: `j_`, or `q_` for what nobody can ask for, and 22 base64url characters. */
export function createJobIds(): (isKept: boolean) => string {
  let bytes = Buffer.alloc(0)
  let at = 0
  return (isKept) => {
    if (at === bytes.length) {
      bytes = randomBytes(idBytes * batch)
      at = 0
    }
    const id = `${isKept ? 'j_' : passing}${bytes.toString('base64url', at, at + idBytes)}`
    at += idBytes
    return id
  }
}

/** Whether the key of a record, `<owner>.<id>`, is that of a job that nobody can ask for when it is over. */
export function isPassing(key: string): boolean {
  return key.startsWith(passing, key.indexOf('.') + 1)
}
