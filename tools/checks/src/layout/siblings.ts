import type { Violation } from '../violation.ts'
import type { WorkspacePackage } from '../workspace.ts'

/** A family of packages with the same structure; a part is a file `src/<part>.ts` or a folder `src/<part>/`. */
interface Family {
  readonly members: RegExp
  readonly parts: readonly string[]
}

const families: readonly Family[] = [
  // On a bus there are clients, but no servers to connect to.
  { members: /^packages\/transport-nats$/, parts: ['front', 'options'] },
  { members: /^packages\/transport-(?!nats$)/, parts: ['front', 'back', 'options'] },
  { members: /^plugins\//, parts: ['index.ts', 'plugin.ts', 'config.ts'] },
]

/** Checks the structure of siblings, so that a reader who knows one transport or plugin knows all of them. */
export function judgeSiblings({ folder, files }: WorkspacePackage): Violation[] {
  return families
    .filter(({ members }) => members.test(folder))
    .flatMap(({ parts }) =>
      parts
        .filter((part) => !files.some((file) => isPart(file, part)))
        .map((part) => ({ where: folder, what: `has no src/${part}; its siblings are made of ${parts.join(', ')}` })),
    )
}

function isPart(file: string, part: string): boolean {
  return file === `src/${part}` || file === `src/${part}.ts` || file.startsWith(`src/${part}/`)
}
