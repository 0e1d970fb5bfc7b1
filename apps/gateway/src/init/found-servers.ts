import { readFileSync } from 'node:fs'
import { type ImportedServers, importPlaces, importServers, projectPlaces } from '@junctor/config'

/** Servers in the file of another program. */
export interface FoundServers extends ImportedServers {
  /** The usual name of the program; the file name when the user named the file. */
  readonly program: string
  readonly file: string
}

/**
 * The server files of other programs for this user and in this folder. Unreadable files are skipped. A file without
 * usable servers is included with the reasons.
 */
export function findServers(folder: string, home: string, platform: NodeJS.Platform): readonly FoundServers[] {
  const places = [...projectPlaces(folder), ...importPlaces(home, platform)]
  // In the home folder, both lists name the same files.
  const distinct = [...new Map(places.map((place) => [place.file, place])).values()]
  const found = distinct.flatMap(({ program, file }) => {
    const text = textOf(file)
    return text === undefined ? [] : [{ program, file, ...importServers(text, file, folder) }]
  })
  return found
}

/** The servers of a file that the user named. `undefined`: the file cannot be read. */
export function readServers(file: string, folder: string): FoundServers | undefined {
  const text = textOf(file)
  return text === undefined ? undefined : { program: file, file, ...importServers(text, file, folder) }
}

function textOf(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch {
    return undefined
  }
}
