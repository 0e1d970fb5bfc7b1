/** The claims of a signed token, without a check of its signature: what the tests of a provider want to see. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>
}

/** Whether an audience, which is a text or a list, has a value. */
export function isFor({ aud }: Readonly<Record<string, unknown>>, audience: string): boolean {
  return [aud].flat().includes(audience)
}
