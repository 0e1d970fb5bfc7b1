/** The message of an error without the code at its start, which is for logs. */
export function plainMessage({ message }: Error): string {
  return message.replace(/^\[[A-Z_]+\] /, '')
}
