import { basename, dirname, resolve, sep } from 'node:path'

/**
 * Folders in a project in which other programs keep their files. The content of such a file refers to the folder above.
 */
const settingsFolders: readonly string[] = ['.vscode', '.cursor', '.zed', '.gemini', '.roo']

/** Returns the absolute path of the folder that a program with this file works in. */
export function workspaceOf(file: string): string {
  const folder = dirname(resolve(file))
  return settingsFolders.includes(basename(folder)) ? dirname(folder) : folder
}

/**
 * Replaces the placeholders of Cursor and VS Code for places on this machine: `${workspaceFolder}`, `${userHome}` and
 * so on.
 */
export function withPlaces(text: string, workspace: string): string {
  return text.replace(/\$\{(\w+|\/)\}/g, (written, word: string) => {
    switch (word) {
      case 'workspaceFolder':
      case 'workspaceRoot':
        return workspace
      case 'workspaceFolderBasename':
        return basename(workspace)
      case 'userHome':
        return '${env:HOME}'
      case 'pathSeparator':
      case '/':
        return sep
      default:
        return written
    }
  })
}
