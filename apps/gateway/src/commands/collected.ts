/** Reads an option that may be repeated: all its values, in their order. */
export function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
