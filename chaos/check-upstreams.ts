/**
 * `node chaos/check-upstreams.ts FOLDER`: checks a finished run over upstreams. It reads only the journals, the log and the
 * database. Prints one line per violation; exits with 1 if there are any.
 */
import { checkUpstreamsRun } from './upstreams/check.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node chaos/check-upstreams.ts FOLDER')
  process.exit(2)
}
const { coverage, violations } = checkUpstreamsRun(folder)
for (const [name, count] of Object.entries(coverage)) console.log(`${name.padEnd(10)} ${String(count).padStart(6)}`)
for (const { rule, detail } of violations) console.log(`VIOLATION ${rule}: ${detail}`)
console.log(violations.length === 0 ? 'Every text is whole and billed once.' : `${violations.length} violations.`)
process.exitCode = violations.length === 0 ? 0 : 1
