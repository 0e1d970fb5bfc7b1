import { join, posix, win32 } from 'node:path'

/** A file in which another program may keep servers. */
export interface ImportPlace {
  /** The usual name of the program. */
  readonly program: string
  readonly file: string
}

/**
 * Returns the files in which other programs keep the servers of a user. Nothing is read: the caller must check whether
 * a file exists.
 *
 * @param home the user's home folder
 */
export function importPlaces(home: string, platform: NodeJS.Platform): readonly ImportPlace[] {
  const paths = platform === 'win32' ? win32 : posix
  const at = (...steps: readonly string[]): string => paths.join(...steps)
  const settings = { win32: at('AppData', 'Roaming'), darwin: at('Library', 'Application Support') }
  const data = at(home, platform === 'win32' || platform === 'darwin' ? settings[platform] : '.config')
  const code = at(data, 'Code', 'User')
  const extensions = at(code, 'globalStorage')
  const cline = at(extensions, 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json')
  const roo = at(extensions, 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json')
  return [
    { program: 'Claude Desktop', file: at(data, 'Claude', 'claude_desktop_config.json') },
    { program: 'Claude Code', file: at(home, '.claude.json') },
    { program: 'Cursor', file: at(home, '.cursor', 'mcp.json') },
    { program: 'VS Code', file: at(code, 'mcp.json') },
    { program: 'Windsurf', file: at(home, '.codeium', 'windsurf', 'mcp_config.json') },
    { program: 'Cline', file: cline },
    { program: 'Roo Code', file: roo },
    { program: 'Gemini CLI', file: at(home, '.gemini', 'settings.json') },
    {
      program: 'Zed',
      file: platform === 'win32' ? at(data, 'Zed', 'settings.json') : at(home, '.config', 'zed', 'settings.json'),
    },
  ]
}

/** Returns the files in which other programs keep the servers of a project. */
export function projectPlaces(folder: string): readonly ImportPlace[] {
  return [
    { program: 'Claude Code', file: join(folder, '.mcp.json') },
    { program: 'Cursor', file: join(folder, '.cursor', 'mcp.json') },
    { program: 'VS Code', file: join(folder, '.vscode', 'mcp.json') },
    { program: 'Roo Code', file: join(folder, '.roo', 'mcp.json') },
    { program: 'Gemini CLI', file: join(folder, '.gemini', 'settings.json') },
    { program: 'Zed', file: join(folder, '.zed', 'settings.json') },
  ]
}
