import type { JsonObject } from '@junctor/jsonrpc'
import { legalName } from '@junctor/config'
import { isServerName } from './registry/server-document.ts'

/** What the words after `junctor add` mean. */
export type AddTarget =
  /** A server of a registry; the name may be only a part of one. */
  | { readonly kind: 'registered'; readonly name: string }
  /** A `server.json` on disk. */
  | { readonly kind: 'file'; readonly file: string }
  /** Perhaps none that can be used. */
  | { readonly kind: 'url'; readonly url: string; readonly name: string }
  | { readonly kind: 'command'; readonly backend: JsonObject; readonly name: string }

/**
 * Reads the first words of the command line. Words after a name, a file or a URL are options of `junctor add`; words
 * after a program are its arguments.
 *
 * @param isHere whether a program can be found
 */
export function addTarget(word: string, isHere: (program: string) => boolean, rest: readonly string[]): AddTarget {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(word)) return { kind: 'url', url: word, name: nameOfUrl(word) }
  if (/\.json$/i.test(word)) return { kind: 'file', file: word }
  const isPath = /^(?:\.{0,2}[\\/]|[a-z]:[\\/])/i.test(word)
  const first = rest[0] ?? '-'
  const isName = !isPath && first.startsWith('-') && (isServerName(word) || !isHere(word))
  if (isName) return { kind: 'registered', name: word }
  const backend = rest.length === 0 ? { command: word } : { command: word, args: rest }
  return { kind: 'command', backend, name: nameOfCommand(word, rest) }
}

/** The name of a backend for a server of a registry: the part after the slash. */
export function nameOfServer(name: string): string {
  return legalName(name.slice(name.indexOf('/') + 1))
}

function nameOfUrl(url: string): string {
  if (!URL.canParse(url)) return legalName(url)
  const { hostname, host } = new URL(url)
  const labels = hostname.split('.')
  if (labels.length < 2 || /^[\d.]+$/.test(hostname)) return legalName(host)
  const telling = labels.slice(0, -1).find((label) => !['www', 'mcp', 'api'].includes(label))
  return legalName(telling ?? labels[0] ?? host)
}

/** The package, image or script that a command runs. */
function nameOfCommand(command: string, args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-') && !['run', 'exec', 'dlx', 'x', 'tool'].includes(arg))
  const telling = words.find((word) => /[/@.]/.test(word)) ?? words[0] ?? command
  const last =
    telling
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? telling
  return legalName(last.replace(/(?<=.)[@:].*$/, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, ''))
}
