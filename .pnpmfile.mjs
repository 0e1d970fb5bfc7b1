// A command is published as one bundle: what went into it is not installed beside it. The demo's file server is a program
// of its own, so it is.
export const hooks = {
  beforePacking(manifest) {
    if (manifest.bin === undefined) return manifest
    const { '@modelcontextprotocol/server-filesystem': demo } = manifest.dependencies
    return { ...manifest, dependencies: demo === undefined ? {} : { '@modelcontextprotocol/server-filesystem': demo } }
  },
}
