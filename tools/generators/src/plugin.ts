import { readPluginName, workspaceFiles } from '@junctor/plugin-template'

/** The part of nx's file tree that the generator uses. */
interface Tree {
  exists(path: string): boolean
  write(path: string, content: string): void
}

/**
 * Writes a new plugin into the repository: `pnpm nx g @junctor/generators:plugin weather`. Install and format afterwards.
 *
 * @throws Error when the name cannot be used, or the folder exists
 */
// nx calls the default export of the file.
// oxlint-disable-next-line no-default-export
export default function plugin(tree: Tree, { name: given }: { readonly name: string }): void {
  const name = readPluginName(given)
  if (name.kind === 'bad') throw new Error(`expected ${name.expected}, got ${JSON.stringify(given)}`)
  const folder = `plugins/${name.short}`
  if (tree.exists(folder)) throw new Error(`${folder} exists already: choose another name`)
  for (const [file, text] of Object.entries(workspaceFiles(name))) tree.write(`${folder}/${file}`, text)
}
