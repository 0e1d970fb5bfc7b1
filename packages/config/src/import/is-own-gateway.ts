import type { JsonValue } from '@junctor/jsonrpc'

/**
 * The names of this gateway: `junctor`, `/opt/bin/junctor`, `junctor@1.2.3`, `junctor.cmd`, and the file that Node runs
 * in a clone.
 */
const gateway =
  /(?:^|[\\/])(?:junctor(?:@[^\\/]*)?(?:\.(?:cmd|exe|ps1|sh|[cm]?js))?|apps[\\/]gateway[\\/](?:src|dist)[\\/]main\.[cm]?[jt]s)$/i

/**
 * Whether a program is this gateway: the entry with which a client starts us. As a backend it would start itself
 * endlessly. The name is followed by `serve`, regardless of the program that runs it (`npx`, `node`, a shell's `-c`).
 */
export function isOwnGateway(command: string, args: JsonValue | undefined): boolean {
  const given = Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : []
  // A path may contain spaces, and a shell receives all its words as one.
  const sentences = [[command, ...given], [command, ...given].join(' ').split(/[\s"']+/)]
  return sentences.some((words) =>
    words.some((word, index) => {
      const next = words.slice(index + 1).find((later) => !later.startsWith('-'))
      return gateway.test(word) && next === 'serve'
    }),
  )
}
