import * as z from 'zod'
import { hasArgon2 } from './hash-password.ts'
import { readPasswordHash } from './password-hash.ts'

/** The schema of a password in the configuration: a hash in the PHC string format that this process can check. */
export const password: z.ZodType<string> = z
  .string()
  .superRefine((text, context) => {
    const expected = expectedInstead(text)
    if (expected !== undefined) context.addIssue({ code: 'custom', message: expected })
  })
  .meta({ writeOnly: true })

/** What is expected in place of a text. `undefined`: the text is good. */
function expectedInstead(text: string): string | undefined {
  const read = readPasswordHash(text)
  if (read.kind === 'refused') return read.expected
  if (read.hash.cost.kind === 'scrypt' || hasArgon2()) return undefined
  const { node, openssl } = process.versions
  return `a hash of scrypt, because Argon2 needs Node 24.7 and OpenSSL 3.2 or later (this is Node ${node} with OpenSSL ${openssl})`
}
