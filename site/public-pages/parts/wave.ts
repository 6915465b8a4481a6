/** One strand of the helix: a sine of this height and length around a line, from a crossing. */
export type Wave = { middle: number; height: number; period: number; start: number }

const turn = (wave: Wave, x: number): number => ((x - wave.start) / wave.period) * Math.PI * 2

/** `sign` 1 goes down first, -1 up. */
export const waveAt = (wave: Wave, x: number, sign: 1 | -1): number =>
  wave.middle + sign * wave.height * Math.sin(turn(wave, x))

/** The strand between two places as a smooth path: sixteen curves a turn, each with the right slope at both ends. */
export const wavePath = (wave: Wave, from: number, to: number, sign: 1 | -1): string => {
  const count = Math.max(1, Math.ceil((to - from) / (wave.period / 16)))
  const step = (to - from) / count
  const slope = (x: number): number => ((sign * wave.height * Math.PI * 2) / wave.period) * Math.cos(turn(wave, x))
  const point = (x: number, y: number): string => `${round(x)} ${round(y)}`
  let path = `M${point(from, waveAt(wave, from, sign))}`
  for (let index = 0; index < count; index++) {
    const [a, b] = [from + index * step, from + (index + 1) * step]
    const third = step / 3
    path += `C${point(a + third, waveAt(wave, a, sign) + slope(a) * third)} ${point(b - third, waveAt(wave, b, sign) - slope(b) * third)} ${point(b, waveAt(wave, b, sign))}`
  }
  return path
}

const round = (value: number): number => Math.round(value * 10) / 10
