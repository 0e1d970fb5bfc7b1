import { join } from 'node:path'
import { behindChecks } from './checks/behind.ts'
import { loginChecks } from './checks/logins.ts'
import { programChecks } from './checks/programs.ts'
import { type Checked, runChecks } from './check.ts'
import { installKeycloak } from './keycloak/install-keycloak.ts'
import { startKeycloak } from './keycloak/start-keycloak.ts'
import { makeScene } from './scene.ts'

/** `unusable`: it could not be tried, and why. */
export type Outcome =
  | { readonly kind: 'unusable'; readonly why: string }
  | { readonly kind: 'tried'; readonly checks: readonly Checked[] }

/** Where Keycloak is kept between runs, and what is called with the progress. */
export interface RunOptions {
  /** The folder for what is fetched. */
  readonly cache: string
  /** Experimental features to switch on. */
  readonly features: readonly string[]
  readonly onChecked: (checked: Checked) => void
  /** Called before each step that takes long. */
  readonly onStep: (text: string) => void
}

/** Installs Keycloak if it is not there, starts it, tries everything, and ends it. */
export async function runKeycloak({ cache, features, onChecked, onStep }: RunOptions): Promise<Outcome> {
  const installed = await installKeycloak(cache, onStep)
  if (installed.kind === 'lacking') {
    return {
      kind: 'unusable',
      why: `This machine lacks "${installed.program}". Keycloak needs Java 17, Maven and tar.`,
    }
  }
  if (installed.kind === 'broken') return { kind: 'unusable', why: `Keycloak cannot be had: ${installed.detail}` }
  await using started = new AsyncDisposableStack()
  onStep('Starting Keycloak (a minute, and two for the first time)')
  const keycloak = await startKeycloak({ folder: installed.folder, features, log: join(cache, 'keycloak.log') })
  started.defer(() => keycloak.stop())
  onStep('Making realms')
  const scene = await makeScene(keycloak)
  started.defer(() => scene.close())
  const checks = [...programChecks(scene), ...behindChecks(scene), ...loginChecks(scene)]
  return { kind: 'tried', checks: await runChecks(checks, onChecked) }
}
