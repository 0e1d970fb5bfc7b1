/** How another program starts this command. */
export interface OwnCommand {
  /** The path of the Node executable. */
  readonly execPath: string
  /** The file that Node runs, as an absolute path. */
  readonly program: string
}

/** The snippet for the file of a client that starts its servers itself, such as Claude Desktop or Cursor. */
export function clientSnippet({ execPath, program }: OwnCommand, config: string): string {
  const junctor = { command: execPath, args: [program, 'serve', '--stdio', '--config', config] }
  return JSON.stringify({ mcpServers: { junctor } }, null, 2)
}
