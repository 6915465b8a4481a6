import type { Helix } from './start-helix.ts'

/** The samples of a scrape by name and labels, as they are written. Throws where a line is not OpenMetrics. */
export const parseMetrics = (text: string): Map<string, number> => {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.pop() !== '# EOF') throw new Error('the text does not end with # EOF')
  const samples = new Map<string, number>()
  for (const line of lines) {
    if (/^# (TYPE|UNIT|HELP) [a-z_][a-z0-9_]* \S/.test(line)) continue
    const [, series, value] =
      /^([a-z_][a-z0-9_]*(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})?) (\S+)$/.exec(line) ?? []
    if (series === undefined || value === undefined) throw new Error(`not a sample: ${line}`)
    if (samples.has(series)) throw new Error(`twice: ${series}`)
    samples.set(series, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
  }
  return samples
}

/** The metrics of a server that was started with `metricsPort: 0`. */
export const readMetrics = async (helix: Pick<Helix, 'logged'>): Promise<Map<string, number>> => {
  const { port } = await helix.logged({ event: 'metrics_listening' })
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return parseMetrics(await response.text())
}
