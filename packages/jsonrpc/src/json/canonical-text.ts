/**
 * A text that two values share exactly when they are equal in JSON Schema (2020-12, Core, section 4.2.2): the order of
 * members does not matter, nor does the way in which a number is written.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`
  }
  // Numbers may be infinite: 1e999 is.
  return typeof value === 'number' ? String(value) : JSON.stringify(value ?? null)
}
