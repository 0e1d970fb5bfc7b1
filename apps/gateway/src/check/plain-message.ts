/** The message of an error for the line of its backend: without the code at its start, which is for logs, and the name. */
export function plainMessage({ message }: Error): string {
  return message
    .replace(/^\[[A-Z_]+\] /, '')
    .replace(/^Backend "[^"]*" could not be created/, 'a backend that could not be created')
}
