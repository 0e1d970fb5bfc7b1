/** What starts this command, as another program would. */
export interface OwnCommand {
  /** Node. */
  readonly execPath: string
  /** The file that Node runs, absolute. */
  readonly program: string
}

/** For the file of a client that starts its servers itself, such as Claude Desktop or Cursor. */
export function clientSnippet({ execPath, program }: OwnCommand, config: string): string {
  const junctor = { command: execPath, args: [program, 'serve', '--stdio', '--config', config] }
  return JSON.stringify({ mcpServers: { junctor } }, null, 2)
}
