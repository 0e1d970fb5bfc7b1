import manifest from '../package.json' with { type: 'json' }

/** The version of Junctor: all its packages are published together. */
export const release: string = manifest.version
