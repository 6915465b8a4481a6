/**
 * `node chaos/check-ledger.ts FOLDER`: checks whether the ledger of a finished run is correct. It reads only the
 * journals and the database. Prints one line per violation; exits with 1 if there are any.
 */
import { checkLedger } from './check/check.ts'
import { describeEvidence } from './check/describe.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: node chaos/check-ledger.ts FOLDER')
  process.exit(2)
}
const { evidence, violations } = checkLedger(folder)
process.stdout.write(describeEvidence(evidence))
for (const { rule, detail } of violations) console.log(`VIOLATION ${rule}: ${detail}`)
console.log(violations.length === 0 ? 'The ledger tells the truth.' : `${violations.length} violations.`)
process.exitCode = violations.length === 0 ? 0 : 1
