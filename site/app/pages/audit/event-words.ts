import type { Words } from '../../../../languages/words.ts'
import type { AuditEvent } from './audit-query.ts'

/** The actor's name or email. */
export const actorText = ({ actor }: AuditEvent, { audit }: Words): string => {
  if (actor.kind === 'account') return actor.name ?? audit.deletedAccount
  if (actor.kind === 'key') return audit.key(actor.name ?? actor.id ?? '')
  if (actor.kind === 'command_line') return audit.commandLine
  return actor.kind === 'visitor' ? audit.visitor : audit.server
}

/** The target; empty where the action says it all. */
export const targetText = ({ actor, target }: AuditEvent, { audit }: Words): string => {
  if (target === null) return ''
  const { kind, id, name } = target
  if (kind === 'account') return id !== null && id === actor.id ? '' : (name ?? audit.deletedAccount)
  if (kind === 'upstream') return audit.upstream(name ?? '')
  if (kind === 'model') return audit.model(name ?? '')
  if (kind === 'invitation') return name === null ? audit.someInvitation : audit.invitation(name)
  if (kind === 'session') return audit.session
  return name ?? id ?? ''
}

/** How figures are written for the reader. */
export type DetailFigures = { money(micros: number): string; bytes(count: number): string }

/** What changed: old and new value where both are given, otherwise the details by name. */
export const detailText = (
  { target, details }: AuditEvent,
  { team, audit }: Words,
  { money, bytes }: DetailFigures,
): string => {
  // Values of settings are shown as they are written in the file of settings.
  const valueWords = new Map<unknown, string>(
    target?.kind === 'setting' && details.problem === undefined
      ? []
      : [...Object.entries(team.roles), ...Object.entries(audit.values)],
  )
  const names = new Map<string, string>(Object.entries(audit.facts))
  // An empty text or list is none, too.
  const text = (value: unknown): string => valueWords.get(value) ?? (String(value ?? '') || audit.none)
  const { from, to, ...rest } = details
  const change = from !== undefined && to !== undefined ? [`${text(from)} → ${text(to)}`] : []
  const facts = Object.entries(rest)
    .filter(([name, value]) => value !== false && !hiddenDetails.includes(name))
    .map(([name, value]) =>
      name === 'graceMs' && typeof value === 'number'
        ? `${names.get(name)} ${durationText(value, audit)}`
        : name.endsWith('Micros') && typeof value === 'number'
          ? `${names.get(name) ?? name} ${money(value)}`
          : name === 'bytes' && typeof value === 'number'
            ? bytes(value)
            : factText(names.get(name) ?? name, name, value, text),
    )
  return [...change, ...facts].join(', ')
}

/** Shown in the CSV file only, for programs. */
const hiddenDetails = ['invitation', 'invited']

const factText = (word: string, name: string, value: unknown, text: (value: unknown) => string): string => {
  if (value === true) return word
  if (name === 'expiresAt' && typeof value === 'number') return `${word} ${new Date(value).toISOString().slice(0, 10)}`
  return `${word} ${text(value)}`
}

/** In the largest unit that leaves no remainder. */
const durationText = (ms: number, { durations }: Words['audit']): string => {
  const seconds = Math.round(ms / 1000)
  if (seconds % 86_400 === 0 && seconds > 0) return durations.days(seconds / 86_400)
  if (seconds % 3600 === 0 && seconds > 0) return durations.hours(seconds / 3600)
  return seconds % 60 === 0 && seconds > 0 ? durations.minutes(seconds / 60) : durations.seconds(seconds)
}
