import { writeFileSync } from 'node:fs'
import { bridgedFeatures } from '../requirements/bridge.ts'
import { bridgePage } from './bridge-page.ts'

// Writes docs/eras.md from the list of requirements.
writeFileSync(new URL('../../../docs/eras.md', import.meta.url), bridgePage(bridgedFeatures))
