/**
 * `node chaos/check-cluster.ts FOLDER`: checks a finished run of a cluster. It reads only the journals and the rows of the
 * ledger. Prints one line per violation; exits with 1 if there are any.
 */
import { checkClusterRun } from './cluster/check.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node chaos/check-cluster.ts FOLDER')
  process.exit(2)
}
const { coverage, violations } = checkClusterRun(folder)
for (const [name, count] of Object.entries(coverage)) console.log(`${name.padEnd(10)} ${String(count).padStart(6)}`)
for (const { rule, detail } of violations) console.log(`VIOLATION ${rule}: ${detail}`)
console.log(
  violations.length === 0 ? 'Nothing is lost, and nothing is billed twice.' : `${violations.length} violations.`,
)
process.exitCode = violations.length === 0 ? 0 : 1
