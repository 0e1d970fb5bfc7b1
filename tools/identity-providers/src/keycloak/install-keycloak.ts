import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ended, runProgram } from '../run-program.ts'
import { keycloakVersion } from './version.ts'

/** `lacking`: a program that this machine does not have. `broken`: the download failed. */
export type Installed =
  | { readonly kind: 'ready'; readonly folder: string }
  | { readonly kind: 'lacking'; readonly program: string }
  | { readonly kind: 'broken'; readonly detail: string }

// It is 170 MiB.
const downloadMs = 900_000

/** Tried before anything is fetched. */
const needs = [
  ['java', '-version'],
  ['mvn', '--version'],
  ['tar', '--version'],
] as const

/**
 * Fetches Keycloak from Maven Central into a folder below `cache`, once.
 *
 * @param onStep called before each step that takes long
 */
export async function installKeycloak(cache: string, onStep: (text: string) => void): Promise<Installed> {
  for (const [program, word] of needs) {
    // oxlint-disable-next-line no-await-in-loop -- the first that lacks is named
    const tried = await runProgram(program, [word], 30_000)
    if (tried.kind === 'missing' || tried.code !== 0) return { kind: 'lacking', program }
  }
  const folder = join(cache, `keycloak-${keycloakVersion}`)
  if (existsSync(folder)) return { kind: 'ready', folder }
  await mkdir(cache, { recursive: true })
  const scratch = await mkdtemp(join(cache, 'fetched-'))
  try {
    onStep(`Fetching Keycloak ${keycloakVersion} from Maven Central (170 MiB)`)
    const fetched = await fetchArchive(scratch)
    if (failed(fetched)) return { kind: 'broken', detail: detailOf(fetched) }
    const archive = join(scratch, `keycloak-quarkus-dist-${keycloakVersion}.tar.gz`)
    const unpacked = await runProgram('tar', ['-xzf', archive, '-C', scratch], downloadMs)
    if (failed(unpacked)) return { kind: 'broken', detail: detailOf(unpacked) }
    // Only what is whole gets its name.
    await rename(join(scratch, `keycloak-${keycloakVersion}`), folder)
    return { kind: 'ready', folder }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function fetchArchive(into: string): Promise<Ended> {
  const artifact = `org.keycloak:keycloak-quarkus-dist:${keycloakVersion}:tar.gz`
  const words = [
    '--batch-mode',
    '--quiet',
    'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy',
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${into}`,
    '-Dmdep.useBaseVersion=true',
  ]
  return runProgram('mvn', words, downloadMs)
}

function failed(ended: Ended): boolean {
  return ended.kind === 'missing' || ended.code !== 0
}

function detailOf(ended: Ended): string {
  return ended.kind === 'missing' ? 'a program is missing' : ended.output.slice(-2000)
}
