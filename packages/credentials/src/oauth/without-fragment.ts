/** A URL without its fragment: the form in which it names a resource (RFC 8707, section 2). */
export function withoutFragment(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}
