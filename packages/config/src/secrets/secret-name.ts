/** Parts of names under which secrets are kept, as a pattern. */
export const secretWords = 'token|secret|seal|pass|key|credential|bearer|auth|cookie|signature|dsn'

/** Names below which every text is a secret. */
export const secretName: RegExp = new RegExp(secretWords, 'i')
