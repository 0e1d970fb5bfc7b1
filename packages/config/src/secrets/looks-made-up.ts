/**
 * Whether a text is not a word, path, address, version or type, and is so long that it is unlikely to occur by chance.
 */
export function looksMadeUp(value: string): boolean {
  const isOrdinary = /^(?:[a-z]*|[./~].*|https?:\/\/[^@?]*|[\d.-]*|[\w.+-]+\/[\w.+*-]+(?:[;,].*)?)$/i.test(value)
  return value.length >= 8 && !isOrdinary
}
