import type { HookSetting } from '../../../config/hook-setting.ts'
import type { Hook } from './hook.ts'
import { compilePattern } from './scan/compile-pattern.ts'
import { createPatternScanner } from './scan/pattern-scanner.ts'
import { Redaction } from './scan/redaction.ts'
import { secretScanners } from './scan/secret-scanners.ts'

type PatternHookSetting = Extract<HookSetting, { url: null }>

/** Other requests are served in between. */
const pieceLength = 4096

/** Throws `PatternRefused` if a pattern is not supported. */
export const createPatternHook = ({ name, phases, onFailure, secrets, patterns, action }: PatternHookSetting): Hook => {
  const scanners = [
    ...secrets.flatMap((shape) => secretScanners[shape]()),
    ...patterns.map((pattern) => createPatternScanner(compilePattern(pattern))),
  ]
  const open = (): Redaction => new Redaction(scanners)
  return {
    name,
    phases,
    onFailure,
    stream: { open, action },
    async check(texts) {
      const replaced: string[] = []
      let count = 0
      for (const { text } of texts) {
        const redaction = open()
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
