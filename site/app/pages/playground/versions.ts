import { saysSomething, type Tail, type Turn, type Versions } from './turns.ts'

/** Which of how many is shown. */
export const versionNumber = ({ versions }: Turn): { number: number; count: number } => {
  const { before, after } = versions ?? { before: [], after: [] }
  return { number: before.length + 1, count: before.length + 1 + after.length }
}

export const placeOf = (turn: Turn): string => turn.versions?.place ?? turn.id

/** Shows `next` from there on. What was there stays as a version, unless it was an answer that says nothing, to the same values. */
export const fork = (turns: readonly Turn[], index: number, next: Turn): readonly Turn[] => {
  const old = turns[index]
  const kept = turns.slice(0, index)
  if (old === undefined) return [...kept, next]
  const { before, after } = old.versions ?? { before: [], after: [] }
  const isNothing = turns.length === index + 1 && !saysSomething(old) && !hasThought(old) && !isOtherRow(old, next)
  const others = [...before, ...(isNothing ? [] : [tailFrom(turns, index)]), ...after]
  return [...kept, others.length === 0 ? next : withVersions(next, { place: placeOf(old), before: others, after: [] })]
}

/** Shows the version before or after the one in this place, with the conversation that followed it. */
export const stepVersion = (turns: readonly Turn[], id: string, step: -1 | 1): readonly Turn[] => {
  const index = turns.findIndex((turn) => turn.id === id)
  const versions = turns[index]?.versions
  if (versions === undefined) return turns
  const shown = tailFrom(turns, index)
  const all = [...versions.before, shown, ...versions.after]
  const at = versions.before.length + step
  const [first, ...rest] = all[at] ?? []
  if (first === undefined) return turns
  const { place } = versions
  return [
    ...turns.slice(0, index),
    withVersions(first, { place, before: all.slice(0, at), after: all.slice(at + 1) }),
    ...rest,
  ]
}

/** Without a turn. Its other versions stay: with the turn that follows it, or in its place if it was the last. */
export const withoutTurn = (turns: readonly Turn[], id: string): readonly Turn[] => {
  const index = turns.findIndex((turn) => turn.id === id)
  const versions = turns[index]?.versions
  const rest = turns.toSpliced(index, 1)
  if (index < 0) return turns
  if (versions === undefined) return rest
  const next = rest[index]
  if (next !== undefined) {
    const { place, before, after } = next.versions ?? { place: next.id, before: [], after: [] }
    const merged = { place, before: [...versions.before, ...before], after: [...after, ...versions.after] }
    return rest.with(index, withVersions(next, merged))
  }
  const shown = stepVersion(turns, id, versions.after.length > 0 ? 1 : -1)
  const first = shown[index]
  if (first?.versions === undefined) return rest
  const { place, before, after } = first.versions
  const others = versions.after.length > 0 ? { before: before.slice(0, -1), after } : { before, after: after.slice(1) }
  return shown.with(index, withVersions(first, { place, ...others }))
}

export const withoutVersions = (turn: Turn): Turn => {
  const { versions: _others, ...alone } = turn
  return alone
}

/** Versions in versions count with the one that they are in. */
export const countVersions = (turns: readonly Turn[]): number =>
  turns.reduce((sum, turn) => sum + versionNumber(turn).count - 1, 0)

/** Without so many versions, from the start of the conversation on, the oldest first. */
export const leaveOutVersions = (turns: readonly Turn[], count: number): readonly Turn[] => {
  let left = count
  return turns.map((turn) => {
    if (turn.versions === undefined || left === 0) return turn
    const { place, before, after } = turn.versions
    const [fromBefore, fromAfter] = [
      Math.min(left, before.length),
      Math.min(Math.max(0, left - before.length), after.length),
    ]
    left -= fromBefore + fromAfter
    return withVersions(turn, { place, before: before.slice(fromBefore), after: after.slice(fromAfter) })
  })
}

/** That a set of values brought nothing is a result, next to those of the others. */
const isOtherRow = (old: Turn, next: Turn): boolean =>
  old.kind === 'answer' && next.kind === 'answer' && old.row !== undefined && old.row.number !== next.row?.number

const hasThought = (turn: Turn): boolean => turn.kind === 'answer' && turn.thought !== null

/** The turns from there on, as a version: the first no longer lists the others, and what was running has ended. */
const tailFrom = (turns: readonly Turn[], index: number): Tail => {
  const [first, ...rest] = turns.slice(index).map(ended)
  if (first === undefined) return []
  return [withoutVersions(first), ...rest]
}

export const withVersions = (turn: Turn, versions: Versions): Turn => {
  const alone = withoutVersions(turn)
  return versions.before.length + versions.after.length === 0 ? alone : { ...alone, versions }
}

/** An answer that was running is stopped with what replaces it. */
export const ended = (turn: Turn): Turn =>
  turn.kind === 'answer' && (turn.outcome.kind === 'running' || turn.outcome.kind === 'waiting')
    ? { ...turn, outcome: { kind: 'stopped' } }
    : turn
