/** A guide as it reads where its ports are taken: each port that it names is the one given for it, everywhere. */
export function atPorts(markdown: string, ports: ReadonlyMap<string, number>): string {
  return markdown.replaceAll(/\b\d{4,5}\b/g, (port) => `${ports.get(port) ?? port}`)
}
