/** Characters of a path that an error shows. */
const shownCharacters = 40

/** What is wrong with a path that cannot be decoded: what was expected, and the part that came. */
export function badEscape(url: string): string {
  const [path = ''] = url.split('?', 1)
  const part = path.split('/').find((one) => !isDecodable(one)) ?? path
  const from = /%(?![0-9a-f]{2})/i.exec(part)?.index ?? part.indexOf('%')
  const got = JSON.stringify(part.slice(from, from + shownCharacters))
  return `Expected a path with escapes of UTF-8 such as %20, and %25 for a "%" itself, got ${got}`
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
