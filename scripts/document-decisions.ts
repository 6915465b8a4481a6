import { readdirSync, readFileSync } from 'node:fs'

const directory = new URL('../docs/decisions/', import.meta.url)

/** docs/decisions/README.md: an index of the decisions, from the first lines of each. */
export const documentDecisions = (): string => {
  const rows = readdirSync(directory)
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map(readDecision)
  const unused = unusedNumbers(rows.map(({ title }) => Number.parseInt(title, 10)))
  return [
    '# Decisions',
    '',
    'What was decided and why, in the order of the decisions. A decision that was changed later says so at its beginning, and the later one',
    `explains the change. Numbers that were never used: ${unused.join(', ')}.`,
    '',
    'This page is generated: `npm run docs`.',
    '',
    '| decision | date | status |',
    '|---|---|---|',
    ...rows.map(({ name, title, date, status }) => `| [${title}](${name}) | ${date} | ${status} |`),
    '',
  ].join('\n')
}

/** Below the highest. */
const unusedNumbers = (used: readonly number[]): number[] =>
  Array.from({ length: Math.max(...used) }, (_, index) => index + 1).filter((number) => !used.includes(number))

type Decision = { name: string; title: string; date: string; status: string }

const readDecision = (name: string): Decision => {
  const [heading = '', , state = ''] = readFileSync(new URL(name, directory), 'utf8').split('\n')
  const [, title] = /^# (\d+\. .+)$/.exec(heading) ?? []
  const [, date, change] = /^Accepted on (\d{4}-\d{2}-\d{2})(?:; (.+))?\.$/.exec(state) ?? []
  if (!title || !date) {
    throw new Error(`docs/decisions/${name} must begin with "# 1. Title", an empty line and "Accepted on 2026-01-31."`)
  }
  return { name, title, date, status: change ?? 'in force' }
}
