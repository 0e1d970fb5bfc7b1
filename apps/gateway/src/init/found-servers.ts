import { readFileSync } from 'node:fs'
import { type ImportedServers, importPlaces, importServers, projectPlaces } from '@junctor/config'

/** Servers in another program's file. */
export interface FoundServers extends ImportedServers {
  /** The program, as people call it; the file's own name for one that was named. */
  readonly program: string
  readonly file: string
}

/**
 * The files with servers that other programs have for this user and in this folder. Those that cannot be read are none;
 * of those with nothing to take over it is told what they have.
 */
export function findServers(folder: string, home: string, platform: NodeJS.Platform): readonly FoundServers[] {
  const places = [...projectPlaces(folder), ...importPlaces(home, platform)]
  // In the home folder, both name the same files.
  const distinct = [...new Map(places.map((place) => [place.file, place])).values()]
  const found = distinct.flatMap(({ program, file }) => {
    const text = textOf(file)
    return text === undefined ? [] : [{ program, file, ...importServers(text, file) }]
  })
  return found
}

/** The servers of a file that was named; `undefined` when it cannot be read. */
export function readServers(file: string): FoundServers | undefined {
  const text = textOf(file)
  return text === undefined ? undefined : { program: file, file, ...importServers(text, file) }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
