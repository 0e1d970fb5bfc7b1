/** The text of a tool's result; an error has a prefix. */
export function textOf(result: unknown): string {
  const { content, isError } = (result ?? {}) as { content?: readonly { text?: string }[]; isError?: boolean }
  const text = content?.map((part) => part.text ?? '').join('') ?? JSON.stringify(result)
  return isError === true ? `tool error: ${text}` : text
}

/** An id as text: all ids of the storm's clients are texts. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id)
}
