// Plain JavaScript that any Node can read: an old one is told so in one line before it meets TypeScript.
import { existsSync } from 'node:fs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const stop = (line) => {
  console.error(`helix: ${line}`)
  process.exit(1)
}
if (major < 24 || (major === 24 && minor < 7))
  stop(
    `Node 24.7 or newer is needed, and this is ${process.versions.node}. On Linux (x64, arm64) 'npm ci' brings it along.`,
  )
if (!existsSync(new URL('../node_modules', import.meta.url))) stop("the packages are missing. Run 'npm ci' first.")
await import('./main.ts')
