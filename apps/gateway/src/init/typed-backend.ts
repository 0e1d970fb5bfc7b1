import type { JsonObject } from '@junctor/jsonrpc'
import { isName } from '@junctor/protocol'
import { commandWords } from './command-words.ts'

/** A backend that the user typed. */
export type TypedBackend =
  | { readonly kind: 'backend'; readonly name: string; readonly backend: JsonObject }
  | { readonly kind: 'bad'; readonly message: string }

/** Reads `name=command with arguments` or `name=https://…`; `wss://…` is also accepted. */
export function typedBackend(text: string): TypedBackend {
  const split = text.indexOf('=')
  const name = text.slice(0, Math.max(0, split)).trim()
  const reach = text.slice(split + 1).trim()
  if (split < 1 || reach === '') {
    const example = split === -1 ? `: write a name before it, for example my-server=${text}` : ''
    return bad(`expected name=command or name=url, got ${JSON.stringify(text)}${example}`)
  }
  if (!isName(name)) {
    return bad(`expected a name of a to z, 0 to 9 and "-", at most 64 long, got ${JSON.stringify(name)}`)
  }
  if (/^(?:https?|wss?):\/\//i.test(reach)) {
    return URL.canParse(reach)
      ? { kind: 'backend', name, backend: { url: reach } }
      : bad(`expected a URL such as https://mcp.example.com/mcp, got ${JSON.stringify(reach)}`)
  }
  const [command, ...args] = commandWords(reach) ?? []
  if (command === undefined) return bad(`expected a quote that is closed again, got ${JSON.stringify(reach)}`)
  return { kind: 'backend', name, backend: args.length === 0 ? { command } : { command, args } }
}

function bad(message: string): TypedBackend {
  return { kind: 'bad', message }
}
