/** The first version of Node that can run Junctor. */
const firstMajor = 24

/**
 * Ends the program with a reason when Node is too old for it. Otherwise older versions end with a SyntaxError of code
 * that they cannot read. Call it first in a program, before code is loaded that they cannot read; npm installs a program
 * in spite of the `engines` of its package.
 */
export function refuseOldNode(process: Pick<NodeJS.Process, 'version' | 'stderr' | 'exit'>): void {
  const { version } = process
  if (Number.parseInt(version.slice(1), 10) >= firstMajor) return
  const next = `Install it, or put its folder first in the PATH: node --version shows which one runs.`
  process.stderr.write(`Node ${firstMajor} or later is needed, got ${version}\n  ${next}\n`)
  process.exit(1)
}
