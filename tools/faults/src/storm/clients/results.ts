/** The text of a tool's result; one that is an error says so in front. */
export function textOf(result: unknown): string {
  const { content, isError } = (result ?? {}) as { content?: readonly { text?: string }[]; isError?: boolean }
  const text = content?.map((part) => part.text ?? '').join('') ?? JSON.stringify(result)
  return isError === true ? `tool error: ${text}` : text
}

/** An id as text: all that the storm's clients send are text. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id)
}
