/** A guide with other ports: each port that it names is replaced everywhere. */
export function atPorts(markdown: string, ports: ReadonlyMap<string, number>): string {
  return markdown.replaceAll(/\b\d{4,5}\b/g, (port) => `${ports.get(port) ?? port}`)
}
