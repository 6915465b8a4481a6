import type { Family } from './family.ts'

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** The text format of OpenMetrics 1.0. */
export const writeMetrics = (families: readonly Family[]): string => {
  let text = ''
  for (const family of families) {
    const { name, kind, help } = family
    const unit = findUnit(name)
    text += `# TYPE ${name} ${kind}\n`
    if (unit !== null) text += `# UNIT ${name} ${unit}\n`
    text += `# HELP ${name} ${escapeHelp(help)}\n${family.samples()}`
  }
  return `${text}# EOF\n`
}

const units = ['seconds', 'bytes', 'ratio']
const findUnit = (name: string): string | null => units.find((unit) => name.endsWith(`_${unit}`)) ?? null

const escapeHelp = (help: string): string =>
  help.replace(/[\\\n"]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
