/**
 * The bytes of a text in base64, also as URLs write it, with or without padding and line breaks. `undefined`: it is not
 * base64.
 */
export function readBase64(text: string): Uint8Array | undefined {
  const digits = text.replaceAll(/[\r\n]+/g, '')
  const [data = ''] = /^[\w+/-]*/.exec(digits) ?? []
  const padding = digits.slice(data.length)
  // One digit has not even the bits of a byte. Padding fills the last four.
  if (data.length % 4 === 1 || !/^={0,2}$/.test(padding)) return undefined
  if (padding !== '' && (data.length + padding.length) % 4 !== 0) return undefined
  return Buffer.from(digits, 'base64')
}
