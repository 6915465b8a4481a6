import type { HookSetting } from '../../../config/hook-setting.ts'
import type { Hook } from './hook.ts'
import { compilePattern } from './scan/compile-pattern.ts'
import { createPatternScanner } from './scan/pattern-scanner.ts'
import { Redaction } from './scan/redaction.ts'
import { secretScanners, secretSigns } from './scan/secret-scanners.ts'

type PatternHookSetting = Extract<HookSetting, { url: null }>

/** Of texts that have to be scanned, together: more than models can read. The hook cannot decide then. */
const maxLength = 8_000_000
/** Other requests are served in between. */
const pieceLength = 4096

/** Throws `PatternRefused` if a pattern is not supported. */
export const createPatternHook = ({ name, phases, onFailure, secrets, patterns, action }: PatternHookSetting): Hook => {
  const bySecret = secrets.map((shape) => ({ sign: secretSigns[shape], scanners: secretScanners[shape]() }))
  const own = patterns.map((pattern) => createPatternScanner(compilePattern(pattern)))
  const open = (): Redaction => new Redaction([...bySecret.flatMap(({ scanners }) => scanners), ...own])
  const needed = (text: string) => [
    ...bySecret.flatMap(({ sign, scanners }) => (sign.test(text) ? scanners : [])),
    ...own,
  ]
  return {
    name,
    phases,
    onFailure,
    stream: { open, action },
    async check(texts) {
      const replaced: string[] = []
      let count = 0
      let length = 0
      for (const { text } of texts) {
        const scanners = needed(text)
        if (scanners.length === 0) {
          replaced.push(text)
          continue
        }
        length += text.length
        if (length > maxLength) throw new Error('the texts are too long')
        const redaction = new Redaction(scanners)
        replaced.push(await redactWhole(text, redaction))
        if (redaction.hasGivenUp) throw new Error('the text takes too long')
        count += redaction.count
        if (count > 0 && action === 'block') return { type: 'block' }
      }
      return count === 0 ? { type: 'allow' } : { type: 'replace', action: 'redacted', texts: replaced, count }
    },
  }
}

const redactWhole = async (text: string, redaction: Redaction): Promise<string> => {
  let replaced = ''
  for (let from = 0; from < text.length; from += pieceLength) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve))
    replaced += redaction.push(text.slice(from, from + pieceLength))
  }
  return replaced + redaction.end()
}
