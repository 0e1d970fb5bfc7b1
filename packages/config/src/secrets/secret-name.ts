/** Names below which every text is a secret. */
export const secretName: RegExp = /token|secret|seal|pass|key|credential|bearer|auth|cookie|signature|dsn/i
