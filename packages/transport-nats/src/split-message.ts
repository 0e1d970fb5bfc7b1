/** The parts of a message, each of at most `size` bytes. They share the message's memory. */
export function splitMessage(message: Uint8Array, size: number): readonly Uint8Array[] {
  if (message.length <= size) return [message]
  const parts: Uint8Array[] = []
  for (let start = 0; start < message.length; start += size) parts.push(message.subarray(start, start + size))
  return parts
}
