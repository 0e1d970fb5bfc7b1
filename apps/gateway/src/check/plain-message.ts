/** The message of an error without the code in front, which is for logs. */
export function plainMessage({ message }: Error): string {
  return message.replace(/^\[[A-Z_]+\] /, '')
}
