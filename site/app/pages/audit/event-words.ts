import type { Words } from '../../../words/words.ts'
import type { AuditEvent } from './audit-query.ts'

/** Whoever did it, as people know them. */
export const actorText = ({ actor }: AuditEvent, { audit }: Words): string => {
  if (actor.kind === 'account') return actor.name ?? audit.deletedAccount
  if (actor.kind === 'key') return audit.key(actor.name ?? actor.id ?? '')
  if (actor.kind === 'command_line') return audit.commandLine
  return actor.kind === 'visitor' ? audit.visitor : audit.server
}

/** What it was done to; empty where the doing says it all. */
export const targetText = ({ actor, target }: AuditEvent, { audit }: Words): string => {
  if (target === null) return ''
  const { kind, id, name } = target
  if (kind === 'account') return id !== null && id === actor.id ? '' : (name ?? audit.deletedAccount)
  if (kind === 'invitation') return name === null ? audit.someInvitation : audit.invitation(name)
  if (kind === 'session') return audit.session
  return name ?? id ?? ''
}

/** What changed: from and to where both are told, else the facts by their names. */
export const detailText = ({ details }: AuditEvent, { team }: Words): string => {
  const shown = new Map<unknown, string>(Object.entries(team.roles))
  const text = (value: unknown): string => shown.get(value) ?? String(value ?? '–')
  const { from, to, ...rest } = details
  const change = from !== undefined && to !== undefined ? [`${text(from)} → ${text(to)}`] : []
  const facts = Object.entries(rest).map(([name, value]) => `${name}: ${text(value)}`)
  return [...change, ...facts].join(', ')
}
