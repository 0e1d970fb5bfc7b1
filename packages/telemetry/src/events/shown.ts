/** Formats a received value for an error message: as JSON, and truncated when it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 100 ? `${text.slice(0, 100)}...` : text
}
