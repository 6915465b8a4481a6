import { type Profiler, Session } from 'node:inspector/promises'
import type { Clock } from '../base/clock.ts'

const intervalMicros = 1_000
const shownFunctions = 40
const shownStacks = 20
const deepestStack = 12

/** Where the main thread spends its time: names of functions and lines of code, nothing of what they work on. */
export const sampleCpu = async (durationMs: number, clock: Clock): Promise<string> => {
  if (durationMs === 0) return 'not sampled\n'
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: intervalMicros })
    await session.post('Profiler.start')
    await new Promise<void>((resolve) => void clock.after(durationMs, resolve))
    const { profile } = await session.post('Profiler.stop')
    return describeProfile(profile)
  } finally {
    session.disconnect()
  }
}

const describeProfile = ({ nodes, samples = [] }: Profiler.Profile): string => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child): [number, number] => [child, id])),
  )
  const nameOf = (id: number): string => {
    const frame = byId.get(id)?.callFrame
    const place = frame === undefined || frame.url === '' ? '' : ` ${shortUrl(frame.url)}:${frame.lineNumber + 1}`
    return `${frame?.functionName || '(anonymous)'}${place}`
  }
  const stackOf = (id: number): string => {
    const frames: string[] = []
    for (let at: number | undefined = id; at !== undefined && frames.length < deepestStack; at = parents.get(at))
      frames.push(nameOf(at))
    return frames.join(' < ')
  }
  const lines = (ranked: readonly [string, number][]): string[] => ranked.map(([name, count]) => `${count}\t${name}`)
  return [
    `${samples.length} samples, one every ${intervalMicros / 1000} ms`,
    '\nfunctions:',
    ...lines(rank(samples.map(nameOf), shownFunctions)),
    '\nstacks, innermost first:',
    ...lines(rank(samples.map(stackOf), shownStacks)),
    '',
  ].join('\n')
}

const rank = (names: readonly string[], shown: number): [string, number][] => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, shown)
}

/** Where it is installed tells nothing. */
const shortUrl = (url: string): string => url.replace(/^.*\/(?=(?:node_modules|src|lib)\/)/, '')
